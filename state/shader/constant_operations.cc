// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/constant_operations.h"

namespace assay::state {
namespace {

using spv::Op;

std::optional<uint32_t> Divide(Op op, uint32_t left, uint32_t right) {
  if (right == 0) return std::nullopt;
  if (op == Op::OpUDiv) return left / right;
  if (op == Op::OpUMod) return left % right;
  // Wide enough for the smallest integer divided by -1.
  const auto a = int64_t{static_cast<int32_t>(left)};
  const auto b = int64_t{static_cast<int32_t>(right)};
  if (op == Op::OpSDiv) return static_cast<uint32_t>(a / b);
  const int64_t rest = a % b;
  // The sign of OpSRem is that of the first operand, the sign of OpSMod that of the second.
  const bool other_sign = op == Op::OpSMod && rest != 0 && (rest < 0) != (b < 0);
  return static_cast<uint32_t>(other_sign ? rest + b : rest);
}

bool Compare(Op op, uint32_t left, uint32_t right) {
  const auto a = static_cast<int32_t>(left);
  const auto b = static_cast<int32_t>(right);
  switch (op) {
    case Op::OpULessThan:
      return left < right;
    case Op::OpULessThanEqual:
      return left <= right;
    case Op::OpUGreaterThan:
      return left > right;
    case Op::OpUGreaterThanEqual:
      return left >= right;
    case Op::OpSLessThan:
      return a < b;
    case Op::OpSLessThanEqual:
      return a <= b;
    case Op::OpSGreaterThan:
      return a > b;
    default:
      return a >= b;
  }
}

}  // namespace

int OperandCount(Op op) {
  switch (op) {
    case Op::OpUConvert:
    case Op::OpSConvert:
    case Op::OpBitcast:
    case Op::OpCopyObject:
    case Op::OpNot:
    case Op::OpSNegate:
    case Op::OpLogicalNot:
      return 1;
    case Op::OpIAdd:
    case Op::OpISub:
    case Op::OpIMul:
    case Op::OpUDiv:
    case Op::OpSDiv:
    case Op::OpUMod:
    case Op::OpSRem:
    case Op::OpSMod:
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
    case Op::OpBitwiseAnd:
    case Op::OpBitwiseOr:
    case Op::OpBitwiseXor:
    case Op::OpIEqual:
    case Op::OpINotEqual:
    case Op::OpULessThan:
    case Op::OpULessThanEqual:
    case Op::OpUGreaterThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpSLessThan:
    case Op::OpSLessThanEqual:
    case Op::OpSGreaterThan:
    case Op::OpSGreaterThanEqual:
    case Op::OpLogicalAnd:
    case Op::OpLogicalOr:
    case Op::OpLogicalEqual:
    case Op::OpLogicalNotEqual:
      return 2;
    case Op::OpSelect:
      return 3;
    default:
      return 0;
  }
}

bool NeedsOneWord(Op op) {
  switch (op) {
    case Op::OpUDiv:
    case Op::OpSDiv:
    case Op::OpUMod:
    case Op::OpSRem:
    case Op::OpSMod:
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
    case Op::OpIEqual:
    case Op::OpINotEqual:
    case Op::OpULessThan:
    case Op::OpULessThanEqual:
    case Op::OpUGreaterThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpSLessThan:
    case Op::OpSLessThanEqual:
    case Op::OpSGreaterThan:
    case Op::OpSGreaterThanEqual:
      return true;
    default:
      return false;
  }
}

std::optional<uint32_t> EvaluateUnary(Op op, uint32_t value) {
  switch (op) {
    case Op::OpNot:
      return ~value;
    case Op::OpSNegate:
      return 0 - value;
    case Op::OpLogicalNot:
      return value == 0 ? 1 : 0;
    default:
      return value;
  }
}

std::optional<uint32_t> EvaluateBinary(Op op, uint32_t left, uint32_t right) {
  switch (op) {
    case Op::OpIAdd:
      return left + right;
    case Op::OpISub:
      return left - right;
    case Op::OpIMul:
      return left * right;
    case Op::OpUDiv:
    case Op::OpSDiv:
    case Op::OpUMod:
    case Op::OpSRem:
    case Op::OpSMod:
      return Divide(op, left, right);
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
      if (right >= 32) return std::nullopt;
      if (op == Op::OpShiftLeftLogical) return left << right;
      if (op == Op::OpShiftRightLogical) return left >> right;
      return static_cast<uint32_t>(static_cast<int32_t>(left) >> right);
    case Op::OpBitwiseAnd:
    case Op::OpLogicalAnd:
      return left & right;
    case Op::OpBitwiseOr:
    case Op::OpLogicalOr:
      return left | right;
    case Op::OpBitwiseXor:
      return left ^ right;
    case Op::OpIEqual:
    case Op::OpLogicalEqual:
      return left == right ? 1 : 0;
    case Op::OpINotEqual:
    case Op::OpLogicalNotEqual:
      return left != right ? 1 : 0;
    default:
      return Compare(op, left, right) ? 1 : 0;
  }
}

}  // namespace assay::state
