// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/arithmetic/numeric.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::spirv_instrument {
namespace {

constexpr int kMaxDepth = 4;

bool EveryComponent(const Module& module, Instruction constant, absl::FunctionRef<bool(uint64_t)> holds, int depth) {
  switch (constant.op()) {
    case spv::Op::OpConstant: {
      const std::optional<NumericType> type = AsNumericType(module, constant.type_id());
      if (!type || !type->IsInteger() || type->components != 1) return false;
      const uint64_t value = constant.literal64(0);
      return holds(type->width == 64 ? value : value & ((uint64_t{1} << type->width) - 1));
    }
    case spv::Op::OpConstantNull: {
      const std::optional<NumericType> type = AsNumericType(module, constant.type_id());
      return type && type->IsInteger() && holds(0);
    }
    case spv::Op::OpConstantComposite:
    case spv::Op::OpCompositeConstruct:
      if (depth == kMaxDepth || !AsNumericType(module, constant.type_id())) return false;
      for (size_t i = 0; i < constant.operand_count(); ++i) {
        if (!EveryComponent(module, module.Find(constant.id(i)), holds, depth + 1)) return false;
      }
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<NumericType> AsNumericType(const Module& module, Id type) {
  NumericType numeric{.id = type, .scalar = type};
  Instruction definition = module.Find(type);
  if (definition.op() == spv::Op::OpTypeVector) {
    numeric.components = definition.literal(1);
    numeric.scalar = definition.id(0);
    definition = module.Find(numeric.scalar);
    if (numeric.components < 2 || numeric.components > 4) return std::nullopt;
  }
  numeric.width = definition.literal(0);
  switch (definition.op()) {
    case spv::Op::OpTypeInt:
      numeric.kind = definition.literal(1) == 0 ? NumericType::Kind::kUnsigned : NumericType::Kind::kSigned;
      break;
    case spv::Op::OpTypeFloat:
      numeric.kind = NumericType::Kind::kFloat;
      // An encoding makes it another kind of float.
      if (numeric.width == 8 || definition.operand_count() > 1) return std::nullopt;
      break;
    default:
      return std::nullopt;
  }
  const bool has_width = numeric.width == 8 || numeric.width == 16 || numeric.width == 32 || numeric.width == 64;
  return has_width ? std::optional(numeric) : std::nullopt;
}

std::optional<NumericType> NumericTypeOf(const Module& module, Id value) {
  return AsNumericType(module, module.Find(value).type_id());
}

bool EveryComponent(const Module& module, Id constant, absl::FunctionRef<bool(uint64_t)> holds) {
  return EveryComponent(module, module.Find(constant), holds, 0);
}

Id Numerics::VectorOf(Id scalar, uint32_t components) {
  return components == 1 ? scalar : module_.globals().Vector(scalar, components);
}

Id Numerics::Uints(uint32_t components) { return VectorOf(module_.globals().Uint32(), components); }

Id Numerics::Bools(uint32_t components) { return VectorOf(module_.globals().Bool(), components); }

Id Numerics::SplatConstant(Id vector_type, Id scalar, uint32_t components) {
  if (components == 1) return scalar;
  const absl::InlinedVector<Id, 4> parts(components, scalar);
  return module_.globals().Composite(vector_type, parts);
}

Id Numerics::Splat(const NumericType& type, uint64_t value) {
  return SplatConstant(type.id, module_.globals().Integer(type.scalar, value), type.components);
}

Id Numerics::SplatFloat(const NumericType& type, double value) {
  return SplatConstant(type.id, module_.globals().FloatConstant(type.scalar, value), type.components);
}

Id Numerics::SplatUint(uint32_t components, uint32_t value) {
  return SplatConstant(Uints(components), module_.globals().Uint(value), components);
}

Id Numerics::Repeat(Id vector_type, Id value, uint32_t components) {
  if (components == 1) return value;
  const absl::InlinedVector<Word, 4> parts(components, value);
  return builder_.Add(spv::Op::OpCompositeConstruct, vector_type, parts);
}

Id Numerics::All(Id bools, uint32_t components) {
  return components == 1 ? bools : builder_.Add(spv::Op::OpAll, module_.globals().Bool(), {bools});
}

Numerics::Words Numerics::WordsOf(Id value, const NumericType& type, bool is_signed) {
  if (type.IsInteger()) return IntegerWords(value, type, is_signed);
  if (type.width == 64) return DoubleWords(value, type);
  NumericType wide = type;
  const Id floats = WithoutHalves(value, wide);
  return {.low = builder_.Add(spv::Op::OpBitcast, Uints(type.components), {floats}),
          .high = SplatUint(type.components, 0)};
}

Numerics::Words Numerics::IntegerWords(Id value, const NumericType& type, bool is_signed) {
  const Id uints = Uints(type.components);
  if (type.width == 64) {
    const Id upper = builder_.Binary(spv::Op::OpShiftRightLogical, type.id, value, Splat(type, 32));
    return {.low = builder_.Add(spv::Op::OpUConvert, uints, {value}),
            .high = builder_.Add(spv::Op::OpUConvert, uints, {upper})};
  }
  Words words{.low = value, .high = SplatUint(type.components, 0)};
  if (type.width < 32) {
    words.low = builder_.Add(is_signed ? spv::Op::OpSConvert : spv::Op::OpUConvert, uints, {value});
  } else if (type.kind == NumericType::Kind::kSigned) {
    words.low = builder_.Add(spv::Op::OpBitcast, uints, {value});
  }
  if (is_signed) {
    words.high = builder_.Binary(spv::Op::OpShiftRightArithmetic, uints, words.low, SplatUint(type.components, 31));
  }
  return words;
}

// A double is two words to OpBitcast. For a vector there is no type with as many words, so it goes by component.
Numerics::Words Numerics::DoubleWords(Id value, const NumericType& type) {
  const Id uint_type = Uints(1);
  absl::InlinedVector<Word, 4> low;
  absl::InlinedVector<Word, 4> high;
  for (uint32_t i = 0; i < type.components; ++i) {
    const Id component =
        type.components == 1 ? value : builder_.Add(spv::Op::OpCompositeExtract, type.scalar, {value, i});
    const Id pair = builder_.Add(spv::Op::OpBitcast, Uints(2), {component});
    low.push_back(builder_.Add(spv::Op::OpCompositeExtract, uint_type, {pair, 0u}));
    high.push_back(builder_.Add(spv::Op::OpCompositeExtract, uint_type, {pair, 1u}));
  }
  if (type.components == 1) return {.low = Id{low[0].value()}, .high = Id{high[0].value()}};
  return {.low = builder_.Add(spv::Op::OpCompositeConstruct, Uints(type.components), low),
          .high = builder_.Add(spv::Op::OpCompositeConstruct, Uints(type.components), high)};
}

Id Numerics::WithoutHalves(Id value, NumericType& type) {
  if (type.width != 16 || type.IsInteger()) return value;
  type.width = 32;
  type.scalar = module_.globals().Float(32);
  type.id = VectorOf(type.scalar, type.components);
  return builder_.Add(spv::Op::OpFConvert, type.id, {value});
}

Id Numerics::Quad(Id uints, uint32_t components, uint32_t padding) {
  if (components == 4) return uints;
  absl::InlinedVector<Word, 4> parts = {uints};
  for (uint32_t i = components; i < 4; ++i) parts.push_back(module_.globals().Uint(padding));
  return builder_.Add(spv::Op::OpCompositeConstruct, Uints(4), parts);
}

}  // namespace assay::spirv_instrument
