// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_COMPARE_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_COMPARE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/instrumented/instrumented.h"
#include "spirv_instrument/model/comparison/executor.h"
#include "spirv_instrument/model/interpreter/access_log.h"
#include "spirv_instrument/model/random/random_recipe.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument::model {

// A way to instrument, under a name.
struct NamedConfig {
  std::string name;
  InstrumentConfig config;
};

// All passes that the model knows, as far as there are such: with no step, with each step alone, with all steps; and
// with all steps by each reach. The first has no step.
std::vector<NamedConfig> ConfigsToCompare();

// The kinds of faults that these passes keep from happening. Passes that the model does not know do not count.
// `passes` has descriptor_index, buffer_bounds and device_address.
FaultKinds KindsOf(const PassConfigs& passes);
// What recipes may have for these passes.
RecipeOptions OptionsFor(const PassConfigs& passes);

using corpus::Instrumenter;

// Runs the program's first input with instrumentation, and in the interpreter as it is, and compares what buffers and
// images hold, bit for bit, and the faults. Returns what differs, in words; empty if nothing does.
//
// Conditions that are left to the host are decided as a host would (corpus::InstrumentProgram): where one that is
// certain does not hold, the model has to find a fault at its instruction.
//
// A fault may be missing if an earlier one that may be reported in its place is not (AccessLog::Earlier), and the step
// `dominated` is on; or if others are found, and faults are to be reported at the end.
std::string FindDisagreement(const corpus::Program& program, const InstrumentConfig& config, Executor& executor,
                             Instrumenter instrument = Instrument);

// The same for a recipe.
std::string FindDisagreement(const Recipe& recipe, const InstrumentConfig& config, Executor& executor,
                             Instrumenter instrument = Instrument);

// Whether the program as it is, on its first input, does what the interpreter says; what differs, in words. If it does
// not, the executor is to blame, and no instrumentation: a driver, say. A program with faults cannot be run as it is;
// nothing is found then.
std::string FindDisagreementOfOriginal(const corpus::Program& program, Executor& executor);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_COMPARE_H_
