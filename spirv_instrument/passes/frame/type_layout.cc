// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/type_layout.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"

namespace assay::spirv_instrument {
namespace {

// Types nest no deeper in a valid module: SPIR-V, "Universal Limits", structure nesting depth. Arrays count too here.
constexpr int kMaxDepth = 512;

}  // namespace

std::optional<uint32_t> TypeLayouts::ExtentOf(Id type, MatrixLayout layout) {
  const std::optional<uint64_t> extent = Compute(type, layout, 0);
  if (!extent || *extent > 0xffffffff) return std::nullopt;
  return static_cast<uint32_t>(*extent);
}

std::optional<uint32_t> TypeLayouts::SizeOfScalar(Id type) const {
  const Instruction definition = module_.Find(type);
  switch (definition.op()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return definition.literal(0) / 8;
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeForwardPointer:
      if (definition.enumerant<spv::StorageClass>(0) != spv::StorageClass::PhysicalStorageBuffer) return std::nullopt;
      return 8;
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> TypeLayouts::Compute(Id type, MatrixLayout layout, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  const Instruction definition = module_.Find(type);
  switch (definition.op()) {
    case spv::Op::OpTypeVector: {
      const std::optional<uint32_t> component = SizeOfScalar(definition.id(0));
      if (!component) return std::nullopt;
      return uint64_t{*component} * definition.literal(1);
    }
    case spv::Op::OpTypeMatrix: {
      const Instruction column = module_.Find(definition.id(0));
      const std::optional<uint32_t> component = SizeOfScalar(column.id(0));
      if (!component || layout.stride == 0) return std::nullopt;
      const uint64_t columns = definition.literal(1);
      const uint64_t rows = column.literal(1);
      const uint64_t lines = layout.is_row_major ? rows : columns;
      const uint64_t per_line = layout.is_row_major ? columns : rows;
      if (lines == 0) return std::nullopt;
      return (lines - 1) * layout.stride + per_line * *component;
    }
    case spv::Op::OpTypeArray: {
      const std::optional<uint32_t> stride = ArrayStride(type);
      const std::optional<uint32_t> length = ArrayLength(type);
      const std::optional<uint64_t> element = Compute(definition.id(0), layout, depth + 1);
      if (!stride || !length || !element || *length == 0) return std::nullopt;
      return uint64_t{*length - 1} * *stride + *element;
    }
    case spv::Op::OpTypeStruct:
      return ComputeStructure(definition, depth);
    default:
      return SizeOfScalar(type);
  }
}

std::optional<uint64_t> TypeLayouts::ComputeStructure(Instruction definition, int depth) {
  Structure& structure = *FindStructure(definition.result_id());
  // One that is pending contains itself, which has no size.
  if (structure.state == Structure::State::kKnown) return structure.extent;
  if (structure.state != Structure::State::kUnknown) return std::nullopt;
  structure.state = Structure::State::kPending;
  uint64_t extent = 0;
  bool is_known = true;
  for (uint32_t i = 0; i < structure.members.size() && is_known; ++i) {
    const Member& member = structure.members[i];
    const std::optional<uint64_t> size = Compute(definition.id(i), member.matrix, depth + 1);
    is_known = member.offset && size;
    if (is_known) extent = std::max(extent, *member.offset + *size);
  }
  is_known = is_known && extent <= 0xffffffff;
  structure.state = is_known ? Structure::State::kKnown : Structure::State::kNone;
  structure.extent = static_cast<uint32_t>(extent);
  return is_known ? std::optional(extent) : std::nullopt;
}

TypeLayouts::Structure* TypeLayouts::FindStructure(Id type) const {
  if (const uint32_t index = indices_.Get(type); index != 0) return structures_[index - 1].get();
  const Instruction definition = module_.Find(type);
  if (definition.op() != spv::Op::OpTypeStruct) return nullptr;
  Structure& structure = *structures_.emplace_back(std::make_unique<Structure>());
  indices_[type] = static_cast<uint32_t>(structures_.size());
  structure.members.resize(definition.operand_count());
  module_.decorations().ForEach(type, [&](const Decoration& decoration) {
    if (!decoration.member || *decoration.member >= structure.members.size()) return;
    Member& member = structure.members[*decoration.member];
    if (decoration.decoration == spv::Decoration::Offset) member.offset = decoration.parameter(0);
    if (decoration.decoration == spv::Decoration::MatrixStride) member.matrix.stride = decoration.parameter(0);
    if (decoration.decoration == spv::Decoration::RowMajor) member.matrix.is_row_major = true;
  });
  return &structure;
}

const TypeLayouts::Member* TypeLayouts::FindMember(Id structure, uint32_t member) const {
  const Structure* found = FindStructure(structure);
  return found != nullptr && member < found->members.size() ? &found->members[member] : nullptr;
}

std::optional<uint32_t> TypeLayouts::OffsetOfMember(Id structure, uint32_t member) const {
  const Member* found = FindMember(structure, member);
  return found == nullptr ? std::nullopt : found->offset;
}

MatrixLayout TypeLayouts::LayoutOfMember(Id structure, uint32_t member) const {
  const Member* found = FindMember(structure, member);
  return found == nullptr ? MatrixLayout() : found->matrix;
}

std::optional<uint32_t> TypeLayouts::ArrayStride(Id array) const {
  const std::optional<Decoration> stride = module_.decorations().Find(array, spv::Decoration::ArrayStride);
  if (!stride) return std::nullopt;
  return stride->parameter(0);
}

std::optional<uint32_t> TypeLayouts::ArrayLength(Id array) const {
  const Instruction definition = module_.Find(array);
  if (definition.op() != spv::Op::OpTypeArray) return std::nullopt;
  const std::optional<int64_t> length = ConstantValue(definition.id(1));
  if (!length || *length <= 0 || *length > 0xffffffff) return std::nullopt;
  return static_cast<uint32_t>(*length);
}

std::optional<int64_t> TypeLayouts::ConstantValue(Id constant) const {
  const Instruction definition = module_.Find(constant);
  const Instruction type = module_.TypeOf(constant);
  if (type.op() != spv::Op::OpTypeInt) return std::nullopt;
  if (definition.op() == spv::Op::OpConstantNull) return 0;
  if (definition.op() != spv::Op::OpConstant) return std::nullopt;
  const uint32_t width = type.literal(0);
  const bool is_signed = type.literal(1) != 0;
  if (width == 64) return static_cast<int64_t>(definition.literal64(0));
  // Narrow literals are extended to a word, by their sign if they are signed: SPIR-V, "Literal".
  if (is_signed) return static_cast<int32_t>(definition.literal(0));
  return definition.literal(0);
}

std::optional<int64_t> TypeLayouts::ConstantIndex(Id constant) const {
  const std::optional<int64_t> value = ConstantValue(constant);
  if (!value) return std::nullopt;
  const uint32_t width = module_.TypeOf(constant).literal(0);
  if (width == 0 || width >= 64) return value;
  const uint32_t unused = 64 - width;
  return static_cast<int64_t>(static_cast<uint64_t>(*value) << unused) >> unused;
}

}  // namespace assay::spirv_instrument
