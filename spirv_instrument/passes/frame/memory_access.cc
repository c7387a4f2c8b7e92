// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/memory_access.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace assay::spirv_instrument {
namespace {

// Atomic ones come last.
constexpr spv::Op kOpcodes[] = {
    spv::Op::OpLoad,
    spv::Op::OpStore,
    spv::Op::OpCopyMemory,
    spv::Op::OpAtomicLoad,
    spv::Op::OpAtomicStore,
    spv::Op::OpAtomicExchange,
    spv::Op::OpAtomicCompareExchange,
    spv::Op::OpAtomicIIncrement,
    spv::Op::OpAtomicIDecrement,
    spv::Op::OpAtomicIAdd,
    spv::Op::OpAtomicISub,
    spv::Op::OpAtomicSMin,
    spv::Op::OpAtomicUMin,
    spv::Op::OpAtomicSMax,
    spv::Op::OpAtomicUMax,
    spv::Op::OpAtomicAnd,
    spv::Op::OpAtomicOr,
    spv::Op::OpAtomicXor,
    spv::Op::OpAtomicFAddEXT,
    spv::Op::OpAtomicFMinEXT,
    spv::Op::OpAtomicFMaxEXT,
};
constexpr size_t kFirstAtomic = 3;

constexpr uint32_t Bit(spv::MemoryAccessMask bit) { return static_cast<uint32_t>(bit); }

// The memory operands that begin at `operand`, which is where those of the next access begin afterwards. SPIR-V,
// "Memory Operands": parameters follow in the order of their bits.
uint32_t ReadAlignment(Instruction instruction, uint32_t& operand) {
  const uint32_t mask = instruction.literal(operand++);
  uint32_t alignment = 0;
  if ((mask & Bit(spv::MemoryAccessMask::Aligned)) != 0) alignment = instruction.literal(operand++);
  for (spv::MemoryAccessMask bit :
       {spv::MemoryAccessMask::MakePointerAvailable, spv::MemoryAccessMask::MakePointerVisible,
        spv::MemoryAccessMask::AliasScopeINTELMask, spv::MemoryAccessMask::NoAliasINTELMask}) {
    if ((mask & Bit(bit)) != 0) ++operand;
  }
  return alignment;
}

}  // namespace

absl::Span<const spv::Op> MemoryAccessOpcodes() { return kOpcodes; }

absl::Span<const spv::Op> AtomicOpcodes() { return absl::MakeConstSpan(kOpcodes).subspan(kFirstAtomic); }

bool IsAtomic(spv::Op op) {
  return std::find(std::begin(kOpcodes) + kFirstAtomic, std::end(kOpcodes), op) != std::end(kOpcodes);
}

absl::InlinedVector<MemoryAccess, 2> MemoryAccessesOf(Instruction instruction) {
  const Id first = instruction.id(0);
  switch (instruction.op()) {
    case spv::Op::OpLoad: {
      uint32_t operand = 1;
      return {{.pointer = first, .operand = 0, .alignment = ReadAlignment(instruction, operand)}};
    }
    case spv::Op::OpStore: {
      uint32_t operand = 2;
      return {{.pointer = first, .operand = 0, .alignment = ReadAlignment(instruction, operand)}};
    }
    case spv::Op::OpCopyMemory: {
      uint32_t operand = 2;
      const uint32_t of_target = ReadAlignment(instruction, operand);
      // One set of memory operands is for both.
      const uint32_t of_source =
          operand < instruction.operand_count() ? ReadAlignment(instruction, operand) : of_target;
      return {{.pointer = first, .operand = 0, .alignment = of_target},
              {.pointer = instruction.id(1), .operand = 1, .alignment = of_source}};
    }
    default:
      return {{.pointer = first}};
  }
}

}  // namespace assay::spirv_instrument
