// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_EXECUTOR_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_EXECUTOR_H_

#include <cstdint>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/model/interpreter/access_log.h"
#include "spirv_instrument/model/interpreter/interpreter.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/run_passes.h"

namespace assay::spirv_instrument::model {

// What an instrumented shader did.
struct Execution {
  // As those of Interpretation.
  std::vector<Interpretation::Contents> buffers;
  std::vector<Interpretation::Contents> images;
  std::set<Fault> faults;
  // Where the buffers were.
  Addresses addresses;
};

// The faults in an error stream and among the notes of the one shader. Internal as corpus::ReadFaults says.
absl::StatusOr<std::set<Fault>> ReadFaults(const corpus::Setup& setup, const Instrumented& shader,
                                           absl::Span<const uint32_t> errors, absl::Span<const uint32_t> causes);

// Something that runs instrumented compute shaders.
class Executor {
 public:
  virtual ~Executor() = default;
  // Runs this shader in place of those of the program's one stage, on its first input. Fails if that is not possible,
  // or if it is found out that a bad access was executed.
  virtual absl::StatusOr<Execution> Execute(const corpus::Program& program, const Instrumented& shader,
                                            const RuntimeConfig& runtime) = 0;
};

// The interpreter runs the instrumented shader as well, with the memory of runtime.h as further buffers. Nothing is
// checked then: a bad access that the instrumentation lets through is an error.
class InterpretingExecutor : public Executor {
 public:
  absl::StatusOr<Execution> Execute(const corpus::Program& program, const Instrumented& shader,
                                    const RuntimeConfig& runtime) override;
};

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_COMPARISON_EXECUTOR_H_
