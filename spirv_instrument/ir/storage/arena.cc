// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/storage/arena.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/types/span.h"

namespace assay::spirv_instrument {
namespace {

constexpr size_t kChunkWords = 4096;

}  // namespace

Arena::Arena() : instructions(1), blocks(1), functions(1) {}

uint32_t* Arena::AllocateWords(size_t count) {
  if (count > free_.size()) {
    const size_t size = std::max(count, kChunkWords);
    chunks_.push_back(std::make_unique<uint32_t[]>(size));
    free_ = absl::MakeSpan(chunks_.back().get(), size);
  }
  uint32_t* words = free_.data();
  free_.remove_prefix(count);
  return words;
}

void Arena::LinkBehind(uint32_t index, uint32_t previous) {
  const uint32_t next = previous == 0 ? first : instructions[previous].next;
  instructions[index].previous = previous;
  instructions[index].next = next;
  (previous == 0 ? first : instructions[previous].next) = index;
  (next == 0 ? last : instructions[next].previous) = index;
}

void Arena::Unlink(uint32_t index) {
  // The instruction's own links stay, so that a walk over the list can go on from it.
  const InstructionRecord& record = instructions[index];
  (record.previous == 0 ? first : instructions[record.previous].next) = record.next;
  (record.next == 0 ? last : instructions[record.next].previous) = record.previous;
}

}  // namespace assay::spirv_instrument
