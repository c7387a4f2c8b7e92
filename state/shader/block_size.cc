// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/block_size.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::state {
namespace {

using spirv_instrument::Decoration;
using spirv_instrument::Instruction;
using spv::Op;

// Types in an invalid module may contain themselves, or each other many times.
constexpr int kMaxSteps = 4096;
constexpr int kMaxDepth = 32;

// The explicit layout of a member of a structure type.
struct MemberLayout {
  std::optional<uint32_t> offset;
  std::optional<uint32_t> matrix_stride;
  bool is_row_major = false;
};

std::vector<MemberLayout> MembersOf(const ReflectedModule& module, Instruction structure) {
  std::vector<MemberLayout> members(structure.operand_count());
  module.decorations().ForEach(structure.result_id(), [&](const Decoration& decoration) {
    if (!decoration.member || *decoration.member >= members.size()) return;
    MemberLayout& member = members[*decoration.member];
    switch (decoration.decoration) {
      case spv::Decoration::Offset:
        member.offset = decoration.parameter(0);
        break;
      case spv::Decoration::MatrixStride:
        member.matrix_stride = decoration.parameter(0);
        break;
      case spv::Decoration::RowMajor:
        member.is_row_major = true;
        break;
      default:
        break;
    }
  });
  return members;
}

class Measurer {
 public:
  explicit Measurer(ReflectedModule& module) : module_(module) {}

  // The size of a value. `member` has the layout of the matrices in it.
  std::optional<uint64_t> SizeOf(Instruction type, const MemberLayout& member, int depth = 0) {
    if (--steps_left_ < 0 || depth > kMaxDepth) return std::nullopt;
    switch (type.op()) {
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
        return type.literal(0) / 8;
      case Op::OpTypePointer:
        // A device address.
        return 8;
      case Op::OpTypeVector:
        return Scale(SizeOf(module_.Find(type.id(0)), member, depth + 1), type.literal(1));
      case Op::OpTypeMatrix:
        return MatrixSize(type, member, depth);
      case Op::OpTypeArray: {
        const std::optional<uint32_t> length = module_.EvaluateConstant(type.id(1));
        const std::optional<uint32_t> stride = module_.DecorationOf(type.result_id(), spv::Decoration::ArrayStride);
        return Repeat(SizeOf(module_.Find(type.id(0)), member, depth + 1), length, stride);
      }
      case Op::OpTypeStruct:
        return StructSize(type, depth);
      default:
        return std::nullopt;
    }
  }

  // Where a member of a structure ends.
  std::optional<uint64_t> EndOf(Instruction type, const MemberLayout& member, int depth = 0) {
    const std::optional<uint64_t> size = SizeOf(type, member, depth + 1);
    if (!size || !member.offset) return std::nullopt;
    return *member.offset + *size;
  }

 private:
  static std::optional<uint64_t> Scale(std::optional<uint64_t> size, uint32_t count) {
    if (!size) return std::nullopt;
    return *size * count;
  }
  // The end of the last of several values with a stride.
  static std::optional<uint64_t> Repeat(std::optional<uint64_t> size, std::optional<uint32_t> count,
                                        std::optional<uint32_t> stride) {
    if (!size || !count || *count == 0 || !stride) return std::nullopt;
    return uint64_t{*stride} * (*count - 1) + *size;
  }

  std::optional<uint64_t> MatrixSize(Instruction type, const MemberLayout& member, int depth) {
    const Instruction column = module_.Find(type.id(0));
    const std::optional<uint64_t> component = SizeOf(module_.Find(column.id(0)), member, depth + 1);
    const uint32_t columns = type.literal(1);
    const uint32_t rows = column.literal(1);
    return member.is_row_major ? Repeat(Scale(component, columns), rows, member.matrix_stride)
                               : Repeat(Scale(component, rows), columns, member.matrix_stride);
  }

  std::optional<uint64_t> StructSize(Instruction type, int depth) {
    uint64_t end = 0;
    uint32_t index = 0;
    for (const MemberLayout& member : MembersOf(module_, type)) {
      const std::optional<uint64_t> member_end = EndOf(module_.Find(type.id(index++)), member, depth);
      if (!member_end) return std::nullopt;
      end = std::max(end, *member_end);
    }
    return end;
  }

  ReflectedModule& module_;
  int steps_left_ = kMaxSteps;
};

}  // namespace

std::optional<uint64_t> BlockSize(ReflectedModule& module, Instruction structure) {
  return Measurer(module).SizeOf(structure, {});
}

std::optional<uint64_t> MemberEnd(ReflectedModule& module, Instruction structure, uint32_t member) {
  const std::vector<MemberLayout> members = MembersOf(module, structure);
  if (member >= members.size()) return std::nullopt;
  return Measurer(module).EndOf(module.Find(structure.id(member)), members[member]);
}

}  // namespace assay::state
