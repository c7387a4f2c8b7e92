// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <optional>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/constants/constant_values.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint64_t Truncated(uint64_t value, uint32_t width) { return value << (64 - width) >> (64 - width); }

// Division rounds toward zero. Zero and the overflow of the least number by -1 have no result.
std::optional<uint64_t> Divide(spv::Op op, uint32_t width, uint64_t left, uint64_t right) {
  if (right == 0) return std::nullopt;
  if (op == spv::Op::OpUDiv) return left / right;
  if (op == spv::Op::OpUMod) return left % right;
  const int64_t dividend = SignExtended(left, width);
  const int64_t divisor = SignExtended(right, width);
  if (divisor == -1) {
    if (left == uint64_t{1} << (width - 1)) return std::nullopt;
    return op == spv::Op::OpSDiv ? static_cast<uint64_t>(-dividend) : 0;
  }
  if (op == spv::Op::OpSDiv) return static_cast<uint64_t>(dividend / divisor);
  int64_t remainder = dividend % divisor;
  // OpSRem has the sign of the dividend, OpSMod that of the divisor.
  if (op == spv::Op::OpSMod && remainder != 0 && (remainder < 0) != (divisor < 0)) remainder += divisor;
  return static_cast<uint64_t>(remainder);
}

// A shift by the width or more is undefined.
std::optional<uint64_t> Shift(spv::Op op, uint32_t width, uint64_t left, uint64_t right) {
  if (right >= width) return std::nullopt;
  if (op == spv::Op::OpShiftLeftLogical) return left << right;
  if (op == spv::Op::OpShiftRightLogical) return left >> right;
  return static_cast<uint64_t>(SignExtended(left, width) >> right);
}

std::optional<bool> Compare(spv::Op op, uint32_t width, uint64_t left, uint64_t right) {
  const int64_t signed_left = SignExtended(left, width);
  const int64_t signed_right = SignExtended(right, width);
  switch (op) {
    case spv::Op::OpIEqual:
    case spv::Op::OpLogicalEqual:
      return left == right;
    case spv::Op::OpINotEqual:
    case spv::Op::OpLogicalNotEqual:
      return left != right;
    case spv::Op::OpUGreaterThan:
      return left > right;
    case spv::Op::OpUGreaterThanEqual:
      return left >= right;
    case spv::Op::OpULessThan:
      return left < right;
    case spv::Op::OpULessThanEqual:
      return left <= right;
    case spv::Op::OpSGreaterThan:
      return signed_left > signed_right;
    case spv::Op::OpSGreaterThanEqual:
      return signed_left >= signed_right;
    case spv::Op::OpSLessThan:
      return signed_left < signed_right;
    case spv::Op::OpSLessThanEqual:
      return signed_left <= signed_right;
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> Calculate(spv::Op op, uint32_t width, uint64_t left, uint64_t right) {
  switch (op) {
    case spv::Op::OpSNegate:
      return 0 - left;
    case spv::Op::OpNot:
      return ~left;
    case spv::Op::OpLogicalNot:
      return left ^ 1;
    case spv::Op::OpUConvert:
    case spv::Op::OpBitcast:
    case spv::Op::OpCopyObject:
      return left;
    case spv::Op::OpSConvert:
      return static_cast<uint64_t>(SignExtended(left, width));
    case spv::Op::OpIAdd:
      return left + right;
    case spv::Op::OpISub:
      return left - right;
    case spv::Op::OpIMul:
      return left * right;
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
      return Divide(op, width, left, right);
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
      return Shift(op, width, left, right);
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return left & right;
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return left | right;
    case spv::Op::OpBitwiseXor:
      return left ^ right;
    default:
      return std::nullopt;
  }
}

}  // namespace

uint32_t OperandCountOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpSNegate:
    case spv::Op::OpNot:
    case spv::Op::OpLogicalNot:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpBitcast:
    case spv::Op::OpCopyObject:
      return 1;
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpULessThan:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpSGreaterThanEqual:
    case spv::Op::OpSLessThan:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr:
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpLogicalNotEqual:
      return 2;
    default:
      return 0;
  }
}

std::optional<uint64_t> EvaluateOperation(spv::Op op, uint32_t width, uint64_t left, uint64_t right) {
  if (width == 0 || width > 64) return std::nullopt;
  if (const std::optional<bool> result = Compare(op, width, left, right)) return *result ? 1 : 0;
  const std::optional<uint64_t> result = Calculate(op, width, left, right);
  // A conversion to more bits is truncated to these by the caller.
  if (!result || op == spv::Op::OpSConvert) return result;
  return Truncated(*result, width);
}

}  // namespace assay::spirv_instrument
