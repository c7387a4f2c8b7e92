// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_FLOAT_OPERATIONS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_FLOAT_OPERATIONS_H_

#include <cstdint>
#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/passes/arithmetic/float_groups.h"
#include "spirv_instrument/passes/arithmetic/numeric.h"

namespace assay::spirv_instrument {

// The group of an operation; kNone if it is in none. `glsl` is the import of GLSL.std.450, or kNoId.
FloatOperations GroupOf(Instruction instruction, Id glsl);
// The opcodes of these groups. Those of GLSL.std.450 are OpExtInst.
std::vector<spv::Op> OpcodesOf(FloatOperations groups);

// What a float may be to be good.
enum class FloatTest : uint8_t { kNotNaN, kNotInfinite, kFinite };

// For each component, whether it passes the test. By bits, so that a compiler that assumes that there is no NaN does
// not decide it.
Id EmitFloatTest(Numerics& numerics, Builder& builder, Id value, const NumericType& type, FloatTest test);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_FLOAT_OPERATIONS_H_
