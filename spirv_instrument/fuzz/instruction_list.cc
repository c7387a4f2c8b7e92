// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/instruction_list.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operand_kind.h"
#include "spirv_instrument/grammar/operands.h"

namespace assay::spirv_instrument::fuzz {
namespace {

const OpcodeInfo* InfoOf(const Words& instruction) { return FindOpcode(instruction[0] & spv::OpCodeMask); }

}  // namespace

spv::Op OpOf(const Words& instruction) { return static_cast<spv::Op>(instruction[0] & spv::OpCodeMask); }

void SetWordCount(Words& instruction) {
  instruction[0] =
      static_cast<uint32_t>(instruction.size() << spv::WordCountShift) | (instruction[0] & spv::OpCodeMask);
}

Words MakeInstruction(spv::Op op, absl::Span<const uint32_t> operands) {
  Words instruction = {static_cast<uint32_t>(op)};
  instruction.insert(instruction.end(), operands.begin(), operands.end());
  SetWordCount(instruction);
  return instruction;
}

uint32_t TypeOf(const Words& instruction) {
  const OpcodeInfo* info = InfoOf(instruction);
  return info != nullptr && info->has_type && instruction.size() > 1 ? instruction[1] : 0;
}

uint32_t ResultOf(const Words& instruction) {
  const OpcodeInfo* info = InfoOf(instruction);
  if (info == nullptr || !info->has_result) return 0;
  const size_t word = info->has_type ? 2 : 1;
  return word < instruction.size() ? instruction[word] : 0;
}

void SetResult(Words& instruction, uint32_t id) {
  if (ResultOf(instruction) != 0) instruction[TypeOf(instruction) != 0 ? 2 : 1] = id;
}

InstructionList::InstructionList(absl::Span<const uint32_t> words) {
  header.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kHeaderWords)));
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t size = words[at] >> spv::WordCountShift;
    if (size == 0 || size > words.size() - at) break;
    const absl::Span<const uint32_t> instruction = words.subspan(at, size);
    instructions.emplace_back(instruction.begin(), instruction.end());
    at += size;
  }
  first_function_ = instructions.size();
  for (size_t place = 0; place < instructions.size(); ++place) {
    const Words& instruction = instructions[place];
    const spv::Op op = OpOf(instruction);
    if (op == spv::Op::OpFunction) first_function_ = std::min(first_function_, place);
    const uint32_t result = ResultOf(instruction);
    if (result == 0) continue;
    if (definitions_.try_emplace(result, Definition{place, op, TypeOf(instruction)}).second) ids_.push_back(result);
  }
}

Words InstructionList::ToWords() const {
  Words words = header;
  for (const Words& instruction : instructions) words.insert(words.end(), instruction.begin(), instruction.end());
  return words;
}

const InstructionList::Definition* InstructionList::Find(uint32_t id) const {
  const auto found = definitions_.find(id);
  return found == definitions_.end() ? nullptr : &found->second;
}

std::vector<ParsedOperand> InstructionList::OperandsOf(const Words& instruction) const {
  std::vector<ParsedOperand> operands;
  static_cast<void>(
      ParseOperands(instruction, *this, [&](const ParsedOperand& operand) { operands.push_back(operand); }));
  return operands;
}

std::vector<uint32_t> InstructionList::IdsOfType(uint32_t type, size_t before) const {
  const FunctionRange function = FunctionAt(before);
  std::vector<uint32_t> result;
  for (uint32_t id : ids_) {
    const Definition& definition = *Find(id);
    if (definition.place >= before || definition.type != type || definition.op == spv::Op::OpFunction) continue;
    if (definition.place < first_function_ || definition.place >= function.begin) result.push_back(id);
  }
  return result;
}

std::vector<uint32_t> InstructionList::IdsLike(uint32_t id, size_t before) const {
  const Definition* of = Find(id);
  std::vector<uint32_t> result;
  if (of == nullptr) return result;
  const FunctionRange function = of->op == spv::Op::OpLabel ? FunctionAt(of->place) : FunctionRange();
  for (uint32_t other : ids_) {
    const Definition& definition = *Find(other);
    if (other == id || definition.place >= before || definition.type != of->type) continue;
    if ((of->type == 0 || of->op == spv::Op::OpFunction) && definition.op != of->op) continue;
    if (function.end != 0 && (definition.place < function.begin || definition.place >= function.end)) continue;
    result.push_back(other);
  }
  return result;
}

InstructionList::FunctionRange InstructionList::FunctionAt(size_t place) const {
  if (place < first_function_ || place >= instructions.size()) return {};
  size_t begin = place;
  while (begin > first_function_ && OpOf(instructions[begin]) != spv::Op::OpFunction) --begin;
  size_t end = place;
  while (end < instructions.size() && OpOf(instructions[end]) != spv::Op::OpFunctionEnd) ++end;
  return {begin, std::min(end + 1, instructions.size())};
}

void InstructionList::ReplaceUses(uint32_t id, uint32_t by) {
  for (Words& instruction : instructions) {
    if (std::find(instruction.begin() + 1, instruction.end(), id) == instruction.end()) continue;
    for (const ParsedOperand& operand : OperandsOf(instruction)) {
      const bool is_use = IsId(operand.kind) && operand.kind != OperandKind::kIdResult;
      if (is_use && instruction[operand.word] == id) instruction[operand.word] = by;
    }
  }
}

uint32_t InstructionList::LiteralWordsOfType(uint32_t type) const {
  const Definition* definition = Find(type);
  if (definition == nullptr || (definition->op != spv::Op::OpTypeInt && definition->op != spv::Op::OpTypeFloat)) {
    return 0;
  }
  const Words& instruction = instructions[definition->place];
  return instruction.size() > 2 && instruction[2] > 32 ? 2 : 1;
}

uint32_t InstructionList::LiteralWordsOfValue(uint32_t value) const {
  const Definition* definition = Find(value);
  return definition == nullptr ? 0 : LiteralWordsOfType(definition->type);
}

const ExtendedSetInfo* InstructionList::ExtendedSet(uint32_t id) const {
  const Definition* definition = Find(id);
  if (definition == nullptr || definition->op != spv::Op::OpExtInstImport) return nullptr;
  const Words& instruction = instructions[definition->place];
  std::string name(reinterpret_cast<const char*>(instruction.data() + 2), (instruction.size() - 2) * sizeof(uint32_t));
  return FindExtendedSet(std::string_view(name.c_str()));
}

}  // namespace assay::spirv_instrument::fuzz
