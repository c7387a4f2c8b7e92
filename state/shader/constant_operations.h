// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_CONSTANT_OPERATIONS_H_
#define ASSAY_STATE_SHADER_CONSTANT_OPERATIONS_H_

#include <cstdint>
#include <optional>

#include "spirv/unified1/spirv.hpp11"

// SPIR-V operations on integers, by their low words, and on Booleans, which are 0 or 1.
namespace assay::state {

// 0 for an operation that is not evaluated.
int OperandCount(spv::Op op);
// Whether the result depends on more than the low words of integers that have more.
bool NeedsOneWord(spv::Op op);

// nullopt where the result is undefined.
std::optional<uint32_t> EvaluateUnary(spv::Op op, uint32_t value);
std::optional<uint32_t> EvaluateBinary(spv::Op op, uint32_t left, uint32_t right);

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_CONSTANT_OPERATIONS_H_
