// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_INSTRUMENTED_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_INSTRUMENTED_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/passes/instrument.h"

// Runs programs of the corpus instrumented, as a host would that knows all there is to know: the part of gpuav, without
// a layer. From a program to what is right or wrong with it:
//
//   bound_descriptors        what is known of each descriptor of a setup
//   InstrumentProgram        instruments the stages of a program, and decides what they leave to the host
//   runtime_memory           the words of runtime.h for a setup: tables, action block, room for what is reported
//   runtime_instrumentation  puts these words into memory, gives it to the shaders, and reads it after the run
//   faults                   what error codes stand for among the faults that the corpus describes
//   check_input              runs a program on an input, original and instrumented, and compares
//   isolated                 keeps a run that crashes from ending the test
//   run_instrumented         the whole corpus
//
// What is compared. *On an input without faults*, the instrumented program leaves no record and computes bit for bit
// what the original does. *On an input with faults*, which the original cannot be run on, it survives, and its records
// are the faults that the description names: kind, source and line, by the debug information of the module. This is for
// each reach, with and without steps, with all passes at once, and with the passes alone that the faults are for.
namespace assay::spirv_instrument::corpus {

using Instrumenter =
    absl::FunctionRef<absl::StatusOr<Instrumented>(absl::Span<const uint32_t>, const InstrumentConfig&)>;

// A program whose stages check themselves.
struct InstrumentedProgram {
  // An instruction whose host condition is certain and does not hold: the host reports it.
  struct HostFault {
    // The index of the stage, which is also its RuntimeConfig::shader_id.
    uint32_t stage = 0;
    uint32_t instruction = 0;
    friend auto operator<=>(const HostFault&, const HostFault&) = default;
  };

  // In the order of the program.
  std::vector<Instrumented> stages;
  // What all stages were made with, but for the shader id.
  RuntimeConfig runtime;
  std::set<HostFault> host_faults;
  // Counters of blocks, of all stages together; the first one of each stage.
  size_t counters = 0;
  std::vector<uint32_t> first_counters;

  std::vector<std::vector<uint32_t>> words() const;
};

// Instruments all stages for a setup. The shader ids are the indices of the stages. The address in push constants comes
// behind what the program has; where there is no room for it, all stages are reached by descriptor set.
//
// Conditions that are left to the host are decided here: if one that is certain does not hold, that is a fault, and the
// stage leaves nothing to the host; if another one does not hold, the stage leaves those alone to the host that are
// certain. So the stages that are returned may be run with these descriptors.
absl::StatusOr<InstrumentedProgram> InstrumentProgram(const Program& program, const Setup& setup,
                                                      const InstrumentConfig& config,
                                                      Instrumenter instrument = Instrument);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_INSTRUMENTED_H_
