// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_SWEEP_SWEEP_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_SWEEP_SWEEP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/passes/instrument.h"

// Every pass over many modules that nobody wrote for it: those of the corpus, of glslang's own tests, and what programs
// hand to their driver. Nothing is run here. Three things must hold of each module and configuration:
//
//   accepted     A module that the validator accepts is instrumented.
//   valid        The validator accepts the result, for the same version of Vulkan.
//   repeatable   A second run gives the same words, also on another thread, with the modules in the opposite order.
//
// `sweep FOLDER...` does this for all files x.spv of some folders, and prints what became of the accesses.
namespace assay::spirv_instrument::corpus {

struct NamedModule {
  std::string name;
  std::vector<uint32_t> words;
};

struct SweepConfig {
  std::string name;
  InstrumentConfig config;
};

// Each pass alone, those of descriptors with reports at the end, and all at once: with all steps, with none, with
// nothing left to the host, only reporting, and by each way to the memory of the runtime.
std::vector<SweepConfig> SweepConfigs();

// All files x.spv of a folder, ordered by name. InvalidArgument for a file that is not whole words; NotFound if there
// is none.
absl::StatusOr<std::vector<NamedModule>> ReadModules(const std::string& folder);

// What a sweep did.
struct SweepResult {
  size_t runs = 0;
  // Runs that changed the module.
  size_t changed = 0;
  // In words, with the names of the configuration and the module.
  std::vector<std::string> failures;
  // What became of the accesses that each pass is about.
  std::map<std::string, std::array<uint64_t, kOutcomeCount>, std::less<>> outcomes;
};

// The modules must be valid. Two threads work on them, one from either end; the first also validates.
SweepResult Sweep(absl::Span<const NamedModule> modules, const SweepConfig& config);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_SWEEP_SWEEP_H_
