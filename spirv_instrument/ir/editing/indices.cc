// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <memory>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/id_table.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/storage/global_index.h"

// Sections, and the indices over a module that are kept up to date.
namespace assay::spirv_instrument {

void Module::NoteInSection(Instruction instruction) {
  const Section section = SectionOf(instruction.op());
  if (section == Section::kFunctions) return;
  SectionBounds& bounds = sections_[static_cast<size_t>(section)];
  const uint32_t index = instruction.index();
  const bool is_at_end = index == arena_->last;
  if (bounds.first == 0) {
    // Non-semantic instructions behind functions are in no section.
    if (!is_at_end || function_indices_.empty()) bounds = {index, index};
  } else if (bounds.last == instruction.previous().index() || (is_at_end && function_indices_.empty())) {
    bounds.last = index;
  } else if (bounds.first == instruction.next().index()) {
    bounds.first = index;
  }
}

void Module::TakeFromSection(Instruction instruction) {
  // A section may also begin or end with what is no part of it, such as OpLine.
  for (SectionBounds& bounds : sections_) {
    const uint32_t index = instruction.index();
    if (bounds.first == index && bounds.last == index) {
      bounds = {};
    } else if (bounds.first == index) {
      bounds.first = instruction.next().index();
    } else if (bounds.last == index) {
      bounds.last = instruction.previous().index();
    }
  }
}

const Decorations& Module::decorations() {
  if (decorations_ == nullptr) decorations_ = std::make_unique<Decorations>(*this);
  return *decorations_;
}

GlobalIndex& Module::global_index() {
  if (global_index_ == nullptr) global_index_ = std::make_unique<GlobalIndex>(*this, arena_.get(), decorations());
  return *global_index_;
}

uint32_t Module::SampledImageUses(Id sampled_image) {
  if (!sampled_image_uses_) {
    sampled_image_uses_.emplace(dense_id_count_);
    for (Instruction instruction : instructions()) {
      if (instruction.block()) CountSampledImage(instruction, 1);
    }
  }
  return sampled_image_uses_->Get(sampled_image);
}

void Module::CountSampledImage(Instruction instruction, uint32_t change) {
  for (size_t operand : kSampledImageOperands) {
    if (MayBeSampledImage(instruction.op(), operand)) (*sampled_image_uses_)[instruction.id(operand)] += change;
  }
}

void Module::NoteInIndices(Instruction instruction) {
  if (instruction.block()) {
    if (sampled_image_uses_) CountSampledImage(instruction, 1);
    return;
  }
  if (global_index_ != nullptr && GlobalIndex::Covers(instruction.op())) global_index_->Note(instruction);
  if (decorations_ == nullptr) return;
  const Section section = SectionOf(instruction.op());
  if (section == Section::kNames) decorations_->Note(instruction);
  if (section != Section::kAnnotations) return;
  RehashTargets(instruction, false);
  decorations_->Note(instruction);
  RehashTargets(instruction, true);
}

void Module::TakeFromIndices(Instruction instruction) {
  if (instruction.block()) {
    if (sampled_image_uses_) CountSampledImage(instruction, 0u - 1);
    return;
  }
  if (global_index_ != nullptr && GlobalIndex::Covers(instruction.op())) global_index_->Forget(instruction);
  if (decorations_ == nullptr) return;
  const Section section = SectionOf(instruction.op());
  if (section == Section::kNames) decorations_->Forget(instruction);
  if (section != Section::kAnnotations) return;
  RehashTargets(instruction, false);
  decorations_->Forget(instruction);
  RehashTargets(instruction, true);
}

void Module::RehashTargets(Instruction annotation, bool is_noted) {
  if (global_index_ == nullptr) return;
  const auto rehash = [&](Id id) {
    const Instruction target = Find(id);
    if (!GlobalIndex::Covers(target.op())) return;
    is_noted ? global_index_->Note(target) : global_index_->Forget(target);
  };
  rehash(annotation.id(0));
  if (annotation.op() != spv::Op::OpGroupDecorate && annotation.op() != spv::Op::OpGroupMemberDecorate) return;
  for (size_t operand = 1; operand < annotation.operand_count(); ++operand) rehash(annotation.id(operand));
}

}  // namespace assay::spirv_instrument
