// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_SCALARS_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_SCALARS_H_

#include <array>
#include <cstdint>
#include <optional>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/model/interpreter/declarations.h"

namespace assay::spirv_instrument::model {

using ScalarOperands = std::array<uint64_t, 4>;

// One component of an instruction: `from` is the scalar type of the first operand, `to` that of the result. nullopt if
// the instruction is not in the subset, or not with these types. Operands are defined: see FindUndefined.
std::optional<uint64_t> ComputeScalar(spv::Op op, const Type& from, const Type& to, const ScalarOperands& operands);
// The same for GLSL.std.450.
std::optional<uint64_t> ComputeExtendedScalar(uint32_t instruction, const Type& type, const ScalarOperands& operands);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_SCALARS_H_
