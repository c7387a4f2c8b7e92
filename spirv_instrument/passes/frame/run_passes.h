// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_RUN_PASSES_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_RUN_PASSES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/pass.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/runtime/host_limit.h"

// The frame runs passes over a module. For the functions that entry points reach:
//
//   pass     Functions get the indices that their callers select descriptors by (passed_pointers.h), if a pass asks.
//   collect  One walk over the instructions. Each goes to the passes that have its opcode, which add checks to one
//            list.
//   decide   The steps go over the list, function by function: they note in each check what becomes of it.
//   emit     From the first access to the last: condition, branch, access, and out of line the report. Checks of one
//            access share a branch. Functions are linked when they are first called.
//
// Then variables are put into interfaces. All checks are collected before anything else changes, so that a pass sees
// the module as it was, but for these indices. Many passes cost one walk.
//
// *Exact.* Whatever the steps do, an access is executed if and only if its own condition holds. Steps only find cheaper
// ways to know that it does. So a module with and without each step does the same, but for the number of reports.
namespace assay::spirv_instrument {

struct Instrumented {
  // As they were read if no pass wanted anything.
  std::vector<uint32_t> words;
  bool is_changed = false;
  // The offset in words of the constant that is the shader id; 0 without.
  size_t shader_id_word = 0;
  // FrameConfig::reports_at_end was heeded.
  bool reports_at_end = false;
  // If the checks are all comparisons with limits: what the host writes to the action block (SetLimits), and what the
  // shader's notes are of. Empty otherwise.
  std::vector<HostLimit> limits;
  std::vector<LimitedCheck> limited_checks;
  // In the order of the accesses; equal ones once. Empty unless StepsConfig::host says otherwise.
  std::vector<HostCondition> host_conditions;
  Statistics statistics;
};

// Runs passes over one module, in this order. Linear in the module. Errors are those of Module::Read and Module::Write,
// and FailedPrecondition if the module has no room for what the configuration says: it uses the reserved descriptor
// set, or has push constants or specialization constants there; or if it declares the capability Kernel.
absl::StatusOr<Instrumented> RunPasses(absl::Span<const uint32_t> words, const FrameConfig& config,
                                       absl::Span<Pass* const> passes);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_RUN_PASSES_H_
