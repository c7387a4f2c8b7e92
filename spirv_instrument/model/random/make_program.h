// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_MAKE_PROGRAM_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_MAKE_PROGRAM_H_

#include <string>

#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/model/random/recipe.h"

namespace assay::spirv_instrument::model {

// Makes a program with one compute shader and one input. The shader is valid SPIR-V 1.5 for Vulkan 1.3 with the feature
// scalarBlockLayout and those of its capabilities. What it does is defined, but for bad accesses, divisions and shifts
// that are wild: invocations write to places of their own alone. What it computes ends up in the buffers that it writes
// and in the buffer "result", which has a word for each invocation. An error is one of Module::Write.
absl::StatusOr<corpus::Program> MakeProgram(const Recipe& recipe);

// The names of buffers and images of a program.
std::string NameOfElement(size_t resource, size_t element);
std::string NameOfTarget(size_t target);
inline constexpr char kResultBuffer[] = "result";
// Where resources are: their binding is their number.
inline constexpr uint32_t kResourceSet = 0;
inline constexpr uint32_t kResultSet = 1;
// A runtime array has this index more where it is wild and the invocation decides.
inline constexpr uint32_t kFarIndex = 0x10000000;
// Images are squares of this size; sampled ones have kLevels levels.
inline constexpr uint32_t kImageSize = 4;
inline constexpr uint32_t kLevels = 2;

// The input alone.
corpus::Setup MakeSetup(const Recipe& recipe);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_RANDOM_MAKE_PROGRAM_H_
