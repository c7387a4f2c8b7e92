// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/fuzz/mutations.h"
#include "spirv_instrument/fuzz/random.h"
#include "spirv_instrument/grammar/operand_kind.h"
#include "spirv_instrument/grammar/operands.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument::fuzz {
namespace {

constexpr int kTries = 8;
constexpr size_t kFarthest = 8;

// What a block begins with, or is not in a block.
bool IsAtBeginning(spv::Op op) {
  return op == spv::Op::OpLabel || op == spv::Op::OpPhi || op == spv::Op::OpVariable || op == spv::Op::OpFunction ||
         op == spv::Op::OpFunctionParameter || op == spv::Op::OpFunctionEnd || op == spv::Op::OpUntypedVariableKHR;
}

bool IsInBody(spv::Op op) { return !IsAtBeginning(op) && !IsMerge(op) && !IsTerminator(op); }

// A place in a block that may be divided there.
std::optional<size_t> PickPlaceInBlock(const InstructionList& list, Random& random) {
  const size_t first = list.first_function();
  for (int i = 0; i < kTries && first < list.instructions.size(); ++i) {
    const size_t place = first + random.Below(list.instructions.size() - first);
    if (!IsAtBeginning(OpOf(list.instructions[place])) && !IsMerge(OpOf(list.instructions[place - 1]))) return place;
  }
  return std::nullopt;
}

// A copy of some instruction of a function, as it may be at a place.
std::optional<Words> MakeTransplant(InstructionList& list, size_t to, Random& random) {
  const size_t first = list.first_function();
  for (int i = 0; i < kTries; ++i) {
    Words copy = list.instructions[first + random.Below(list.instructions.size() - first)];
    if (!IsInBody(OpOf(copy))) continue;
    for (const ParsedOperand& operand : list.OperandsOf(copy)) {
      if (!IsId(operand.kind)) continue;
      uint32_t& id = copy[operand.word];
      const InstructionList::Definition* definition = list.Find(id);
      if (operand.kind == OperandKind::kIdResult || definition == nullptr || definition->type == 0) continue;
      const bool is_global = definition->place < first || definition->op == spv::Op::OpFunction;
      if (is_global && !random.OneIn(4)) continue;
      const std::vector<uint32_t> ids = list.IdsOfType(definition->type, to);
      if (!ids.empty() && definition->op != spv::Op::OpFunction) id = random.Pick(absl::MakeConstSpan(ids));
    }
    SetResult(copy, list.FreshId());
    return copy;
  }
  return std::nullopt;
}

// A Boolean that is defined before the place; 0 without.
uint32_t PickCondition(const InstructionList& list, size_t place, Random& random) {
  for (const Words& instruction : list.instructions) {
    if (OpOf(instruction) != spv::Op::OpTypeBool) continue;
    const std::vector<uint32_t> ids = list.IdsOfType(ResultOf(instruction), place);
    return ids.empty() ? 0 : random.Pick(absl::MakeConstSpan(ids));
  }
  return 0;
}

// Puts instructions between the halves of a block. The second half begins with a label, which phis name from then on.
void DivideBlock(InstructionList& list, size_t place, uint32_t second_label, std::vector<Words> between) {
  size_t label = place;
  while (OpOf(list.instructions[label]) != spv::Op::OpLabel && label > 0) --label;
  const uint32_t first_label = ResultOf(list.instructions[label]);
  const InstructionList::FunctionRange function = list.FunctionAt(place);
  for (size_t i = function.begin; i < function.end; ++i) {
    Words& phi = list.instructions[i];
    if (OpOf(phi) != spv::Op::OpPhi) continue;
    for (size_t word = 4; word < phi.size(); word += 2) {
      if (phi[word] == first_label) phi[word] = second_label;
    }
  }
  between.push_back(MakeInstruction(spv::Op::OpLabel, {second_label}));
  list.instructions.insert(list.instructions.begin() + static_cast<std::ptrdiff_t>(place),
                           std::make_move_iterator(between.begin()), std::make_move_iterator(between.end()));
}

void AddTransplants(InstructionList& list, size_t place, std::vector<Words>& to, Random& random) {
  for (size_t count = 1 + random.Below(3); count > 0; --count) {
    if (std::optional<Words> copy = MakeTransplant(list, place, random)) to.push_back(*std::move(copy));
  }
}

}  // namespace

bool DeleteInstruction(InstructionList& list, Random& random) {
  const size_t place = random.Below(list.instructions.size());
  const uint32_t result = ResultOf(list.instructions[place]);
  if (result != 0) {
    const std::vector<uint32_t> ids = list.IdsLike(result, place);
    if (!ids.empty()) list.ReplaceUses(result, random.Pick(absl::MakeConstSpan(ids)));
  }
  list.instructions.erase(list.instructions.begin() + static_cast<std::ptrdiff_t>(place));
  return true;
}

bool DuplicateInstruction(InstructionList& list, Random& random) {
  const size_t place = random.Below(list.instructions.size());
  Words copy = list.instructions[place];
  const uint32_t before = ResultOf(copy);
  if (before != 0) {
    const uint32_t fresh = list.FreshId();
    SetResult(copy, fresh);
    // Some use the one, some the other.
    for (size_t user = place + 1; user < list.instructions.size(); ++user) {
      for (const ParsedOperand& operand : list.OperandsOf(list.instructions[user])) {
        uint32_t& word = list.instructions[user][operand.word];
        const bool is_use = IsId(operand.kind) && operand.kind != OperandKind::kIdResult;
        if (is_use && word == before && random.OneIn(2)) word = fresh;
      }
    }
  }
  list.instructions.insert(list.instructions.begin() + static_cast<std::ptrdiff_t>(place) + 1, std::move(copy));
  return true;
}

bool MoveInstruction(InstructionList& list, Random& random) {
  const size_t from = random.Below(list.instructions.size());
  const size_t lowest = from < kFarthest ? 0 : from - kFarthest;
  const size_t to = std::min(lowest + random.Below(2 * kFarthest), list.instructions.size() - 1);
  if (from == to) return false;
  Words moved = std::move(list.instructions[from]);
  list.instructions.erase(list.instructions.begin() + static_cast<std::ptrdiff_t>(from));
  list.instructions.insert(list.instructions.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
  return true;
}

bool TransplantInstruction(InstructionList& list, Random& random) {
  const std::optional<size_t> place = PickPlaceInBlock(list, random);
  if (!place) return false;
  std::optional<Words> copy = MakeTransplant(list, *place, random);
  if (!copy) return false;
  list.instructions.insert(list.instructions.begin() + static_cast<std::ptrdiff_t>(*place), *std::move(copy));
  return true;
}

// The first half ends with
//
//        OpSelectionMerge %second None
//        OpBranchConditional %condition %body %second
bool InsertSelection(InstructionList& list, Random& random) {
  const std::optional<size_t> place = PickPlaceInBlock(list, random);
  const uint32_t condition = place ? PickCondition(list, *place, random) : 0;
  if (condition == 0) return false;
  const uint32_t body = list.FreshId();
  const uint32_t second = list.FreshId();
  std::vector<Words> between = {
      MakeInstruction(spv::Op::OpSelectionMerge, {second, 0}),
      MakeInstruction(spv::Op::OpBranchConditional, {condition, body, second}),
      MakeInstruction(spv::Op::OpLabel, {body}),
  };
  AddTransplants(list, *place, between, random);
  between.push_back(MakeInstruction(spv::Op::OpBranch, {second}));
  DivideBlock(list, *place, second, std::move(between));
  return true;
}

// A header, a body, and a continue target that goes back or leaves.
bool InsertLoop(InstructionList& list, Random& random) {
  const std::optional<size_t> place = PickPlaceInBlock(list, random);
  const uint32_t condition = place ? PickCondition(list, *place, random) : 0;
  if (condition == 0) return false;
  const uint32_t header = list.FreshId();
  const uint32_t body = list.FreshId();
  const uint32_t next = list.FreshId();
  const uint32_t second = list.FreshId();
  std::vector<Words> between = {
      MakeInstruction(spv::Op::OpBranch, {header}),
      MakeInstruction(spv::Op::OpLabel, {header}),
      MakeInstruction(spv::Op::OpLoopMerge, {second, next, 0}),
      MakeInstruction(spv::Op::OpBranch, {body}),
      MakeInstruction(spv::Op::OpLabel, {body}),
  };
  AddTransplants(list, *place, between, random);
  between.push_back(MakeInstruction(spv::Op::OpBranch, {next}));
  between.push_back(MakeInstruction(spv::Op::OpLabel, {next}));
  between.push_back(MakeInstruction(spv::Op::OpBranchConditional, {condition, header, second}));
  DivideBlock(list, *place, second, std::move(between));
  return true;
}

}  // namespace assay::spirv_instrument::fuzz
