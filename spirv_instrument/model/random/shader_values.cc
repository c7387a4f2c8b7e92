// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Types, and values of them.

#include <algorithm>

#include "spirv_instrument/model/random/recipe_layout.h"
#include "spirv_instrument/model/random/shader_maker.h"

namespace assay::spirv_instrument::model {

const RecipeType& ShaderMaker::BlockOf(uint32_t block) const {
  static const RecipeType& none = *new RecipeType{.kind = RecipeType::Kind::kStruct, .parts = {RecipeType{}}};
  return block < recipe_.blocks.size() ? recipe_.blocks[block] : none;
}

Id ShaderMaker::ScalarType(uint32_t width, RecipeType::Number number) {
  if (number == RecipeType::Number::kFloat) return globals().Float(width);
  return globals().Int(width, number == RecipeType::Number::kInt);
}

Id ShaderMaker::BlockType(uint32_t block) {
  const RecipeType& type = BlockOf(block);
  std::vector<Word> members;
  std::vector<DecorationOfType> decorations = {{spv::Decoration::Block}};
  const std::vector<uint32_t> offsets = MemberOffsets(type);
  for (uint32_t i = 0; i < type.parts.size(); ++i) {
    members.emplace_back(TypeOf(type.parts[i]));
    DecorateMemberOfType(type.parts[i], i, offsets[i], decorations);
  }
  return globals().Type(spv::Op::OpTypeStruct, members, decorations);
}

void ShaderMaker::DecorateMemberOfType(const RecipeType& member, uint32_t index, uint32_t offset,
                                       std::vector<DecorationOfType>& decorations) {
  decorations.push_back({spv::Decoration::Offset, index, {offset}});
  const RecipeType* inner = &member;
  while (inner->kind == RecipeType::Kind::kArray || inner->kind == RecipeType::Kind::kRuntimeArray) {
    inner = &inner->parts[0];
  }
  if (inner->kind != RecipeType::Kind::kMatrix) return;
  decorations.push_back({spv::Decoration::MatrixStride, index, {MatrixStrideOf(*inner)}});
  // Not from a temporary, of which g++ 12 believes that it is not initialized.
  DecorationOfType& order = decorations.emplace_back();
  order.decoration = inner->is_row_major ? spv::Decoration::RowMajor : spv::Decoration::ColMajor;
  order.member = index;
}

Id ShaderMaker::TypeOf(const RecipeType& type) {
  for (uint32_t i = 0; i < recipe_.blocks.size(); ++i) {
    if (&type == &recipe_.blocks[i]) return BlockType(i);
  }
  switch (type.kind) {
    case RecipeType::Kind::kScalar:
      return ScalarType(type.width, type.number);
    case RecipeType::Kind::kVector:
      return globals().Vector(ScalarType(type.width, type.number), type.count);
    case RecipeType::Kind::kMatrix:
      return globals().Type(spv::Op::OpTypeMatrix, {globals().Vector(globals().Float(32), type.rows), type.count});
    case RecipeType::Kind::kArray: {
      const DecorationOfType stride[] = {{spv::Decoration::ArrayStride, std::nullopt, {StrideOf(type)}}};
      return globals().Type(spv::Op::OpTypeArray, {TypeOf(type.parts[0]), Uint(type.count)}, stride);
    }
    case RecipeType::Kind::kRuntimeArray: {
      const DecorationOfType stride[] = {{spv::Decoration::ArrayStride, std::nullopt, {StrideOf(type)}}};
      return globals().Type(spv::Op::OpTypeRuntimeArray, {TypeOf(type.parts[0])}, stride);
    }
    case RecipeType::Kind::kAddress:
      return globals().Pointer(spv::StorageClass::PhysicalStorageBuffer, BlockType(type.pointee));
    case RecipeType::Kind::kStruct:
      break;
  }
  std::vector<Word> members;
  std::vector<DecorationOfType> decorations;
  const std::vector<uint32_t> offsets = MemberOffsets(type);
  for (uint32_t i = 0; i < type.parts.size(); ++i) {
    members.emplace_back(TypeOf(type.parts[i]));
    DecorateMemberOfType(type.parts[i], i, offsets[i], decorations);
  }
  return globals().Type(spv::Op::OpTypeStruct, members, decorations);
}

bool ShaderMaker::HasAddress(const RecipeType& type) {
  return type.kind == RecipeType::Kind::kAddress || std::ranges::any_of(type.parts, HasAddress);
}

const RecipeType& ShaderMaker::PartOf(const RecipeType& type, uint32_t index) {
  switch (type.kind) {
    case RecipeType::Kind::kVector:
      return parts_.emplace_back(RecipeType{.width = type.width, .number = type.number});
    case RecipeType::Kind::kMatrix:
      return parts_.emplace_back(RecipeType{
          .kind = RecipeType::Kind::kVector, .width = 32, .number = RecipeType::Number::kFloat, .count = type.rows});
    case RecipeType::Kind::kStruct:
      return type.parts[index];
    default:
      return type.parts[0];
  }
}

Id ShaderMaker::Mix(Id sum, Id value) {
  const Id scaled = Emit(spv::Op::OpIMul, UintType(), {sum, Uint(33)});
  return Emit(spv::Op::OpBitwiseXor, UintType(), {scaled, value});
}

Id ShaderMaker::Fold(Id value, const RecipeType& type) {
  if (type.kind == RecipeType::Kind::kAddress) return Uint(0);
  if (type.kind == RecipeType::Kind::kScalar) {
    if (type.width == 64) {
      const Id halves = Emit(spv::Op::OpBitcast, globals().Vector(UintType(), 2), {value});
      const Id low = Emit(spv::Op::OpCompositeExtract, UintType(), {halves, 0u});
      return Mix(low, Emit(spv::Op::OpCompositeExtract, UintType(), {halves, 1u}));
    }
    const Id type_of_bits = globals().Int(type.width, false);
    const bool is_uint = type.number == RecipeType::Number::kUint;
    const Id bits = is_uint ? value : Emit(spv::Op::OpBitcast, type_of_bits, {value});
    return type.width == 32 ? bits : Emit(spv::Op::OpUConvert, UintType(), {bits});
  }
  const auto count = type.kind == RecipeType::Kind::kStruct ? static_cast<uint32_t>(type.parts.size()) : type.count;
  Id sum = Uint(0);
  for (uint32_t i = 0; i < count; ++i) {
    const RecipeType& part = PartOf(type, i);
    if (HasAddress(part) && part.kind == RecipeType::Kind::kAddress) continue;
    const Id extracted = Emit(spv::Op::OpCompositeExtract, TypeOf(part), {value, i});
    sum = Mix(sum, Fold(extracted, part));
  }
  return sum;
}

Id ShaderMaker::Expand(Id value, const RecipeType& type) {
  if (type.kind == RecipeType::Kind::kScalar) {
    const Id type_of_bits = globals().Int(type.width, false);
    Id bits = value;
    if (type.width == 64) {
      const Id halves = Emit(spv::Op::OpCompositeConstruct, globals().Vector(UintType(), 2), {value, value});
      return Emit(spv::Op::OpBitcast, TypeOf(type), {halves});
    }
    if (type.width != 32) bits = Emit(spv::Op::OpUConvert, type_of_bits, {bits});
    return type.number == RecipeType::Number::kUint ? bits : Emit(spv::Op::OpBitcast, TypeOf(type), {bits});
  }
  const auto count = type.kind == RecipeType::Kind::kStruct ? static_cast<uint32_t>(type.parts.size()) : type.count;
  std::vector<Word> parts;
  for (uint32_t i = 0; i < count; ++i) {
    const Id of_part = Emit(spv::Op::OpIAdd, UintType(), {value, Uint(i)});
    parts.emplace_back(Expand(of_part, PartOf(type, i)));
  }
  return Emit(spv::Op::OpCompositeConstruct, TypeOf(type), parts);
}

Id ShaderMaker::OperandValue(const RecipeOperand& operand) {
  switch (operand.kind) {
    case RecipeOperand::Kind::kConstant:
      return Uint(operand.number);
    case RecipeOperand::Kind::kInvocation:
      return invocation_;
    case RecipeOperand::Kind::kLoopCounter:
      return loops_.empty() ? Uint(0) : loops_.back().counter;
    case RecipeOperand::Kind::kArgument:
      return function_.returns_value ? function_.argument : Uint(operand.number);
    case RecipeOperand::Kind::kValue:
      break;
  }
  const auto found = std::ranges::find(visible_, operand.number, &std::pair<uint32_t, Id>::first);
  return found == visible_.end() ? Uint(0) : found->second;
}

}  // namespace assay::spirv_instrument::model
