// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/interpreter/arithmetic.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/model/interpreter/scalars.h"

namespace assay::spirv_instrument::model {
namespace {

// A cell of an operand; a scalar stands for all components.
uint64_t CellOf(const Operand& operand, size_t component) {
  const Cells& cells = *operand.cells;
  if (cells.empty()) return 0;
  return cells[std::min(component, cells.size() - 1)];
}

bool IsDivision(spv::Op op) {
  return op == spv::Op::OpUDiv || op == spv::Op::OpSDiv || op == spv::Op::OpUMod || op == spv::Op::OpSRem ||
         op == spv::Op::OpSMod;
}

bool IsShift(spv::Op op) {
  return op == spv::Op::OpShiftLeftLogical || op == spv::Op::OpShiftRightLogical ||
         op == spv::Op::OpShiftRightArithmetic;
}

// OpIAddCarry and others whose result is a structure of two: low and high, or sum and carry.
Cells ComputePair(const Declarations& declarations, spv::Op op, absl::Span<const Operand> operands) {
  const uint32_t width = declarations.ScalarOf(*operands[0].type).width;
  const size_t count = operands[0].cells->size();
  Cells result(2 * count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t a = CellOf(operands[0], i);
    const uint64_t b = CellOf(operands[1], i);
    if (op == spv::Op::OpIAddCarry) {
      result[i] = Truncate(a + b, width);
      result[count + i] = result[i] < a ? 1 : 0;
    } else if (op == spv::Op::OpISubBorrow) {
      result[i] = Truncate(a - b, width);
      result[count + i] = a < b ? 1 : 0;
    } else if (op == spv::Op::OpUMulExtended) {
      const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
      result[i] = Truncate(static_cast<uint64_t>(product), width);
      result[count + i] = Truncate(static_cast<uint64_t>(product >> width), width);
    } else {
      const __int128 product = static_cast<__int128>(SignExtend(a, width)) * SignExtend(b, width);
      result[i] = Truncate(static_cast<uint64_t>(product), width);
      result[count + i] = Truncate(static_cast<uint64_t>(product >> width), width);
    }
  }
  return result;
}

Cells ComputeDot(const Declarations& declarations, absl::Span<const Operand> operands) {
  const Type& scalar = declarations.ScalarOf(*operands[0].type);
  uint64_t sum = 0;
  for (size_t i = 0; i < operands[0].cells->size(); ++i) {
    const uint64_t product =
        *ComputeScalar(spv::Op::OpFMul, scalar, scalar, {CellOf(operands[0], i), CellOf(operands[1], i), 0, 0});
    sum = i == 0 ? product : *ComputeScalar(spv::Op::OpFAdd, scalar, scalar, {sum, product, 0, 0});
  }
  return {sum};
}

// Between types whose scalars may be of different widths; the first component is the lowest.
Cells ComputeBitcast(const Declarations& declarations, const Type& result, const Operand& operand) {
  const auto width_of = [&declarations](const Type& type) {
    const Type& scalar = declarations.ScalarOf(type);
    return scalar.IsAddress() ? 64u : scalar.width;
  };
  const uint32_t from = width_of(*operand.type);
  const uint32_t to = width_of(result);
  Cells cells(result.cells, 0);
  for (size_t bit = 0; bit < operand.cells->size() * from; bit += 8) {
    const uint64_t byte = (*operand.cells)[bit / from] >> (bit % from) & 0xff;
    if (bit / to < cells.size()) cells[bit / to] |= byte << (bit % to);
  }
  return cells;
}

}  // namespace

bool IsArithmetic(spv::Op op) {
  const auto is_between = [op](spv::Op first, spv::Op last) { return first <= op && op <= last; };
  return is_between(spv::Op::OpConvertFToU, spv::Op::OpSatConvertUToS) || op == spv::Op::OpBitcast ||
         op == spv::Op::OpConvertUToPtr || op == spv::Op::OpConvertPtrToU ||
         is_between(spv::Op::OpSNegate, spv::Op::OpSMulExtended) || is_between(spv::Op::OpAny, spv::Op::OpBitCount);
}

absl::StatusOr<Cells> Compute(const Declarations& declarations, spv::Op op, const Type& result,
                              absl::Span<const Operand> operands) {
  const size_t needed = op == spv::Op::OpSelect ? 3 : 1;
  if (operands.size() < needed) return absl::InvalidArgumentError("an instruction without operands");
  if (FindUndefined(declarations, op, operands)) return absl::FailedPreconditionError("an undefined operation");
  switch (op) {
    case spv::Op::OpIAddCarry:
    case spv::Op::OpISubBorrow:
    case spv::Op::OpUMulExtended:
    case spv::Op::OpSMulExtended:
      return ComputePair(declarations, op, operands);
    case spv::Op::OpDot:
      return ComputeDot(declarations, operands);
    case spv::Op::OpBitcast:
      return ComputeBitcast(declarations, result, operands[0]);
    case spv::Op::OpConvertUToPtr:
    case spv::Op::OpConvertPtrToU:
      return *operands[0].cells;
    case spv::Op::OpAny:
      return Cells{std::ranges::any_of(*operands[0].cells, [](uint64_t cell) { return cell != 0; }) ? 1u : 0u};
    case spv::Op::OpAll:
      return Cells{std::ranges::all_of(*operands[0].cells, [](uint64_t cell) { return cell != 0; }) ? 1u : 0u};
    case spv::Op::OpSelect: {
      // The objects may be composites that a scalar condition selects from.
      Cells cells(result.cells);
      for (size_t i = 0; i < cells.size(); ++i) cells[i] = CellOf(operands[CellOf(operands[0], i) != 0 ? 1 : 2], i);
      return cells;
    }
    default:
      break;
  }
  const Type& from = declarations.ScalarOf(*operands[0].type);
  const Type& to = declarations.ScalarOf(result);
  Cells cells(result.cells);
  for (size_t i = 0; i < cells.size(); ++i) {
    ScalarOperands values = {};
    for (size_t j = 0; j < operands.size() && j < values.size(); ++j) values[j] = CellOf(operands[j], i);
    const std::optional<uint64_t> computed = ComputeScalar(op, from, to, values);
    if (!computed) return absl::UnimplementedError(absl::StrCat("opcode ", static_cast<uint32_t>(op)));
    cells[i] = *computed;
  }
  return cells;
}

absl::StatusOr<Cells> ComputeExtended(const Declarations& declarations, uint32_t instruction, const Type& result,
                                      absl::Span<const Operand> operands) {
  const Type& scalar = declarations.ScalarOf(result);
  Cells cells(result.cells);
  for (size_t i = 0; i < cells.size(); ++i) {
    ScalarOperands values = {};
    for (size_t j = 0; j < operands.size() && j < values.size(); ++j) values[j] = CellOf(operands[j], i);
    const std::optional<uint64_t> computed = ComputeExtendedScalar(instruction, scalar, values);
    if (!computed) return absl::UnimplementedError(absl::StrCat("instruction ", instruction, " of GLSL.std.450"));
    cells[i] = *computed;
  }
  return cells;
}

std::optional<corpus::FaultKind> FindUndefined(const Declarations& declarations, spv::Op op,
                                               absl::Span<const Operand> operands) {
  if (operands.size() < 2 || (!IsDivision(op) && !IsShift(op))) return std::nullopt;
  const uint32_t width = declarations.ScalarOf(*operands[0].type).width;
  for (size_t i = 0; i < operands[0].cells->size(); ++i) {
    const uint64_t right = CellOf(operands[1], i);
    if (IsShift(op)) {
      if (right >= width) return corpus::FaultKind::kShift;
      continue;
    }
    const bool overflows = (op == spv::Op::OpSDiv || op == spv::Op::OpSRem || op == spv::Op::OpSMod) &&
                           right == Truncate(~uint64_t{0}, width) &&
                           CellOf(operands[0], i) == uint64_t{1} << (width - 1);
    if (right == 0 || overflows) return corpus::FaultKind::kDivision;
  }
  return std::nullopt;
}

}  // namespace assay::spirv_instrument::model
