// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_ARITHMETIC_H_
#define ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_ARITHMETIC_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/model/interpreter/declarations.h"
#include "spirv_instrument/model/interpreter/value.h"

// Arithmetic, logical, bit and conversion instructions: SPIR-V, "Arithmetic Instructions" and so on, up to "Relational
// and Logical Instructions", and part of GLSL.std.450. Floating-point results are exact where IEEE 754 says so; formats
// of 16 bits are moved and not computed with.
namespace assay::spirv_instrument::model {

// An operand and its type.
struct Operand {
  const Type* type = nullptr;
  const Cells* cells = nullptr;
};

// Whether `op` is one of them.
bool IsArithmetic(spv::Op op);
// The result of an instruction whose operands are all values. Unimplemented for one that is not in the subset.
absl::StatusOr<Cells> Compute(const Declarations& declarations, spv::Op op, const Type& result,
                              absl::Span<const Operand> operands);
// The same for an instruction of GLSL.std.450.
absl::StatusOr<Cells> ComputeExtended(const Declarations& declarations, uint32_t instruction, const Type& result,
                                      absl::Span<const Operand> operands);

// What is undefined about the operands: kDivision for a division by zero or one that overflows, kShift for a shift of
// as many bits as there are, or more.
std::optional<corpus::FaultKind> FindUndefined(const Declarations& declarations, spv::Op op,
                                               absl::Span<const Operand> operands);

}  // namespace assay::spirv_instrument::model

#endif  // ASSAY_SPIRV_INSTRUMENT_MODEL_INTERPRETER_ARITHMETIC_H_
