// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/decorations.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::spirv_instrument {
namespace {

// What a decorating instruction says; nullopt for one that decorates nothing itself.
std::optional<Decoration> Read(Instruction instruction) {
  switch (instruction.op()) {
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
      return Decoration{instruction.enumerant<spv::Decoration>(1), std::nullopt, instruction.operands().subspan(2),
                        instruction};
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
      return Decoration{instruction.enumerant<spv::Decoration>(2), instruction.literal(1),
                        instruction.operands().subspan(3), instruction};
    default:
      return std::nullopt;
  }
}

bool IsGroupUse(spv::Op op) { return op == spv::Op::OpGroupDecorate || op == spv::Op::OpGroupMemberDecorate; }

// Calls `visit` for the targets that the use of a group names.
void ForEachTargetOfGroup(Instruction use, absl::FunctionRef<void(Id)> visit) {
  const size_t step = use.op() == spv::Op::OpGroupMemberDecorate ? 2 : 1;
  for (size_t operand = 1; operand < use.operand_count(); operand += step) visit(use.id(operand));
}

bool IsName(spv::Op op) { return op == spv::Op::OpName || op == spv::Op::OpMemberName; }

}  // namespace

Decorations::Decorations(const Module& module)
    : entries_(1), decorations_(module.dense_id_count()), names_(module.dense_id_count()) {
  for (Section section : {Section::kNames, Section::kAnnotations}) {
    for (Instruction instruction : module.section(section)) Note(instruction);
  }
}

void Decorations::Note(Instruction instruction) {
  if (IsGroupUse(instruction.op())) {
    ForEachTargetOfGroup(instruction, [&](Id target) {
      // A target may be named many times, with a member each; once is enough.
      const List& list = decorations_[target];
      if (list.last == 0 || entries_[list.last].instruction != instruction.index()) {
        Add(decorations_[target], instruction);
      }
    });
  } else if (IsName(instruction.op())) {
    Add(names_[instruction.id(0)], instruction);
  } else if (Read(instruction)) {
    Add(decorations_[instruction.id(0)], instruction);
  }
}

void Decorations::Forget(Instruction instruction) {
  if (IsGroupUse(instruction.op())) {
    ForEachTargetOfGroup(instruction, [&](Id target) { Drop(decorations_[target], instruction); });
  } else if (IsName(instruction.op())) {
    Drop(names_[instruction.id(0)], instruction);
  } else if (Read(instruction)) {
    Drop(decorations_[instruction.id(0)], instruction);
  }
}

void Decorations::Add(List& list, Instruction instruction) {
  const auto index = static_cast<uint32_t>(entries_.size());
  arena_ = instruction.arena();
  entries_.push_back({instruction.index()});
  (list.last == 0 ? list.first : entries_[list.last].next) = index;
  list.last = index;
}

void Decorations::Drop(List& list, Instruction instruction) {
  uint32_t before = 0;
  for (uint32_t entry = list.first; entry != 0; before = entry, entry = entries_[entry].next) {
    if (entries_[entry].instruction != instruction.index()) continue;
    (before == 0 ? list.first : entries_[before].next) = entries_[entry].next;
    if (list.last == entry) list.last = before;
    return;
  }
}

bool Decorations::Search(Id target, absl::FunctionRef<bool(const Decoration&)> visit) const {
  for (uint32_t entry = decorations_.Get(target).first; entry != 0; entry = entries_[entry].next) {
    const Instruction instruction = At(entry);
    if (const std::optional<Decoration> decoration = Read(instruction)) {
      if (visit(*decoration)) return true;
    } else if (SearchGroup(instruction, target, visit)) {
      return true;
    }
  }
  return false;
}

bool Decorations::SearchGroup(Instruction use, Id target, absl::FunctionRef<bool(const Decoration&)> visit) const {
  const bool has_members = use.op() == spv::Op::OpGroupMemberDecorate;
  for (uint32_t entry = decorations_.Get(use.id(0)).first; entry != 0; entry = entries_[entry].next) {
    // A group of groups is not valid.
    std::optional<Decoration> decoration = Read(At(entry));
    if (!decoration) continue;
    if (!has_members && visit(*decoration)) return true;
    for (size_t operand = 1; has_members && operand + 1 < use.operand_count(); operand += 2) {
      decoration->member = use.literal(operand + 1);
      if (use.id(operand) == target && visit(*decoration)) return true;
    }
  }
  return false;
}

std::optional<Decoration> Decorations::Find(Id target, spv::Decoration decoration) const {
  std::optional<Decoration> found;
  Search(target, [&](const Decoration& each) {
    if (each.decoration != decoration || each.member) return false;
    found = each;
    return true;
  });
  return found;
}

std::optional<Decoration> Decorations::FindMember(Id type, uint32_t member, spv::Decoration decoration) const {
  std::optional<Decoration> found;
  Search(type, [&](const Decoration& each) {
    if (each.decoration != decoration || each.member != member) return false;
    found = each;
    return true;
  });
  return found;
}

void Decorations::ForEach(Id target, absl::FunctionRef<void(const Decoration&)> visit) const {
  Search(target, [&](const Decoration& decoration) {
    visit(decoration);
    return false;
  });
}

bool Decorations::HasGroup(Id target) const {
  for (uint32_t entry = decorations_.Get(target).first; entry != 0; entry = entries_[entry].next) {
    if (IsGroupUse(At(entry).op())) return true;
  }
  return false;
}

void Decorations::ForEachInstruction(Id target, absl::FunctionRef<void(Instruction)> visit) const {
  for (const List list : {decorations_.Get(target), names_.Get(target)}) {
    for (uint32_t entry = list.first; entry != 0; entry = entries_[entry].next) visit(At(entry));
  }
}

std::string_view Decorations::NameOf(Id target) const {
  for (uint32_t entry = names_.Get(target).first; entry != 0; entry = entries_[entry].next) {
    const Instruction instruction = At(entry);
    if (instruction.op() == spv::Op::OpName) return instruction.string(1);
  }
  return {};
}

std::string_view Decorations::MemberName(Id type, uint32_t member) const {
  for (uint32_t entry = names_.Get(type).first; entry != 0; entry = entries_[entry].next) {
    const Instruction instruction = At(entry);
    if (instruction.op() == spv::Op::OpMemberName && instruction.literal(1) == member) return instruction.string(2);
  }
  return {};
}

}  // namespace assay::spirv_instrument
