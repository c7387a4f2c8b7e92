// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_UNDEFINED_ARITHMETIC_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_UNDEFINED_ARITHMETIC_H_

#include <memory>

#include "spirv_instrument/passes/arithmetic/float_groups.h"
#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Arithmetic without a defined result, on scalars and vectors of 8, 16, 32 and 64 bits. An application may do some of
// it on purpose and not look at the result, which is why users turn this pass on by themselves. Each kind has a switch.
//
// *division*: OpUDiv, OpSDiv, OpUMod, OpSRem, OpSMod (SPIR-V, "Arithmetic Instructions"). The behavior is undefined if
// a divisor is 0 and, of those with sign, if the smallest number is divided by -1.
//
// *shifts*: OpShiftRightLogical, OpShiftRightArithmetic, OpShiftLeftLogical (SPIR-V, "Bit Instructions"). The result is
// undefined if the shift, which counts as unsigned, is not less than the width of the base.
//
// *bit_fields*: OpBitFieldInsert, OpBitFieldSExtract, OpBitFieldUExtract. The result is undefined if offset + count,
// both unsigned, is more than the width of the base.
//
// *conversions*: OpConvertFToU, OpConvertFToS (SPIR-V, "Conversion Instructions"). The behavior is undefined if the
// result is not wide enough for the value without its fraction; so it is for NaN and infinity.
//
// *not_a_number*: operations whose result is NaN, though no operand is; an operand may be infinite. *infinity*:
// operations whose result is infinite, though no operand is NaN or infinite. So what only passes on an earlier one is
// not reported. No rule of SPIR-V forbids them, so they are executed in any case and only reported. The condition
// computes the operation once more, on the same operands, where the driver finds that it is the same.
//
// Of others the instruction is executed if it is good, and its result is zero if not. Of a vector each component is
// looked at; the first one that is wrong is reported. Constants that are good are not checked. Operands may be
// specialization constants: these are checked as if they were variable.
//
// *Variant*: what is checked. *Ids*: the operands that decide; of floats all. *Literals*: widths; of floats also the
// opcode, the number in GLSL.std.450, and which results are reported.
//
// What it does not see: OpSpecConstantOp, which is computed when the pipeline is made. Matrices and cooperative
// matrices. A driver that contracts a multiplication and an addition may do so for the result and not for the
// condition, or the other way round. Functions that are undefined for some operands, such as a clamp with reversed
// limits, are not seen unless the result is NaN or infinite.
struct UndefinedArithmeticConfig {
  bool division = true;
  bool shifts = true;
  bool bit_fields = true;
  bool conversions = true;
  FloatOperations not_a_number = FloatOperations::kNone;
  FloatOperations infinity = FloatOperations::kNone;
};

std::unique_ptr<Pass> MakeUndefinedArithmetic(const UndefinedArithmeticConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_UNDEFINED_ARITHMETIC_H_
