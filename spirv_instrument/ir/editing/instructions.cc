// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/reading/debug_places.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/storage/arena.h"

// Changes of instructions.
namespace assay::spirv_instrument {
namespace {

constexpr size_t kMaxWords = 0xffff;

}  // namespace

Id Module::FreshIds(uint32_t count) {
  if (count > kMaxBound - std::min(bound_, kMaxBound)) {
    Fail(absl::StrCat("the module needs more ids than there can be (", kMaxBound, ")"));
    return kNoId;
  }
  const Id first{bound_};
  bound_ += count;
  return first;
}

Id Module::FreshId() { return FreshIds(1); }

bool Module::SetWords(uint32_t index, spv::Op op, Id type, Id result, absl::Span<const Word> operands) {
  const OpcodeInfo* info = FindOpcode(static_cast<uint32_t>(op));
  const bool has_type = info != nullptr && info->has_type;
  const bool has_result = info != nullptr && info->has_result;
  const size_t first_operand = 1 + (has_type ? 1 : 0) + (has_result ? 1 : 0);
  const size_t count = first_operand + operands.size();
  if (count > kMaxWords) {
    Fail(
        absl::StrCat(NameOf(op), " would have ", count, " words, more than an instruction can have (", kMaxWords, ")"));
    return false;
  }
  InstructionRecord& record = arena_->instructions[index];
  const size_t old_count = record.words == nullptr ? 0 : record.words[0] >> spv::WordCountShift;
  // Operands may be words of the module, so the old words stay as they are unless there are no operands of others.
  const auto* from = reinterpret_cast<const uint32_t*>(operands.data());
  const bool is_own = from >= record.words && from < record.words + old_count;
  uint32_t* words = count <= old_count && !is_own ? record.words : arena_->AllocateWords(count);
  std::transform(operands.begin(), operands.end(), words + first_operand, [](Word word) { return word.value(); });
  words[0] = static_cast<uint32_t>(count) << spv::WordCountShift | static_cast<uint32_t>(op);
  if (has_type) words[1] = ToNumber(type);
  if (has_result) words[has_type ? 2 : 1] = ToNumber(result);
  record.words = words;
  record.opcode = static_cast<uint16_t>(op);
  record.first_operand = static_cast<uint8_t>(first_operand);
  record.has_type = has_type;
  record.has_result = has_result;
  return true;
}

uint32_t Module::NewInstruction(spv::Op op, Id type, Id result, absl::Span<const Word> operands) {
  const auto index = static_cast<uint32_t>(arena_->instructions.size());
  arena_->instructions.emplace_back();
  if (SetWords(index, op, type, result, operands)) return index;
  arena_->instructions.pop_back();
  return 0;
}

void Module::Define(uint32_t index) {
  const Id result = Handle(index).result_id();
  if (result != kNoId) definitions_[result] = index;
}

void Module::Undefine(uint32_t index) {
  const Id result = Handle(index).result_id();
  // Another instruction may have the result by now.
  if (result != kNoId && definitions_.Get(result) == index) definitions_[result] = 0;
}

void Module::SetDebugPlace(uint32_t index, uint32_t line, uint32_t scope) {
  InstructionRecord& record = arena_->instructions[index];
  switch (DebugPlaceOf(*this, Handle(index))) {
    case DebugPlace::kNone:
      break;
    case DebugPlace::kLine:
      line = index;
      break;
    case DebugPlace::kNoLine:
      line = 0;
      break;
    case DebugPlace::kScope:
      scope = index;
      break;
    case DebugPlace::kNoScope:
      scope = 0;
      break;
  }
  record.line = line;
  record.scope = scope;
}

Instruction Module::Link(uint32_t index, uint32_t previous, uint32_t block) {
  arena_->LinkBehind(index, previous);
  InstructionRecord& record = arena_->instructions[index];
  record.block = block;
  record.is_removed = false;
  if (block != 0 && arena_->blocks[block].last == previous) arena_->blocks[block].last = index;
  Define(index);
  const Instruction instruction = Handle(index);
  if (block == 0) NoteInSection(instruction);
  NoteInIndices(instruction);
  return instruction;
}

void Module::Unlink(Instruction instruction) {
  TakeFromIndices(instruction);
  InstructionRecord& record = Record(instruction);
  if (record.block == 0) TakeFromSection(instruction);
  if (record.block != 0 && arena_->blocks[record.block].last == instruction.index()) {
    arena_->blocks[record.block].last = record.previous;
  }
  Undefine(instruction.index());
  arena_->Unlink(instruction.index());
}

Instruction Module::InsertBefore(Instruction position, spv::Op op, Id type, Id result,
                                 absl::Span<const Word> operands) {
  const uint32_t index = NewInstruction(op, type, result, operands);
  if (index == 0) return {};
  const InstructionRecord& at = Record(position);
  // A block begins with its label.
  const uint32_t block = position.op() == spv::Op::OpLabel ? 0 : at.block;
  // The place of an instruction that sets one itself is that of the instruction before.
  const bool is_setter = at.line == position.index() || at.scope == position.index();
  const InstructionRecord& place = is_setter ? arena_->instructions[at.previous] : at;
  SetDebugPlace(index, block == 0 ? 0 : place.line, block == 0 ? 0 : place.scope);
  return Link(index, at.previous, block);
}

Instruction Module::InsertAfter(Instruction position, spv::Op op, Id type, Id result, absl::Span<const Word> operands) {
  const uint32_t index = NewInstruction(op, type, result, operands);
  if (index == 0) return {};
  const InstructionRecord& at = Record(position);
  const uint32_t block = IsTerminator(position.op()) ? 0 : at.block;
  SetDebugPlace(index, block == 0 ? 0 : at.line, block == 0 ? 0 : at.scope);
  return Link(index, position.index(), block);
}

Instruction Module::AddToSection(spv::Op op, Id type, Id result, absl::Span<const Word> operands) {
  const uint32_t index = NewInstruction(op, type, result, operands);
  if (index == 0) return {};
  // Behind the last instruction of the section, or of the last one before that has any.
  uint32_t previous = 0;
  for (size_t section = static_cast<size_t>(SectionOf(op)) + 1; previous == 0 && section-- > 0;) {
    previous = sections_[section].last;
  }
  return Link(index, previous, 0);
}

void Module::Remove(Instruction instruction) {
  if (!instruction || instruction.is_removed()) return;
  Unlink(instruction);
  Record(instruction).is_removed = true;
}

void Module::RemoveWithAnnotations(Instruction instruction) {
  if (instruction.result_id() != kNoId) RemoveAnnotations(*this, instruction.result_id());
  Remove(instruction);
}

void Module::MoveBefore(Instruction instruction, Instruction position) {
  if (instruction == position) return;
  Unlink(instruction);
  const InstructionRecord& at = Record(position);
  SetDebugPlace(instruction.index(), at.line, at.scope);
  Link(instruction.index(), at.previous, position.op() == spv::Op::OpLabel ? 0 : at.block);
}

void Module::MoveToEnd(Instruction instruction, Block block) {
  Unlink(instruction);
  Link(instruction.index(), block.last().index(), block.index());
}

void Module::SetOperand(Instruction instruction, size_t operand, Word value) {
  SetWord(instruction, static_cast<uint32_t>(Record(instruction).first_operand + operand), value);
}

void Module::SetWord(Instruction instruction, uint32_t word, Word value) {
  if (word == 0 || word >= instruction.words().size()) return;
  TakeFromIndices(instruction);
  Record(instruction).words[word] = value.value();
  NoteInIndices(instruction);
}

void Module::AppendOperands(Instruction instruction, absl::Span<const Word> operands) {
  const absl::Span<const uint32_t> old = instruction.operands();
  std::vector<Word> all(old.begin(), old.end());
  all.insert(all.end(), operands.begin(), operands.end());
  Replace(instruction, instruction.op(), instruction.type_id(), instruction.result_id(), all);
}

void Module::Replace(Instruction instruction, spv::Op op, Id type, Id result, absl::Span<const Word> operands) {
  TakeFromIndices(instruction);
  Undefine(instruction.index());
  SetWords(instruction.index(), op, type, result, operands);
  Define(instruction.index());
  NoteInIndices(instruction);
}

Id Module::RenewResult(Instruction instruction) {
  const Id old = instruction.result_id();
  if (old == kNoId) return kNoId;
  TakeFromIndices(instruction);
  Undefine(instruction.index());
  InstructionRecord& record = Record(instruction);
  record.words[record.has_type ? 2 : 1] = ToNumber(FreshId());
  Define(instruction.index());
  NoteInIndices(instruction);
  return old;
}

}  // namespace assay::spirv_instrument
