// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_CHECK_INPUT_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_CHECK_INPUT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/instrumented/instrumented.h"
#include "spirv_instrument/corpus/instrumented/runtime_instrumentation.h"
#include "spirv_instrument/corpus/instrumented/stage_sources.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/corpus/runner/run.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument::corpus {

// A program on one of its inputs, to be instrumented in several ways.
class InputCheck {
 public:
  // Runs the original, if the input has no faults. All that is given must outlive the result. Fails if a module cannot
  // be read, or the original cannot be run.
  static absl::StatusOr<InputCheck> Make(const Device& device, const Program& program, const Input& input);

  // Runs the instrumented program, and says in words what is wrong; one for each.
  //
  // Always: each cause has its record, and the host finds no fault that the description does not have. Without faults:
  // there are no records; outputs are those of the original; the prints are those of the description, in any order;
  // the entry block of each stage that has to run was counted. With faults: the records are those of the
  // description, but that the step `dominated` and FrameConfig::reports_at_end may leave some out. The outputs are what
  // the description expects, if it says so. Where nothing is known of the action
  // (runtime/action.h), an input without faults is as always.
  std::vector<std::string> Run(const InstrumentConfig& config, bool is_unchecked = false) const;

 private:
  InputCheck(const Device& device, const Program& program, const Input& input, StageSources sources)
      : device_(device), program_(program), input_(input), sources_(std::move(sources)) {}

  void AddNotedFaults(const InstrumentedProgram& instrumented, const RuntimeInstrumentation& run,
                      std::set<RecordedFault>& faults, std::vector<std::string>& wrong) const;
  void CheckFaults(const InstrumentedProgram& instrumented, const RuntimeInstrumentation& run, const FrameConfig& frame,
                   std::vector<std::string>& wrong) const;
  void CheckPrints(const RuntimeInstrumentation& run, std::vector<std::string>& wrong) const;
  void CheckCounts(const InstrumentedProgram& instrumented, const RuntimeInstrumentation& run,
                   std::vector<std::string>& wrong) const;

  const Device& device_;
  const Program& program_;
  const Input& input_;
  StageSources sources_;
  // Of the original; empty for an input with faults.
  Outputs outputs_;
};

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_CHECK_INPUT_H_
