// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_BLOCK_SIZE_H_
#define ASSAY_STATE_SHADER_BLOCK_SIZE_H_

#include <cstdint>
#include <optional>

#include "spirv_instrument/ir/instruction.h"
#include "state/shader/reflected_module.h"

namespace assay::state {

// The size in bytes of a structure type with explicit layout: where the last byte of its members ends, without padding
// after it. Array lengths are those after specialization. nullopt if it has a runtime array, or a member without
// Offset, ArrayStride or MatrixStride where it needs one.
std::optional<uint64_t> BlockSize(ReflectedModule& module, spirv_instrument::Instruction structure);
// Where the last byte of one of its members ends.
std::optional<uint64_t> MemberEnd(ReflectedModule& module, spirv_instrument::Instruction structure, uint32_t member);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_BLOCK_SIZE_H_
