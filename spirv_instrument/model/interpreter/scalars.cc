// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/scalars.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "spirv/unified1/GLSL.std.450.h"

namespace assay::spirv_instrument::model {
namespace {

bool IsComputable(const Type& type) { return type.width == 32 || type.width == 64; }

double ToDouble(uint64_t bits, const Type& type) {
  return type.width == 32 ? std::bit_cast<float>(static_cast<uint32_t>(bits)) : std::bit_cast<double>(bits);
}

// Rounds to the type; exact if the value has been computed in it.
uint64_t FromDouble(double value, const Type& type) {
  return type.width == 32 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : std::bit_cast<uint64_t>(value);
}

uint64_t FromBool(bool value) { return value ? 1 : 0; }

// Sum, product and quotient of two floats in double are right when they are rounded to float.
std::optional<uint64_t> ComputeFloat(spv::Op op, const Type& from, const ScalarOperands& operands) {
  if (!IsComputable(from)) return std::nullopt;
  const double a = ToDouble(operands[0], from);
  const double b = ToDouble(operands[1], from);
  const bool is_ordered = !std::isnan(a) && !std::isnan(b);
  switch (op) {
    case spv::Op::OpFNegate:
      return FromDouble(-a, from);
    case spv::Op::OpFAdd:
      return FromDouble(a + b, from);
    case spv::Op::OpFSub:
      return FromDouble(a - b, from);
    case spv::Op::OpFMul:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
      return FromDouble(a * b, from);
    case spv::Op::OpFDiv:
      return FromDouble(a / b, from);
    case spv::Op::OpIsNan:
      return FromBool(std::isnan(a));
    case spv::Op::OpIsInf:
      return FromBool(std::isinf(a));
    case spv::Op::OpFOrdEqual:
      return FromBool(a == b);
    case spv::Op::OpFUnordEqual:
      return FromBool(!is_ordered || a == b);
    case spv::Op::OpFOrdNotEqual:
      return FromBool(is_ordered && a != b);
    case spv::Op::OpFUnordNotEqual:
      return FromBool(a != b);
    case spv::Op::OpFOrdLessThan:
      return FromBool(a < b);
    case spv::Op::OpFUnordLessThan:
      return FromBool(!is_ordered || a < b);
    case spv::Op::OpFOrdGreaterThan:
      return FromBool(a > b);
    case spv::Op::OpFUnordGreaterThan:
      return FromBool(!is_ordered || a > b);
    case spv::Op::OpFOrdLessThanEqual:
      return FromBool(a <= b);
    case spv::Op::OpFUnordLessThanEqual:
      return FromBool(!is_ordered || a <= b);
    case spv::Op::OpFOrdGreaterThanEqual:
      return FromBool(a >= b);
    case spv::Op::OpFUnordGreaterThanEqual:
      return FromBool(!is_ordered || a >= b);
    default:
      return std::nullopt;
  }
}

uint64_t ReverseBits(uint64_t bits, uint32_t width) {
  uint64_t reversed = 0;
  for (uint32_t i = 0; i < width; ++i) reversed |= (bits >> i & 1) << (width - 1 - i);
  return reversed;
}

uint64_t ComputeBitField(spv::Op op, uint32_t width, const ScalarOperands& operands) {
  const bool inserts = op == spv::Op::OpBitFieldInsert;
  const auto offset = static_cast<uint32_t>(operands[inserts ? 2 : 1]);
  const auto count = static_cast<uint32_t>(operands[inserts ? 3 : 2]);
  if (count == 0 || offset >= 64) return inserts ? operands[0] : 0;
  if (!inserts) {
    const uint64_t field = Truncate(operands[0] >> offset, count);
    return op == spv::Op::OpBitFieldUExtract ? field : Truncate(static_cast<uint64_t>(SignExtend(field, count)), width);
  }
  const uint64_t mask = Truncate(~uint64_t{0}, count) << offset;
  return Truncate((operands[0] & ~mask) | (operands[1] << offset & mask), width);
}

std::optional<uint64_t> ComputeInteger(spv::Op op, const Type& from, const ScalarOperands& operands) {
  const uint32_t width = from.width;
  const uint64_t a = operands[0];
  const uint64_t b = operands[1];
  const int64_t signed_a = SignExtend(a, width);
  const int64_t signed_b = SignExtend(b, width);
  const auto truncate = [width](auto value) { return Truncate(static_cast<uint64_t>(value), width); };
  switch (op) {
    case spv::Op::OpSNegate:
      return truncate(0 - a);
    case spv::Op::OpIAdd:
      return truncate(a + b);
    case spv::Op::OpISub:
      return truncate(a - b);
    case spv::Op::OpIMul:
      return truncate(a * b);
    case spv::Op::OpUDiv:
      return a / b;
    case spv::Op::OpUMod:
      return a % b;
    case spv::Op::OpSDiv:
      return truncate(signed_a / signed_b);
    case spv::Op::OpSRem:
      return truncate(signed_a % signed_b);
    case spv::Op::OpSMod: {
      const int64_t rest = signed_a % signed_b;
      return truncate(rest != 0 && (rest < 0) != (signed_b < 0) ? rest + signed_b : rest);
    }
    case spv::Op::OpShiftLeftLogical:
      return truncate(a << b);
    case spv::Op::OpShiftRightLogical:
      return a >> b;
    case spv::Op::OpShiftRightArithmetic:
      return truncate(signed_a >> b);
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return a | b;
    case spv::Op::OpBitwiseXor:
      return a ^ b;
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return a & b;
    case spv::Op::OpNot:
    case spv::Op::OpLogicalNot:
      return truncate(~a);
    case spv::Op::OpBitReverse:
      return ReverseBits(a, width);
    case spv::Op::OpBitCount:
      return std::popcount(a);
    case spv::Op::OpBitFieldInsert:
    case spv::Op::OpBitFieldSExtract:
    case spv::Op::OpBitFieldUExtract:
      return ComputeBitField(op, width, operands);
    case spv::Op::OpIEqual:
    case spv::Op::OpLogicalEqual:
      return FromBool(a == b);
    case spv::Op::OpINotEqual:
    case spv::Op::OpLogicalNotEqual:
      return FromBool(a != b);
    case spv::Op::OpUGreaterThan:
      return FromBool(a > b);
    case spv::Op::OpUGreaterThanEqual:
      return FromBool(a >= b);
    case spv::Op::OpULessThan:
      return FromBool(a < b);
    case spv::Op::OpULessThanEqual:
      return FromBool(a <= b);
    case spv::Op::OpSGreaterThan:
      return FromBool(signed_a > signed_b);
    case spv::Op::OpSGreaterThanEqual:
      return FromBool(signed_a >= signed_b);
    case spv::Op::OpSLessThan:
      return FromBool(signed_a < signed_b);
    case spv::Op::OpSLessThanEqual:
      return FromBool(signed_a <= signed_b);
    default:
      return std::nullopt;
  }
}

// A float as an integer; nullopt if it does not fit, which is undefined.
std::optional<uint64_t> FloatToInteger(double value, const Type& to, bool is_signed) {
  const double limit = std::ldexp(1.0, static_cast<int>(is_signed ? to.width - 1 : to.width));
  if (!(std::trunc(value) < limit && std::trunc(value) >= (is_signed ? -limit : 0.0))) return std::nullopt;
  if (is_signed) return Truncate(static_cast<uint64_t>(static_cast<int64_t>(value)), to.width);
  return static_cast<uint64_t>(value);
}

std::optional<uint64_t> ComputeConversion(spv::Op op, const Type& from, const Type& to, uint64_t bits) {
  const bool reads_float = op == spv::Op::OpConvertFToU || op == spv::Op::OpConvertFToS || op == spv::Op::OpFConvert;
  const bool makes_float = op == spv::Op::OpConvertUToF || op == spv::Op::OpConvertSToF || op == spv::Op::OpFConvert;
  if ((reads_float && !IsComputable(from)) || (makes_float && !IsComputable(to))) return std::nullopt;
  switch (op) {
    case spv::Op::OpConvertFToU:
      return FloatToInteger(ToDouble(bits, from), to, false);
    case spv::Op::OpConvertFToS:
      return FloatToInteger(ToDouble(bits, from), to, true);
    case spv::Op::OpConvertUToF:
      return to.width == 32 ? std::bit_cast<uint32_t>(static_cast<float>(bits))
                            : std::bit_cast<uint64_t>(static_cast<double>(bits));
    case spv::Op::OpConvertSToF: {
      const int64_t value = SignExtend(bits, from.width);
      return to.width == 32 ? std::bit_cast<uint32_t>(static_cast<float>(value))
                            : std::bit_cast<uint64_t>(static_cast<double>(value));
    }
    case spv::Op::OpUConvert:
      return Truncate(bits, to.width);
    case spv::Op::OpSConvert:
      return Truncate(static_cast<uint64_t>(SignExtend(bits, from.width)), to.width);
    case spv::Op::OpFConvert:
      return FromDouble(ToDouble(bits, from), to);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<uint64_t> ComputeScalar(spv::Op op, const Type& from, const Type& to, const ScalarOperands& operands) {
  if (op >= spv::Op::OpConvertFToU && op <= spv::Op::OpFConvert) {
    return ComputeConversion(op, from, to, operands[0]);
  }
  return from.kind == Type::Kind::kFloat ? ComputeFloat(op, from, operands) : ComputeInteger(op, from, operands);
}

std::optional<uint64_t> ComputeExtendedScalar(uint32_t instruction, const Type& type, const ScalarOperands& operands) {
  const auto [a, b, c, d] = operands;
  const auto less = [&type](uint64_t x, uint64_t y) { return SignExtend(x, type.width) < SignExtend(y, type.width); };
  if (type.kind == Type::Kind::kFloat) {
    if (!IsComputable(type)) return std::nullopt;
    const double value = ToDouble(a, type);
    switch (instruction) {
      case GLSLstd450Trunc:
        return FromDouble(std::trunc(value), type);
      case GLSLstd450Floor:
        return FromDouble(std::floor(value), type);
      case GLSLstd450Ceil:
        return FromDouble(std::ceil(value), type);
      case GLSLstd450FAbs:
        return FromDouble(std::fabs(value), type);
      case GLSLstd450FMin:
        return FromDouble(std::fmin(value, ToDouble(b, type)), type);
      case GLSLstd450FMax:
        return FromDouble(std::fmax(value, ToDouble(b, type)), type);
      case GLSLstd450FClamp:
        return FromDouble(std::fmin(std::fmax(value, ToDouble(b, type)), ToDouble(c, type)), type);
      default:
        return std::nullopt;
    }
  }
  switch (instruction) {
    case GLSLstd450UMin:
      return std::min(a, b);
    case GLSLstd450UMax:
      return std::max(a, b);
    case GLSLstd450UClamp:
      return std::min(std::max(a, b), c);
    case GLSLstd450SMin:
      return less(b, a) ? b : a;
    case GLSLstd450SMax:
      return less(a, b) ? b : a;
    case GLSLstd450SClamp: {
      const uint64_t raised = less(a, b) ? b : a;
      return less(c, raised) ? c : raised;
    }
    case GLSLstd450SAbs:
      return SignExtend(a, type.width) < 0 ? Truncate(0 - a, type.width) : a;
    case GLSLstd450FindILsb:
      return a == 0 ? Truncate(~uint64_t{0}, type.width) : static_cast<uint64_t>(std::countr_zero(a));
    case GLSLstd450FindUMsb:
      return a == 0 ? Truncate(~uint64_t{0}, type.width) : static_cast<uint64_t>(63 - std::countl_zero(a));
    default:
      return std::nullopt;
  }
}

}  // namespace assay::spirv_instrument::model
