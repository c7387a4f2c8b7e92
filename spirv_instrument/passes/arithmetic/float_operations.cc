// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/arithmetic/float_operations.h"

#include <cstdint>
#include <vector>

#include "spirv/unified1/GLSL.std.450.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument {
namespace {

struct GroupedOpcode {
  spv::Op op;
  FloatOperations group;
};

constexpr GroupedOpcode kOpcodes[] = {
    {spv::Op::OpFDiv, FloatOperations::kDivision},
    {spv::Op::OpFRem, FloatOperations::kDivision},
    {spv::Op::OpFMod, FloatOperations::kDivision},
    {spv::Op::OpFAdd, FloatOperations::kSums},
    {spv::Op::OpFSub, FloatOperations::kSums},
    {spv::Op::OpFMul, FloatOperations::kSums},
    {spv::Op::OpVectorTimesScalar, FloatOperations::kSums},
    {spv::Op::OpDot, FloatOperations::kSums},
    {spv::Op::OpFConvert, FloatOperations::kConversions},
    {spv::Op::OpQuantizeToF16, FloatOperations::kConversions},
    {spv::Op::OpConvertSToF, FloatOperations::kConversions},
    {spv::Op::OpConvertUToF, FloatOperations::kConversions},
};

struct GroupedNumber {
  uint32_t number;
  FloatOperations group;
};

constexpr GroupedNumber kNumbers[] = {
    {GLSLstd450Fma, FloatOperations::kSums},           {GLSLstd450Sqrt, FloatOperations::kRoots},
    {GLSLstd450InverseSqrt, FloatOperations::kRoots},  {GLSLstd450Log, FloatOperations::kLogarithms},
    {GLSLstd450Log2, FloatOperations::kLogarithms},    {GLSLstd450Pow, FloatOperations::kPowers},
    {GLSLstd450Exp, FloatOperations::kPowers},         {GLSLstd450Exp2, FloatOperations::kPowers},
    {GLSLstd450Tan, FloatOperations::kTrigonometry},   {GLSLstd450Asin, FloatOperations::kTrigonometry},
    {GLSLstd450Acos, FloatOperations::kTrigonometry},  {GLSLstd450Sinh, FloatOperations::kTrigonometry},
    {GLSLstd450Cosh, FloatOperations::kTrigonometry},  {GLSLstd450Acosh, FloatOperations::kTrigonometry},
    {GLSLstd450Atanh, FloatOperations::kTrigonometry}, {GLSLstd450Atan2, FloatOperations::kTrigonometry},
    {GLSLstd450Normalize, FloatOperations::kGeometry}, {GLSLstd450Length, FloatOperations::kGeometry},
    {GLSLstd450Distance, FloatOperations::kGeometry},
};

constexpr uint32_t kMagnitude = 0x7fffffff;
constexpr uint32_t kInfinity32 = 0x7f800000;
// The upper word of an infinite double.
constexpr uint32_t kInfinity64 = 0x7ff00000;

}  // namespace

FloatOperations GroupOf(Instruction instruction, Id glsl) {
  if (instruction.op() == spv::Op::OpExtInst) {
    if (glsl == kNoId || instruction.id(0) != glsl) return FloatOperations::kNone;
    for (const GroupedNumber& entry : kNumbers) {
      if (entry.number == instruction.literal(1)) return entry.group;
    }
    return FloatOperations::kNone;
  }
  for (const GroupedOpcode& entry : kOpcodes) {
    if (entry.op == instruction.op()) return entry.group;
  }
  return FloatOperations::kNone;
}

std::vector<spv::Op> OpcodesOf(FloatOperations groups) {
  std::vector<spv::Op> opcodes;
  for (const GroupedOpcode& entry : kOpcodes) {
    if (HasAny(groups, entry.group)) opcodes.push_back(entry.op);
  }
  for (const GroupedNumber& entry : kNumbers) {
    if (!HasAny(groups, entry.group)) continue;
    opcodes.push_back(spv::Op::OpExtInst);
    break;
  }
  return opcodes;
}

Id EmitFloatTest(Numerics& numerics, Builder& builder, Id value, const NumericType& type, FloatTest test) {
  const uint32_t count = type.components;
  const Numerics::Words words = numerics.WordsOf(value, type, false);
  const bool is_double = type.width == 64;
  const Id bools = numerics.Bools(count);
  const Id magnitude = builder.Binary(spv::Op::OpBitwiseAnd, numerics.Uints(count), is_double ? words.high : words.low,
                                      numerics.SplatUint(count, kMagnitude));
  const Id infinity = numerics.SplatUint(count, is_double ? kInfinity64 : kInfinity32);
  if (test == FloatTest::kFinite) return builder.Binary(spv::Op::OpULessThan, bools, magnitude, infinity);
  if (!is_double) {
    const spv::Op op = test == FloatTest::kNotNaN ? spv::Op::OpULessThanEqual : spv::Op::OpINotEqual;
    return builder.Binary(op, bools, magnitude, infinity);
  }
  // Infinity has nothing but zeros behind it, and NaN something else.
  const Id zero = numerics.SplatUint(count, 0);
  if (test == FloatTest::kNotInfinite) {
    const Id is_other = builder.Binary(spv::Op::OpINotEqual, bools, magnitude, infinity);
    const Id has_more = builder.Binary(spv::Op::OpINotEqual, bools, words.low, zero);
    return builder.Binary(spv::Op::OpLogicalOr, bools, is_other, has_more);
  }
  const Id is_less = builder.Binary(spv::Op::OpULessThan, bools, magnitude, infinity);
  const Id is_same = builder.Binary(spv::Op::OpIEqual, bools, magnitude, infinity);
  const Id has_no_more = builder.Binary(spv::Op::OpIEqual, bools, words.low, zero);
  const Id is_infinite = builder.Binary(spv::Op::OpLogicalAnd, bools, is_same, has_no_more);
  return builder.Binary(spv::Op::OpLogicalOr, bools, is_less, is_infinite);
}

}  // namespace assay::spirv_instrument
