// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/random/recipe_layout.h"

#include <algorithm>

namespace assay::spirv_instrument::model {
namespace {

uint32_t RoundUp(uint32_t value, uint32_t alignment) { return (value + alignment - 1) / alignment * alignment; }

void FindAddresses(const RecipeType& type, uint32_t offset, uint32_t bytes, std::vector<AddressPosition>& found) {
  if (offset + 8 > bytes) return;
  if (type.kind == RecipeType::Kind::kAddress) {
    found.push_back({offset, type.pointee});
  } else if (type.kind == RecipeType::Kind::kStruct) {
    const std::vector<uint32_t> offsets = MemberOffsets(type);
    for (size_t i = 0; i < offsets.size(); ++i) FindAddresses(type.parts[i], offset + offsets[i], bytes, found);
  } else if (type.kind == RecipeType::Kind::kArray || type.kind == RecipeType::Kind::kRuntimeArray) {
    const uint32_t stride = StrideOf(type);
    const uint32_t count = type.kind == RecipeType::Kind::kArray ? type.count : (bytes - offset) / stride;
    for (uint32_t i = 0; i < count; ++i) FindAddresses(type.parts[0], offset + i * stride, bytes, found);
  }
}

}  // namespace

uint32_t AlignmentOf(const RecipeType& type) {
  switch (type.kind) {
    case RecipeType::Kind::kAddress:
      return 8;
    case RecipeType::Kind::kMatrix:
      return 4;
    case RecipeType::Kind::kArray:
    case RecipeType::Kind::kRuntimeArray:
    case RecipeType::Kind::kStruct: {
      uint32_t alignment = 1;
      for (const RecipeType& part : type.parts) alignment = std::max(alignment, AlignmentOf(part));
      return alignment;
    }
    default:
      return type.width / 8;
  }
}

uint32_t SizeOf(const RecipeType& type) {
  switch (type.kind) {
    case RecipeType::Kind::kScalar:
      return type.width / 8;
    case RecipeType::Kind::kVector:
      return type.count * type.width / 8;
    case RecipeType::Kind::kMatrix:
      return (type.is_row_major ? type.rows : type.count) * MatrixStrideOf(type);
    case RecipeType::Kind::kArray:
      return type.count * StrideOf(type);
    case RecipeType::Kind::kRuntimeArray:
      return 0;
    case RecipeType::Kind::kAddress:
      return 8;
    case RecipeType::Kind::kStruct:
      break;
  }
  if (type.parts.empty()) return 0;
  return RoundUp(MemberOffsets(type).back() + SizeOf(type.parts.back()), AlignmentOf(type));
}

uint32_t StrideOf(const RecipeType& array) {
  const RecipeType& element = array.parts[0];
  // Never 0, also for a structure that has lost its members.
  return std::max(RoundUp(SizeOf(element) + element.gap, AlignmentOf(element)), AlignmentOf(element));
}

uint32_t MatrixStrideOf(const RecipeType& matrix) {
  return 4 * (matrix.is_row_major ? matrix.count : matrix.rows) + RoundUp(matrix.gap, 4);
}

std::vector<uint32_t> MemberOffsets(const RecipeType& structure) {
  std::vector<uint32_t> offsets;
  uint32_t end = 0;
  for (const RecipeType& member : structure.parts) {
    offsets.push_back(RoundUp(end, AlignmentOf(member)));
    end = offsets.back() + SizeOf(member) + member.gap;
  }
  return offsets;
}

bool IsLoadable(const RecipeType& type) {
  return type.kind != RecipeType::Kind::kRuntimeArray && std::ranges::all_of(type.parts, IsLoadable);
}

uint32_t RuntimeLength(const RecipeType& block, uint32_t bytes) {
  if (block.parts.empty() || block.parts.back().kind != RecipeType::Kind::kRuntimeArray) return 0;
  const uint32_t begin = MemberOffsets(block).back();
  return bytes < begin ? 0 : (bytes - begin) / StrideOf(block.parts.back());
}

std::vector<AddressPosition> FindAddresses(const RecipeType& block, uint32_t bytes) {
  std::vector<AddressPosition> found;
  FindAddresses(block, 0, bytes, found);
  return found;
}

}  // namespace assay::spirv_instrument::model
