// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INTERPRETER_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INTERPRETER_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/model/interpreter/access_log.h"
#include "spirv_instrument/model/interpreter/memory.h"

namespace assay::spirv_instrument::model {

struct InterpretOptions {
  // The kinds of faults that keep an access from being executed. A bad access of another kind is an error.
  FaultKinds checked = FaultKinds::All();
  // Where buffers are; others get addresses of the model's own.
  Addresses addresses;
  // Instructions of all invocations.
  uint64_t max_steps = 10'000'000;
};

struct Interpretation {
  struct Contents {
    std::string name;
    std::vector<uint8_t> bytes;
    friend bool operator==(const Contents&, const Contents&) = default;
  };
  // What buffers and images hold afterwards, in the order of the setup, without what was destroyed before and images
  // with several samples.
  std::vector<Contents> buffers;
  std::vector<Contents> images;
  // The bad accesses of kinds that are checked, each once.
  std::set<Fault> faults;
  // For each, those that may be reported in its place: see AccessLog.
  std::map<Fault, std::set<Fault>> earlier;
};

// Runs the one entry point of a compute shader, for a dispatch. Invocations run one after the other, in the order of
// their workgroups and of their index in these; at a barrier the others come up. Errors: InvalidArgument if the module
// or setup is wrong; Unimplemented for what is not in the subset; FailedPrecondition for what is undefined, but for the
// kinds in `checked`; ResourceExhausted for too many steps.
absl::StatusOr<Interpretation> Interpret(absl::Span<const uint32_t> words, const corpus::Setup& setup,
                                         const InterpretOptions& options = {});

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_INTERPRETER_H_
