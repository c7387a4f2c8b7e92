// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/storage/global_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::spirv_instrument {
namespace {

constexpr size_t kMinSlots = 64;

constexpr uint32_t kNoMember = 0xffffffff;

// Where this is in memory differs between processes. So no module can be made to have all of its constants in one place
// of the table. What is found does not depend on it.
const char kSeed = 0;

class Hash {
 public:
  void Add(uint32_t word) {
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15u;
    value_ ^= value_ >> 29;
  }
  uint32_t Finish() const { return static_cast<uint32_t>(value_ >> 32 ^ value_); }

 private:
  uint64_t value_ = reinterpret_cast<uintptr_t>(&kSeed);
};

// Types that may be declared only once, however they are decorated: SPIR-V, "Types and Variables".
bool IsUnique(spv::Op op) {
  switch (op) {
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
    case spv::Op::OpTypeNodePayloadArrayAMDX:
    case spv::Op::OpTypeStruct:
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeUntypedPointerKHR:
      return false;
    default:
      return IsType(op);
  }
}

absl::Span<const uint32_t> AsWords(absl::Span<const Word> operands) {
  return {reinterpret_cast<const uint32_t*>(operands.data()), operands.size()};
}

}  // namespace

GlobalIndex::GlobalIndex(const Module& module, const Arena* arena, const Decorations& decorations)
    : arena_(arena), decorations_(decorations), slots_(kMinSlots) {
  for (Instruction instruction : module.section(Section::kGlobals)) {
    if (Covers(instruction.op())) Note(instruction);
  }
}

bool GlobalIndex::Covers(spv::Op op) {
  return op == spv::Op::OpUndef || IsType(op) || (IsConstant(op) && !IsSpecializationConstant(op));
}

GlobalIndex::Content GlobalIndex::ContentOf(Instruction instruction) const {
  Content content = {instruction.op(), instruction.type_id(), instruction.operands(), {}};
  if (IsUnique(instruction.op()) || !decorations_.HasAny(instruction.result_id())) return content;
  decorations_.ForEach(instruction.result_id(), [&](const Decoration& decoration) {
    DecorationWords words = {decoration.member.value_or(kNoMember), static_cast<uint32_t>(decoration.decoration)};
    words.insert(words.end(), decoration.parameters.begin(), decoration.parameters.end());
    content.decorations.push_back(std::move(words));
  });
  std::sort(content.decorations.begin(), content.decorations.end());
  return content;
}

uint32_t GlobalIndex::HashOf(const Content& content) const {
  Hash hash;
  hash.Add(static_cast<uint32_t>(content.op));
  hash.Add(ToNumber(content.type));
  for (uint32_t operand : content.operands) hash.Add(operand);
  for (const DecorationWords& words : content.decorations) {
    for (uint32_t word : words) hash.Add(word);
  }
  return hash.Finish();
}

size_t GlobalIndex::FindSlot(const Content& content, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t free = slots_.size();
  for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot].instruction == 0) return free == slots_.size() ? slot : free;
    if (slots_[slot].instruction == kDeleted) {
      if (free == slots_.size()) free = slot;
      continue;
    }
    if (slots_[slot].hash != hash) continue;
    const Content other = ContentOf(Instruction(arena_, slots_[slot].instruction));
    if (other.op == content.op && other.type == content.type && other.operands == content.operands &&
        other.decorations == content.decorations) {
      return slot;
    }
  }
}

Instruction GlobalIndex::Find(spv::Op op, Id type, absl::Span<const Word> operands,
                              absl::Span<const DecorationOfType> decorations) const {
  Content content = {op, type, AsWords(operands), {}};
  for (const DecorationOfType& decoration : decorations) {
    DecorationWords words = {decoration.member.value_or(kNoMember), static_cast<uint32_t>(decoration.decoration)};
    words.insert(words.end(), decoration.parameters.begin(), decoration.parameters.end());
    content.decorations.push_back(std::move(words));
  }
  std::sort(content.decorations.begin(), content.decorations.end());
  const Slot& slot = slots_[FindSlot(content, HashOf(content))];
  return slot.instruction == kDeleted ? Instruction() : Instruction(arena_, slot.instruction);
}

bool GlobalIndex::IsLeftOut(Instruction instruction) const {
  return !IsUnique(instruction.op()) && decorations_.HasGroup(instruction.result_id());
}

void GlobalIndex::Note(Instruction instruction) {
  if (IsLeftOut(instruction)) return;
  if (used_ * 2 >= slots_.size()) Grow();
  const Content content = ContentOf(instruction);
  const uint32_t hash = HashOf(content);
  Slot& slot = slots_[FindSlot(content, hash)];
  if (slot.instruction != 0 && slot.instruction != kDeleted) return;
  if (slot.instruction == 0) ++used_;
  slot = {hash, instruction.index()};
}

void GlobalIndex::Forget(Instruction instruction) {
  if (IsLeftOut(instruction)) return;
  const Content content = ContentOf(instruction);
  Slot& slot = slots_[FindSlot(content, HashOf(content))];
  if (slot.instruction == instruction.index()) slot.instruction = kDeleted;
}

void GlobalIndex::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  used_ = 0;
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.instruction == 0 || slot.instruction == kDeleted) continue;
    size_t place = slot.hash & mask;
    while (slots_[place].instruction != 0) place = (place + 1) & mask;
    slots_[place] = slot;
    ++used_;
  }
}

}  // namespace assay::spirv_instrument
