// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_FLOAT_GROUPS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_FLOAT_GROUPS_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::spirv_instrument {

// Groups of operations on floating-point scalars and vectors; a set of them is a mask.
enum class FloatOperations : uint32_t {
  kNone = 0,
  // OpFDiv, OpFRem, OpFMod.
  kDivision = 1 << 0,
  // OpFAdd, OpFSub, OpFMul, OpVectorTimesScalar, OpDot, Fma.
  kSums = 1 << 1,
  // Sqrt, InverseSqrt.
  kRoots = 1 << 2,
  // Log, Log2.
  kLogarithms = 1 << 3,
  // Pow, Exp, Exp2.
  kPowers = 1 << 4,
  // Tan, Asin, Acos, Sinh, Cosh, Acosh, Atanh, Atan2.
  kTrigonometry = 1 << 5,
  // Normalize, Length, Distance.
  kGeometry = 1 << 6,
  // OpFConvert, OpQuantizeToF16, OpConvertSToF, OpConvertUToF.
  kConversions = 1 << 7,
  kAll = (1 << 8) - 1,
};

constexpr FloatOperations operator|(FloatOperations a, FloatOperations b) {
  return static_cast<FloatOperations>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool HasAny(FloatOperations set, FloatOperations of) {
  return (static_cast<uint32_t>(set) & static_cast<uint32_t>(of)) != 0;
}

// A group, or all, by its name: "division", "sums", "roots", "logarithms", "powers", "trigonometry", "geometry",
// "conversions", "all". nullopt for another name.
std::optional<FloatOperations> FindFloatOperations(std::string_view name);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_ARITHMETIC_FLOAT_GROUPS_H_
