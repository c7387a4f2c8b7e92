// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Access chains to places.

#include <algorithm>

#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/model/random/make_program.h"
#include "spirv_instrument/model/random/recipe_layout.h"
#include "spirv_instrument/model/random/shader_maker.h"

namespace assay::spirv_instrument::model {
namespace {

// The smallest range that a descriptor of the resource has.
uint32_t SmallestRange(const RecipeResource& resource) {
  uint32_t smallest = ~0u;
  for (const RecipeElement& element : resource.elements) smallest = std::min(smallest, element.bytes);
  return resource.elements.empty() ? 0 : smallest;
}

}  // namespace

std::vector<Word> ShaderMaker::WithAlignment(std::vector<Word> operands, const Target& target) const {
  if (target.storage != spv::StorageClass::PhysicalStorageBuffer) return operands;
  operands.emplace_back(spv::MemoryAccessMask::Aligned);
  operands.emplace_back(AlignmentOf(*target.type));
  return operands;
}

Id ShaderMaker::LoadFrom(const Target& target) {
  return Emit(spv::Op::OpLoad, TypeOf(*target.type), WithAlignment({target.pointer}, target));
}

// A wild index is taken as it is, but that into an array of constant length is either within it or far outside.
Id ShaderMaker::Index(const RecipeStep& step, uint32_t length, bool may_be_wild, bool is_fixed) {
  const bool is_wild = step.is_wild && may_be_wild;
  const bool is_constant = step.index.kind == RecipeOperand::Kind::kConstant;
  length = std::max(length, 1u);
  if (!is_wild && is_constant) return Uint(step.index.number % length);
  Id index = OperandValue(step.index);
  if (!is_wild) return Emit(spv::Op::OpUMod, UintType(), {index, Uint(length)});
  if (is_fixed) index = Emit(spv::Op::OpBitwiseOr, UintType(), {index, Uint(kFarIndex)});
  if (step.is_wide) {
    const Id wide = globals().Int(64, false);
    index = Emit(spv::Op::OpUConvert, wide, {index});
    index = Emit(spv::Op::OpIMul, wide, {index, globals().Uint64(uint64_t{1} << 33 | 1)});
    return step.is_signed ? Emit(spv::Op::OpBitcast, globals().Int(64, true), {index}) : index;
  }
  return step.is_signed ? Emit(spv::Op::OpBitcast, globals().Int(32, true), {index}) : index;
}

Id ShaderMaker::DescriptorIndex(const RecipeResource& resource, const RecipeStep& step) {
  const auto count = static_cast<uint32_t>(resource.elements.size());
  return Index(step, count, true, false);
}

std::optional<ShaderMaker::Cursor> ShaderMaker::Begin(const RecipePlace& place) {
  if (place.resource >= recipe_.resources.size()) return std::nullopt;
  const RecipeResource& resource = recipe_.resources[place.resource];
  Cursor cursor;
  cursor.target.pointer = variables_[place.resource];
  cursor.target.is_own = IsSingle() || !resource.is_written;
  cursor.is_written_by_all = resource.is_written && !IsSingle();
  cursor.target.type = &BlockOf(resource.block);
  cursor.runtime_length = RuntimeLength(*cursor.target.type, SmallestRange(resource));
  switch (resource.kind) {
    case RecipeResource::Kind::kStorage:
      cursor.target.storage = spv::StorageClass::StorageBuffer;
      break;
    case RecipeResource::Kind::kUniform:
      cursor.target.storage = spv::StorageClass::Uniform;
      break;
    case RecipeResource::Kind::kPushConstants:
      cursor.target.storage = spv::StorageClass::PushConstant;
      break;
    default:
      return std::nullopt;
  }
  if (function_.pointer != kNoId && recipe_.functions[function_.number].resource == place.resource) {
    cursor.target.pointer = function_.pointer;
    if (resource.kind != RecipeResource::Kind::kStorage) FollowAddressOf(cursor, cursor.target.type->parts[0]);
    return cursor;
  }
  if (resource.is_array) {
    cursor.is_non_uniform = place.descriptor.index.kind != RecipeOperand::Kind::kConstant;
    cursor.indices.push_back(DescriptorIndex(resource, place.descriptor));
  }
  return cursor;
}

void ShaderMaker::Flush(Cursor& cursor) {
  if (cursor.indices.empty()) return;
  const Id type = TypeOf(*cursor.target.type);
  cursor.target.pointer =
      At().AccessChain(globals().Pointer(cursor.target.storage, type), cursor.target.pointer, cursor.indices);
  if (cursor.is_non_uniform) Decorate(module_, cursor.target.pointer, spv::Decoration::NonUniform);
  cursor.indices.clear();
}

// From the pointer that it has now to the block that this points to.
void ShaderMaker::FollowAddressOf(Cursor& cursor, const RecipeType& address) {
  cursor.target.storage = spv::StorageClass::PhysicalStorageBuffer;
  cursor.target.type = &BlockOf(address.pointee);
  cursor.target.is_own = IsSingle();
  cursor.is_written_by_all = false;
  cursor.is_non_uniform = false;
  uint32_t smallest = ~0u;
  for (const RecipeTarget& target : recipe_.targets) {
    if (target.block == address.pointee) smallest = std::min(smallest, target.bytes);
  }
  cursor.runtime_length = smallest == ~0u ? 0 : RuntimeLength(*cursor.target.type, smallest);
}

void ShaderMaker::FollowAddress(Cursor& cursor) {
  Flush(cursor);
  const RecipeType& address = *cursor.target.type;
  cursor.target.pointer = LoadFrom(cursor.target);
  FollowAddressOf(cursor, address);
}

void ShaderMaker::Step(Cursor& cursor, const RecipeStep& step) {
  const RecipeType& type = *cursor.target.type;
  uint32_t part = 0;
  Id index = kNoId;
  if (type.kind == RecipeType::Kind::kStruct) {
    part = step.index.number % std::max(static_cast<uint32_t>(type.parts.size()), 1u);
    index = Uint(part);
  } else if (type.kind == RecipeType::Kind::kRuntimeArray && cursor.is_written_by_all) {
    index = step.is_wild ? Emit(spv::Op::OpBitwiseOr, UintType(), {invocation_, Uint(kFarIndex)}) : invocation_;
    cursor.target.is_own = true;
  } else if (type.kind == RecipeType::Kind::kRuntimeArray) {
    index = Index(step, cursor.runtime_length, true, false);
  } else {
    index =
        Index(step, type.count,
              type.kind == RecipeType::Kind::kArray && cursor.target.storage != spv::StorageClass::PushConstant, true);
  }
  cursor.target.type = &PartOf(type, part);
  cursor.indices.push_back(index);
}

std::optional<ShaderMaker::Target> ShaderMaker::Walk(const RecipePlace& place) {
  std::optional<Cursor> cursor = Begin(place);
  if (!cursor) return std::nullopt;
  uint32_t steps = 0;
  for (const RecipeStep& step : place.path) {
    if (cursor->target.type->kind == RecipeType::Kind::kAddress) FollowAddress(*cursor);
    if (cursor->target.type->kind == RecipeType::Kind::kScalar) break;
    Step(*cursor, step);
    if (++steps == place.split) Flush(*cursor);
  }
  while (!IsLoadable(*cursor->target.type)) Step(*cursor, {});
  Flush(*cursor);
  return cursor->target;
}

}  // namespace assay::spirv_instrument::model
