// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to memory: SPIR-V, "Memory Instructions" and "Atomic Instructions".

#include <algorithm>
#include <utility>

#include "spirv_instrument/model/interpreter/arithmetic.h"
#include "spirv_instrument/model/interpreter/explicit_layout.h"
#include "spirv_instrument/model/interpreter/invocation.h"

namespace assay::spirv_instrument::model {
namespace {

constexpr uint32_t MaskOf(spv::MemoryAccessMask mask) { return static_cast<uint32_t>(mask); }

// The new value at a place where `old` is; `value` is the operand and `comparator` that of a comparison.
uint64_t AtomicResult(spv::Op op, uint32_t width, uint64_t old, uint64_t value, uint64_t comparator) {
  const int64_t signed_old = SignExtend(old, width);
  const int64_t signed_value = SignExtend(value, width);
  switch (op) {
    case spv::Op::OpAtomicStore:
    case spv::Op::OpAtomicExchange:
      return value;
    case spv::Op::OpAtomicCompareExchange:
      return old == comparator ? value : old;
    case spv::Op::OpAtomicIIncrement:
      return Truncate(old + 1, width);
    case spv::Op::OpAtomicIDecrement:
      return Truncate(old - 1, width);
    case spv::Op::OpAtomicIAdd:
      return Truncate(old + value, width);
    case spv::Op::OpAtomicISub:
      return Truncate(old - value, width);
    case spv::Op::OpAtomicSMin:
      return signed_value < signed_old ? value : old;
    case spv::Op::OpAtomicUMin:
      return std::min(value, old);
    case spv::Op::OpAtomicSMax:
      return signed_old < signed_value ? value : old;
    case spv::Op::OpAtomicUMax:
      return std::max(value, old);
    case spv::Op::OpAtomicAnd:
      return old & value;
    case spv::Op::OpAtomicOr:
      return old | value;
    case spv::Op::OpAtomicXor:
      return old ^ value;
    default:
      return old;
  }
}

bool IsAtomic(spv::Op op) { return spv::Op::OpAtomicLoad <= op && op <= spv::Op::OpAtomicXor; }

}  // namespace

bool Invocation::ExecuteMemory(Instruction instruction) {
  const spv::Op op = instruction.op();
  switch (op) {
    case spv::Op::OpVariable: {
      const Type& type = declarations_.TypeOf(instruction.result_id());
      const Cells* initial = declarations_.Constant(instruction.id(1));
      const Cells zero(declarations_.TypeWithId(type.element).cells, 0);
      function_variables_.push_back(initial != nullptr ? *initial : zero);
      const Pointer pointer = {.space = Pointer::Space::kVariable,
                               .variable = static_cast<uint32_t>(function_variables_.size() - 1)};
      SetResult(instruction, {{}, pointer});
      return true;
    }
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      AccessChain(instruction);
      return true;
    case spv::Op::OpLoad:
      Load(instruction);
      return true;
    case spv::Op::OpStore:
      Store(instruction);
      return true;
    case spv::Op::OpCopyMemory:
      Copy(instruction);
      return true;
    case spv::Op::OpArrayLength:
      ArrayLength(instruction);
      return true;
    default:
      if (!IsAtomic(op) || op == spv::Op::OpAtomicCompareExchangeWeak) return false;
      Atomic(instruction);
      return true;
  }
}

Invocation::MemoryOperands Invocation::ReadMemoryOperands(Instruction instruction, size_t operand) const {
  MemoryOperands result;
  if (operand >= instruction.operand_count()) return result;
  const uint32_t mask = instruction.literal(operand);
  result.words = 1;
  if ((mask & MaskOf(spv::MemoryAccessMask::Aligned)) != 0) {
    result.alignment = instruction.literal(operand + result.words);
    ++result.words;
  }
  for (const spv::MemoryAccessMask scope :
       {spv::MemoryAccessMask::MakePointerAvailable, spv::MemoryAccessMask::MakePointerVisible}) {
    if ((mask & MaskOf(scope)) != 0) ++result.words;
  }
  return result;
}

Access Invocation::Judge(Instruction instruction, const Pointer& pointer, Id type, uint32_t alignment, uint32_t part) {
  Access access = {.instruction = instruction.index(),
                   .part = part,
                   .set = pointer.set,
                   .binding = pointer.binding,
                   .index = pointer.index,
                   .begin = pointer.offset,
                   .alignment = alignment};
  const uint64_t extent = ExtentOf(declarations_, type, pointer.matrix);
  access.end = pointer.offset + extent;
  if (pointer.space == Pointer::Space::kAddress) {
    access.is_address = true;
    if (memory_.FindAddress(pointer.offset, extent) == nullptr) access.faults.Add(corpus::FaultKind::kAddressRange);
    // A column of a row-major matrix is gathered, component by component.
    const uint32_t gathered = pointer.matrix.component_stride != 0
                                  ? declarations_.ScalarOf(declarations_.TypeWithId(type)).width / 8
                                  : alignment;
    alignment = std::min(alignment, gathered);
    access.alignment = alignment;
    if (alignment != 0 && pointer.offset % alignment != 0) access.faults.Add(corpus::FaultKind::kAddressAlignment);
    return access;
  }
  uint64_t range = memory_.push_constants().bytes.size();
  if (pointer.binding != kPushConstants) {
    const Descriptor descriptor = memory_.Find(pointer.set, pointer.binding, pointer.index);
    if (descriptor.fault) {
      access.faults.Add(*descriptor.fault);
      return access;
    }
    range = descriptor.range;
  } else if (access.end > range) {
    // No check is for push constants.
    Undefined("access past the push constants");
    return access;
  }
  if (access.end > range) access.faults.Add(corpus::FaultKind::kBufferBounds);
  return access;
}

std::vector<uint8_t>* Invocation::BytesOf(const Pointer& pointer, uint64_t size, uint64_t& offset) {
  if (pointer.space == Pointer::Space::kAddress) {
    ModelBuffer* buffer = memory_.FindAddress(pointer.offset, size);
    if (buffer == nullptr) return nullptr;
    offset = pointer.offset - buffer->address;
    return &buffer->bytes;
  }
  offset = pointer.offset;
  if (pointer.binding == kPushConstants) return &memory_.push_constants().bytes;
  const Descriptor descriptor = memory_.Find(pointer.set, pointer.binding, pointer.index);
  offset += descriptor.offset;
  return descriptor.buffer == nullptr ? nullptr : &descriptor.buffer->bytes;
}

Cells Invocation::ReadCells(const Pointer& pointer, Id type) {
  const uint32_t count = declarations_.TypeWithId(type).cells;
  if (pointer.space == Pointer::Space::kVariable) {
    const Cells* cells = CellsOf(pointer);
    if (cells == nullptr || pointer.cell + count > cells->size()) return Cells(count, 0);
    return Cells(cells->begin() + pointer.cell, cells->begin() + pointer.cell + count);
  }
  Cells result;
  uint64_t begin = 0;
  const std::vector<uint8_t>* bytes = BytesOf(pointer, ExtentOf(declarations_, type, pointer.matrix), begin);
  if (bytes == nullptr) return Cells(count, 0);
  ForEachScalar(declarations_, type, pointer.matrix, begin,
                [&](uint64_t offset, uint32_t width) { result.push_back(ReadBits(*bytes, offset, width)); });
  return result;
}

void Invocation::WriteCells(const Pointer& pointer, Id type, const Cells& cells) {
  if (pointer.space == Pointer::Space::kVariable) {
    Cells* variable = CellsOf(pointer);
    if (variable == nullptr || pointer.cell + cells.size() > variable->size()) return;
    std::ranges::copy(cells, variable->begin() + pointer.cell);
    return;
  }
  uint64_t begin = 0;
  std::vector<uint8_t>* bytes = BytesOf(pointer, ExtentOf(declarations_, type, pointer.matrix), begin);
  if (bytes == nullptr) return;
  size_t next = 0;
  ForEachScalar(declarations_, type, pointer.matrix, begin, [&](uint64_t offset, uint32_t width) {
    if (next < cells.size()) WriteBits(*bytes, offset, width, cells[next]);
    ++next;
  });
}

void Invocation::Load(Instruction instruction) {
  const Pointer pointer = PointerOf(instruction.id(0));
  const Id type = instruction.type_id();
  if (pointer.space == Pointer::Space::kDescriptor) return SetResult(instruction, {{}, pointer});
  if (pointer.space == Pointer::Space::kNone || declarations_.TypeWithId(type).cells == 0) {
    return Unimplemented(instruction);
  }
  if (pointer.space != Pointer::Space::kVariable) {
    const uint32_t alignment = ReadMemoryOperands(instruction, 1).alignment;
    if (!log_.Note(frame().accesses, Judge(instruction, pointer, type, alignment))) {
      return SetCells(instruction, Cells(declarations_.TypeWithId(type).cells, 0));
    }
  }
  SetCells(instruction, ReadCells(pointer, type));
}

void Invocation::Store(Instruction instruction) {
  const Pointer pointer = PointerOf(instruction.id(0));
  const Value value = ValueOf(instruction.id(1));
  const Id type = declarations_.TypeOf(instruction.id(0)).element;
  if (pointer.space == Pointer::Space::kNone || value.cells.empty()) return Unimplemented(instruction);
  if (pointer.space != Pointer::Space::kVariable) {
    const uint32_t alignment = ReadMemoryOperands(instruction, 2).alignment;
    if (!log_.Note(frame().accesses, Judge(instruction, pointer, type, alignment))) return;
  }
  WriteCells(pointer, type, value.cells);
}

// Memory operands are those of the target, and of the source too unless there is a second list.
void Invocation::Copy(Instruction instruction) {
  const Pointer target = PointerOf(instruction.id(0));
  const Pointer source = PointerOf(instruction.id(1));
  const Id type = declarations_.TypeOf(instruction.id(0)).element;
  const MemoryOperands of_target = ReadMemoryOperands(instruction, 2);
  MemoryOperands of_source = ReadMemoryOperands(instruction, 2 + of_target.words);
  if (of_source.words == 0) of_source = of_target;
  bool is_executed = true;
  if (target.space != Pointer::Space::kVariable) {
    is_executed = log_.Note(frame().accesses, Judge(instruction, target, type, of_target.alignment)) && is_executed;
  }
  if (source.space != Pointer::Space::kVariable) {
    is_executed = log_.Note(frame().accesses, Judge(instruction, source, type, of_source.alignment, 1)) && is_executed;
  }
  if (is_executed) WriteCells(target, type, ReadCells(source, type));
}

void Invocation::Atomic(Instruction instruction) {
  const spv::Op op = instruction.op();
  // OpAtomicStore has the value where others have their first operand after two ids.
  const bool compares = op == spv::Op::OpAtomicCompareExchange;
  const uint64_t value = ScalarOf(instruction.id(compares ? 4 : 3));
  const uint64_t comparator = compares ? ScalarOf(instruction.id(5)) : 0;
  Pointer pointer = PointerOf(instruction.id(0));
  const Id type = declarations_.TypeOf(instruction.id(0)).element;
  const uint32_t width = declarations_.TypeWithId(type).width;
  const bool has_result = instruction.result_id() != kNoId;
  if (pointer.space == Pointer::Space::kTexel) {
    const TexelAddress address = {.coordinates = pointer.coordinates, .sample = pointer.sample};
    const bool is_executed = log_.Note(frame().accesses, JudgeTexel(instruction, pointer, address));
    if (!is_executed || memory_.Find(pointer.set, pointer.binding, pointer.index).fault) {
      return has_result ? SetCells(instruction, {0}) : void();
    }
    uint64_t offset = 0;
    TexelFormat format;
    std::vector<uint8_t>* bytes = TexelBytes(pointer, address, offset, format);
    if (bytes == nullptr) return Unimplemented(instruction);
    const uint64_t old = ReadBits(*bytes, offset, width);
    WriteBits(*bytes, offset, width, AtomicResult(op, width, old, value, comparator));
    return has_result ? SetCells(instruction, {old}) : void();
  }
  // By address, atomic instructions need the alignment of their type.
  if (pointer.space != Pointer::Space::kVariable &&
      !log_.Note(frame().accesses, Judge(instruction, pointer, type, width / 8))) {
    return has_result ? SetCells(instruction, {0}) : void();
  }
  const Cells old = ReadCells(pointer, type);
  if (old.size() != 1) return Unimplemented(instruction);
  WriteCells(pointer, type, {AtomicResult(op, width, old[0], value, comparator)});
  if (has_result) SetCells(instruction, old);
}

void Invocation::ArrayLength(Instruction instruction) {
  const Pointer pointer = PointerOf(instruction.id(0));
  const Type& block = declarations_.TypeWithId(declarations_.TypeOf(instruction.id(0)).element);
  const uint32_t member = instruction.literal(1);
  if (pointer.space != Pointer::Space::kBuffer || member >= block.members.size()) return Unimplemented(instruction);
  const Descriptor descriptor = memory_.Find(pointer.set, pointer.binding, pointer.index);
  Access access = {
      .instruction = instruction.index(), .set = pointer.set, .binding = pointer.binding, .index = pointer.index};
  if (descriptor.fault) access.faults.Add(*descriptor.fault);
  if (!log_.Note(frame().accesses, access)) return SetCells(instruction, {0});
  const uint32_t stride = declarations_.TypeWithId(block.members[member].type).stride;
  const uint64_t begin = std::min<uint64_t>(block.members[member].offset, descriptor.range);
  SetCells(instruction, {stride == 0 ? 0 : (descriptor.range - begin) / stride});
}

}  // namespace assay::spirv_instrument::model
