// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_VERTEX_INPUTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_VERTEX_INPUTS_H_

#include <cstdint>
#include <optional>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {

// What a pointer of a shader points to among its inputs.
struct ShaderInput {
  // A built-in, or the locations [first, first + count); neither for what is no input.
  std::optional<spv::BuiltIn> built_in;
  uint32_t first_location = 0;
  uint32_t location_count = 0;
};

// Through access chains, and parameters that are variables. Constant indices select locations; an index that is not
// constant may be any. Vulkan, "Location and Component Assignment": a vector of three or four components of 64 bits has
// two locations, a matrix those of its columns.
ShaderInput FindShaderInput(ModuleFacts& facts, Id pointer);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_VERTEX_INPUTS_H_
