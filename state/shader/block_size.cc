// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/block_size.h"

#include <algorithm>

namespace assay::state {
namespace {

using spv::Op;

// Types in an invalid module may contain themselves, or each other many times.
constexpr int kMaxSteps = 4096;
constexpr int kMaxDepth = 32;

class Measurer {
 public:
  explicit Measurer(const SpirvModule& module) : module_(module) {}

  // The size of a value. `member` has the layout of the matrices in it.
  std::optional<uint64_t> SizeOf(const SpirvInstruction& type, const SpirvMemberLayout& member, int depth = 0) {
    if (--steps_left_ < 0 || depth > kMaxDepth) return std::nullopt;
    switch (type.op()) {
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
        return type.Word(2) / 8;
      case Op::OpTypePointer:
        // A device address.
        return 8;
      case Op::OpTypeVector:
        return Scale(SizeOf(module_.Find(type.Word(2)), member, depth + 1), type.Word(3));
      case Op::OpTypeMatrix:
        return MatrixSize(type, member, depth);
      case Op::OpTypeArray: {
        const std::optional<uint32_t> length = module_.EvaluateConstant(type.Word(3));
        const std::optional<uint32_t> stride = module_.DecorationsOf(type.result_id()).array_stride;
        return Repeat(SizeOf(module_.Find(type.Word(2)), member, depth + 1), length, stride);
      }
      case Op::OpTypeStruct:
        return StructSize(type, depth);
      default:
        return std::nullopt;
    }
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

  std::optional<uint64_t> MatrixSize(const SpirvInstruction& type, const SpirvMemberLayout& member, int depth) {
    const SpirvInstruction column = module_.Find(type.Word(2));
    const std::optional<uint64_t> component = SizeOf(module_.Find(column.Word(2)), member, depth + 1);
    const uint32_t columns = type.Word(3);
    const uint32_t rows = column.Word(3);
    return member.is_row_major ? Repeat(Scale(component, columns), rows, member.matrix_stride)
                               : Repeat(Scale(component, rows), columns, member.matrix_stride);
  }

  std::optional<uint64_t> StructSize(const SpirvInstruction& type, int depth) {
    uint64_t end = 0;
    for (uint32_t i = 0; i + 2 < type.size(); ++i) {
      const SpirvMemberLayout member = module_.LayoutOfMember(type.result_id(), i);
      const std::optional<uint64_t> size = SizeOf(module_.Find(type.Word(i + 2)), member, depth + 1);
      if (!size || !member.offset) return std::nullopt;
      end = std::max(end, *member.offset + *size);
    }
    return end;
  }

  const SpirvModule& module_;
  int steps_left_ = kMaxSteps;
};

}  // namespace

std::optional<uint64_t> BlockSize(const SpirvModule& module, const SpirvInstruction& structure) {
  return Measurer(module).SizeOf(structure, {});
}

}  // namespace assay::state
