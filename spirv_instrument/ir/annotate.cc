// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/annotate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

Instruction Add(Module& module, spv::Op op, std::vector<Word> operands, absl::Span<const Word> parameters) {
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  return module.AddToSection(op, kNoId, kNoId, operands);
}

// Decorations with ids or strings have opcodes of their own, with the same operands.
spv::Op OpcodeFor(const Decoration& decoration) {
  switch (decoration.instruction.op()) {
    case spv::Op::OpDecorateId:
      return spv::Op::OpDecorateId;
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorateString:
      return decoration.member ? spv::Op::OpMemberDecorateString : spv::Op::OpDecorateString;
    default:
      return decoration.member ? spv::Op::OpMemberDecorate : spv::Op::OpDecorate;
  }
}

std::vector<Decoration> AllOf(const Decorations& decorations, Id target) {
  std::vector<Decoration> all;
  decorations.ForEach(target, [&](const Decoration& decoration) { all.push_back(decoration); });
  return all;
}

void AddCopy(Module& module, Id target, const Decoration& decoration) {
  std::vector<Word> operands = {target};
  if (decoration.member) operands.push_back(*decoration.member);
  operands.push_back(decoration.decoration);
  operands.insert(operands.end(), decoration.parameters.begin(), decoration.parameters.end());
  module.AddToSection(OpcodeFor(decoration), kNoId, kNoId, operands);
}

// Takes the id out of the targets of a group.
void LeaveGroup(Module& module, Instruction use, Id target) {
  const size_t step = use.op() == spv::Op::OpGroupMemberDecorate ? 2 : 1;
  std::vector<Word> rest = {use.id(0)};
  for (size_t operand = 1; operand < use.operand_count(); operand += step) {
    if (use.id(operand) == target) continue;
    for (size_t word = operand; word < std::min(operand + step, use.operand_count()); ++word) {
      rest.push_back(use.literal(word));
    }
  }
  module.Replace(use, use.op(), kNoId, kNoId, rest);
}

bool IsGroupUse(spv::Op op) { return op == spv::Op::OpGroupDecorate || op == spv::Op::OpGroupMemberDecorate; }

// The decorating and naming instructions of the id, without those that others share.
std::vector<Instruction> InstructionsOf(const Decorations& decorations, Id target) {
  std::vector<Instruction> all;
  decorations.ForEachInstruction(target, [&](Instruction instruction) { all.push_back(instruction); });
  return all;
}

void LeaveGroups(Module& module, Id target) {
  for (Instruction instruction : InstructionsOf(module.decorations(), target)) {
    if (IsGroupUse(instruction.op())) LeaveGroup(module, instruction, target);
  }
}

}  // namespace

Instruction Decorate(Module& module, Id target, spv::Decoration decoration, absl::Span<const Word> parameters) {
  return Add(module, spv::Op::OpDecorate, {target, decoration}, parameters);
}

Instruction DecorateMember(Module& module, Id type, uint32_t member, spv::Decoration decoration,
                           absl::Span<const Word> parameters) {
  return Add(module, spv::Op::OpMemberDecorate, {type, member, decoration}, parameters);
}

void CopyDecorations(Module& module, Id from, Id to) {
  if (!module.decorations().HasAny(from)) return;
  const std::vector<Decoration> existing = AllOf(module.decorations(), to);
  for (const Decoration& decoration : AllOf(module.decorations(), from)) {
    const bool has_it = std::any_of(existing.begin(), existing.end(), [&](const Decoration& other) {
      return other.decoration == decoration.decoration && other.member == decoration.member;
    });
    if (!has_it) AddCopy(module, to, decoration);
  }
}

void RemoveDecoration(Module& module, Id target, spv::Decoration decoration) {
  if (!module.decorations().Has(target, decoration)) return;
  const std::vector<Decoration> all = AllOf(module.decorations(), target);
  LeaveGroups(module, target);
  for (const Decoration& each : all) {
    const bool is_of_group = each.instruction.id(0) != target;
    const bool is_removed = each.decoration == decoration && !each.member;
    if (is_removed && !is_of_group) module.Remove(each.instruction);
    if (!is_removed && is_of_group) AddCopy(module, target, each);
  }
}

void RemoveAnnotations(Module& module, Id target) {
  LeaveGroups(module, target);
  for (Instruction instruction : InstructionsOf(module.decorations(), target)) module.Remove(instruction);
}

void SetName(Module& module, Id target, std::string_view name) {
  for (Instruction instruction : InstructionsOf(module.decorations(), target)) {
    if (instruction.op() == spv::Op::OpName) module.Remove(instruction);
  }
  std::vector<Word> operands = {target};
  AppendString(operands, name);
  module.AddToSection(spv::Op::OpName, kNoId, kNoId, operands);
}

}  // namespace assay::spirv_instrument
