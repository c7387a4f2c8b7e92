// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/fuzz/mutations.h"
#include "spirv_instrument/fuzz/random.h"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operand_kind.h"
#include "spirv_instrument/grammar/operands.h"

namespace assay::spirv_instrument::fuzz {
namespace {

constexpr int kTries = 8;

// What format strings and names consist of.
constexpr char kCharacters[] = "%dufxlv234. \nsX-+0";

constexpr uint32_t kNumbers[] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000};

// An instruction, half of the time one of a function.
size_t PickPlace(const InstructionList& list, Random& random) {
  const size_t first = random.OneIn(2) ? list.first_function() : 0;
  return (first + random.Below(list.instructions.size() - first)) % list.instructions.size();
}

// Picks operands until `change` returns true for one.
bool ChangeOperand(InstructionList& list, Random& random,
                   absl::FunctionRef<bool(size_t place, const ParsedOperand& operand)> change) {
  for (int i = 0; i < kTries; ++i) {
    const size_t place = PickPlace(list, random);
    const std::vector<ParsedOperand> operands = list.OperandsOf(list.instructions[place]);
    if (operands.empty()) continue;
    if (change(place, random.Pick(absl::MakeConstSpan(operands)))) return true;
  }
  return false;
}

uint32_t OtherNumber(uint32_t number, Random& random) {
  switch (random.Below(4)) {
    case 0:
      return number ^ 1u << random.Below(32);
    case 1:
      return number + static_cast<uint32_t>(random.Below(9)) - 4;
    default:
      return random.Pick(absl::MakeConstSpan(kNumbers));
  }
}

void ChangeCharacter(Words& instruction, const ParsedOperand& operand, Random& random) {
  char* text = reinterpret_cast<char*>(instruction.data() + operand.word);
  const size_t length = strnlen(text, operand.word_count * sizeof(uint32_t));
  if (length != 0) text[random.Below(length)] = kCharacters[random.Below(sizeof(kCharacters) - 1)];
}

// Opcodes with the same pattern of operands: lists of opcodes, and for each opcode the number of its list.
class Shapes {
 public:
  static const Shapes& Get() {
    static const Shapes* const shapes = new Shapes;
    return *shapes;
  }

  // Null for an unknown opcode.
  const std::vector<spv::Op>* Like(spv::Op op) const {
    const auto found = shapes_.find(op);
    return found == shapes_.end() ? nullptr : &lists_[found->second];
  }

 private:
  static constexpr uint32_t kEnd = 0x4000;

  Shapes() {
    std::map<std::string, size_t> known;
    for (uint32_t opcode = 0; opcode < kEnd; ++opcode) {
      const OpcodeInfo* info = FindOpcode(opcode);
      if (info == nullptr) continue;
      std::string pattern;
      for (const OperandPattern& operand : info->operands) {
        pattern += static_cast<char>(operand.kind);
        pattern += static_cast<char>(operand.quantifier);
      }
      const size_t list = known.try_emplace(pattern, lists_.size()).first->second;
      if (list == lists_.size()) lists_.emplace_back();
      lists_[list].push_back(static_cast<spv::Op>(opcode));
      shapes_[static_cast<spv::Op>(opcode)] = list;
    }
  }

  std::vector<std::vector<spv::Op>> lists_;
  std::map<spv::Op, size_t> shapes_;
};

// Another enumerant with as many parameters.
bool ChangeValue(uint32_t& word, OperandKind kind, Random& random) {
  const EnumerantInfo* now = FindEnumerant(kind, word);
  if (now == nullptr) return false;
  const EnumerantInfo& other = random.Pick(InfoOf(kind).enumerants);
  if (other.value == word || other.parameters.size() != now->parameters.size()) return false;
  word = other.value;
  return true;
}

bool ChangeMask(uint32_t& word, OperandKind kind, Random& random) {
  const EnumerantInfo& bit = random.Pick(InfoOf(kind).enumerants);
  if (bit.value == 0 || !bit.parameters.empty()) return false;
  word ^= bit.value;
  return true;
}

}  // namespace

bool ChangeId(InstructionList& list, Random& random) {
  return ChangeOperand(list, random, [&](size_t place, const ParsedOperand& operand) {
    if (!IsId(operand.kind) || operand.kind == OperandKind::kIdResult) return false;
    uint32_t& id = list.instructions[place][operand.word];
    const InstructionList::Definition* definition = list.Find(id);
    if (random.OneIn(16)) {
      id = static_cast<uint32_t>(1 + random.Below(list.header[kBoundWord]));
      return true;
    }
    // Labels, functions and targets of annotations are named before their definition.
    const bool is_forward = definition != nullptr && definition->place >= place;
    const std::vector<uint32_t> ids = list.IdsLike(id, is_forward ? list.instructions.size() : place);
    if (ids.empty()) return false;
    id = random.Pick(absl::MakeConstSpan(ids));
    return true;
  });
}

bool ChangeLiteral(InstructionList& list, Random& random) {
  return ChangeOperand(list, random, [&](size_t place, const ParsedOperand& operand) {
    if (InfoOf(operand.kind).category != OperandCategory::kLiteral) return false;
    Words& instruction = list.instructions[place];
    uint32_t& word = instruction[operand.word + random.Below(operand.word_count)];
    switch (operand.kind) {
      case OperandKind::kLiteralString:
        if (OpOf(instruction) != spv::Op::OpString && !random.OneIn(16)) return false;
        ChangeCharacter(instruction, operand, random);
        return true;
      case OperandKind::kLiteralExtInstInteger:
        word = static_cast<uint32_t>(1 + random.Below(84));
        return true;
      case OperandKind::kLiteralSpecConstantOpInteger: {
        const std::vector<spv::Op>* shape = Shapes::Get().Like(static_cast<spv::Op>(word));
        if (shape == nullptr) return false;
        word = static_cast<uint32_t>(random.Pick(absl::MakeConstSpan(*shape)));
        return true;
      }
      default:
        word = OtherNumber(word, random);
        return true;
    }
  });
}

bool ChangeEnumerant(InstructionList& list, Random& random) {
  return ChangeOperand(list, random, [&](size_t place, const ParsedOperand& operand) {
    uint32_t& word = list.instructions[place][operand.word];
    switch (InfoOf(operand.kind).category) {
      case OperandCategory::kValueEnum:
        return ChangeValue(word, operand.kind, random);
      case OperandCategory::kBitEnum:
        return ChangeMask(word, operand.kind, random);
      default:
        return false;
    }
  });
}

bool ChangeOpcode(InstructionList& list, Random& random) {
  for (int i = 0; i < kTries; ++i) {
    Words& instruction = list.instructions[PickPlace(list, random)];
    const std::vector<spv::Op>* shape = Shapes::Get().Like(OpOf(instruction));
    if (shape == nullptr || shape->size() < 2) continue;
    instruction[0] = static_cast<uint32_t>(random.Pick(absl::MakeConstSpan(*shape)));
    SetWordCount(instruction);
    return true;
  }
  return false;
}

bool SwapOperands(InstructionList& list, Random& random) {
  return ChangeOperand(list, random, [&](size_t place, const ParsedOperand& operand) {
    Words& instruction = list.instructions[place];
    const size_t other = operand.word + operand.word_count;
    if (operand.kind == OperandKind::kIdResult || operand.kind == OperandKind::kIdResultType) return false;
    if (operand.word_count != 1 || other >= instruction.size() || instruction[operand.word] == instruction[other]) {
      return false;
    }
    std::swap(instruction[operand.word], instruction[other]);
    return true;
  });
}

bool ChangeLength(InstructionList& list, Random& random) {
  Words& instruction = list.instructions[PickPlace(list, random)];
  if (random.OneIn(2) && instruction.size() > 1) {
    instruction.pop_back();
  } else {
    instruction.push_back(random.OneIn(2) ? 0 : instruction.back());
  }
  SetWordCount(instruction);
  return true;
}

bool ChangeHeader(InstructionList& list, Random& random) {
  constexpr size_t kVersionWord = 1;
  constexpr uint32_t kOldest = 0x00010000;
  constexpr uint32_t kStep = 0x100;
  constexpr uint32_t kVersions = 7;
  if (random.OneIn(4)) {
    list.header[kBoundWord] += random.OneIn(2) ? 1 : static_cast<uint32_t>(random.Below(0x400000));
  } else {
    list.header[kVersionWord] = kOldest + kStep * static_cast<uint32_t>(random.Below(kVersions));
  }
  return true;
}

}  // namespace assay::spirv_instrument::fuzz
