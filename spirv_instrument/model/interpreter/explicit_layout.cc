// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/explicit_layout.h"

#include <algorithm>

namespace assay::spirv_instrument::model {
namespace {

uint32_t BytesOf(const Type& scalar) { return scalar.IsAddress() ? 8 : scalar.width / 8; }

}  // namespace

uint64_t EnterPart(const Declarations& declarations, uint64_t index, Place& place, uint64_t& first) {
  const Type& type = declarations.TypeWithId(place.type);
  first = 0;
  switch (type.kind) {
    case Type::Kind::kStruct: {
      if (index >= type.members.size()) return 0;
      const Type::Member& member = type.members[index];
      first = member.offset;
      place = {member.type, member.matrix};
      return 0;
    }
    case Type::Kind::kMatrix: {
      const uint32_t component = BytesOf(declarations.ScalarOf(type));
      const bool is_row_major = place.matrix.is_row_major;
      const uint64_t apart = is_row_major ? component : place.matrix.stride;
      place = {type.element, {.component_stride = is_row_major ? place.matrix.stride : 0}};
      return apart;
    }
    case Type::Kind::kVector: {
      const uint32_t stride = place.matrix.component_stride;
      place = {type.element, {}};
      return stride != 0 ? stride : BytesOf(declarations.TypeWithId(type.element));
    }
    default:
      place.type = type.element;
      return type.stride;
  }
}

void ForEachScalar(const Declarations& declarations, Id id, const MatrixContext& matrix, uint64_t offset,
                   absl::FunctionRef<void(uint64_t, uint32_t)> visit) {
  const Type& type = declarations.TypeWithId(id);
  if (type.IsScalar() || type.IsAddress()) return visit(offset, BytesOf(type) * 8);
  const uint64_t parts = type.kind == Type::Kind::kStruct ? type.members.size() : type.count;
  for (uint64_t i = 0; i < parts; ++i) {
    Place part = {id, matrix};
    uint64_t first = 0;
    const uint64_t apart = EnterPart(declarations, i, part, first);
    ForEachScalar(declarations, part.type, part.matrix, offset + first + i * apart, visit);
  }
}

uint64_t ExtentOf(const Declarations& declarations, Id type, const MatrixContext& matrix) {
  uint64_t end = 0;
  ForEachScalar(declarations, type, matrix, 0,
                [&end](uint64_t offset, uint32_t width) { end = std::max(end, offset + width / 8); });
  return end;
}

Id PartOf(const Type& type, uint64_t index) {
  if (type.kind != Type::Kind::kStruct) return type.element;
  return index < type.members.size() ? type.members[index].type : kNoId;
}

uint64_t CellsBefore(const Declarations& declarations, const Type& type, uint64_t index) {
  if (type.kind != Type::Kind::kStruct) return index * declarations.TypeWithId(type.element).cells;
  uint64_t cells = 0;
  for (uint64_t i = 0; i < index && i < type.members.size(); ++i) {
    cells += declarations.TypeWithId(type.members[i].type).cells;
  }
  return cells;
}

}  // namespace assay::spirv_instrument::model
