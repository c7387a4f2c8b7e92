// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_CHECK_EMITTER_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_CHECK_EMITTER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/control_flow/split.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/link/linker.h"
#include "spirv_instrument/passes/emission/limits.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/wanted_check.h"

namespace assay::spirv_instrument {

// Turns checks into code, one access after the other, in the order of the function:
//
//   %ok = OpFunctionCall %bool %BufferHolds ...      conditions of all checks of the access, joined by OpLogicalAnd
//         OpSelectionMerge %merge None
//         OpBranchConditional %ok %good %bad
//  %good: the access
//  %bad:  OpFunctionCall %void %ReportBuffer ...     a report of each check
//  %merge: OpPhi of the result and zero
//
// Checks that only report have a branch of their own before that.
class CheckEmitter {
 public:
  // All must outlive this. `limits` is null unless all checks compare with limits.
  CheckEmitter(Module& module, Emitter& emitter, WantedChecks& checks, bool is_report_only, Limits* limits)
      : module_(module), emitter_(emitter), checks_(checks), is_report_only_(is_report_only), limits_(limits) {}

  // Emits the checks with these indices, which are all of one access. `variant` is that of the function.
  void EmitAccess(size_t first, size_t end, Linker::Variant variant);

 private:
  // What a check was decided by, for checks that refer to it.
  struct Condition {
    Id own = kNoId;
    // For the widened span.
    Id wide = kNoId;
    // Whether what computes it also reports the fault.
    bool reports = false;
  };

  void EmitInserted(size_t first, size_t end);
  // Checks of an access that is executed in any case.
  void EmitReported(absl::Span<const size_t> checks);
  // Checks that keep an access from being executed.
  void EmitGuarded(absl::Span<const size_t> checks);
  Id EmitJoined(absl::Span<const size_t> checks);
  Id EmitCondition(size_t index);
  Id EmitOwn(size_t index, AccessSpan span, Builder& builder);
  // A condition that is enough, to be asked before the check's own; kNoId without.
  Id EmitFast(size_t index);
  // `fast` or else the check's own condition, which is computed only then.
  Id EmitUnless(Id fast, size_t index);
  // The check's own condition where `fast` does not hold.
  Id EmitSlow(size_t index, Builder& builder);
  // Whether the fault of a check is yet to be reported where its condition does not hold.
  bool HasToReport(size_t index) const { return !checks_[index].is_reported && !conditions_[index].reports; }
  void EmitReports(const Guard& guard, absl::Span<const size_t> checks);
  Guard ReportBefore(Instruction access, Id condition);
  void RequireZero(Instruction access);
  Builder BuilderBefore(Instruction access);
  // Whether zero can stand in for the result of an instruction: it has none, or one that GuardInstruction() can merge
  // with zero.
  bool CanGuard(Instruction access);

  Module& module_;
  Emitter& emitter_;
  WantedChecks& checks_;
  bool is_report_only_;
  Limits* limits_;
  Linker::Variant variant_ = 0;
  // By index of check.
  std::vector<Condition> conditions_;
  // By type of the result.
  absl::flat_hash_map<uint32_t, bool> can_guard_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_CHECK_EMITTER_H_
