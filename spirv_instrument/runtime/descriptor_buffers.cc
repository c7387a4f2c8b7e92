// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/descriptor_buffers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

constexpr size_t kQuadWords = 4;
constexpr size_t kSlotWords = size_t{kSlotQuads} * kQuadWords;
constexpr size_t kFirstSlotWord = size_t{kFirstSlotQuad} * kQuadWords;

// A valid descriptor of any type and size.
void EncodeUnchecked(absl::Span<uint32_t> quad) {
  std::ranges::fill(quad, 0xffffffffu);
  quad[kDescriptorStateWord] = kDescriptorIsWritten | kUnknownDescriptorType << kDescriptorTypeShift;
}

}  // namespace

std::vector<uint32_t> MakeBufferLayoutTable(absl::Span<const BufferedBinding> bindings) {
  std::vector<uint32_t> words((1 + bindings.size()) * kQuadWords);
  words[kBindingCountWord] = static_cast<uint32_t>(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    const BufferedBinding& binding = bindings[i];
    const absl::Span<uint32_t> quad = absl::MakeSpan(words).subspan((1 + i) * kQuadWords, kQuadWords);
    quad[kDescriptorCountWord] = binding.count;
    const bool has_words = binding.offset % 4 == 0 && binding.bytes % 4 == 0 && binding.offset <= 0xffffffff;
    if (!has_words || binding.bytes == 0) continue;
    quad[kBindingOffsetWord] = static_cast<uint32_t>(binding.offset);
    quad[kBindingBytesWord] = binding.bytes;
    quad[kBindingTypeWord] = static_cast<uint32_t>(binding.type) | (binding.is_variable ? kBindingIsVariable : 0);
  }
  return words;
}

std::array<uint32_t, 4> EncodeSetPlace(uint64_t address, uint64_t room, uint32_t layout_table) {
  std::array<uint32_t, 4> quad = {};
  quad[kPlaceAddressWord] = static_cast<uint32_t>(address);
  quad[kPlaceAddressWord + 1] = static_cast<uint32_t>(address >> 32);
  quad[kPlaceRoomWord] = static_cast<uint32_t>(std::min<uint64_t>(room, 0xffffffff));
  quad[kPlaceLayoutWord] = layout_table;
  return quad;
}

// As checks/descriptor_buffers.glsl has it.
DescriptorKey KeyOfDescriptor(DescriptorType type, absl::Span<const uint32_t> words) {
  uint32_t low = static_cast<uint32_t>(type) * kKeyFactor0;
  uint32_t high = static_cast<uint32_t>(type) + kKeyFactor0;
  for (const uint32_t word : words) {
    low = (low ^ word) * kKeyFactor1;
    low ^= low >> 15;
    high = (high + word) * kKeyFactor2;
    high ^= high >> 13;
  }
  low *= kKeyFactor0;
  return {.low = std::max(low ^ low >> 16, 1u), .high = high};
}

KnownDescriptorTable::KnownDescriptorTable(uint32_t slot_bits, bool accepts_unknown)
    : words_(kFirstSlotWord + (kSlotWords << slot_bits)) {
  words_[kSlotBitsWord] = slot_bits;
  if (accepts_unknown) AcceptUnknown();
}

void KnownDescriptorTable::AcceptUnknown() {
  EncodeUnchecked(absl::MakeSpan(words_).subspan(size_t{kUnknownDescriptorQuad} * kQuadWords, kQuadWords));
}

uint32_t KnownDescriptorTable::slot_bits() const { return words_[kSlotBitsWord]; }

std::optional<size_t> KnownDescriptorTable::Add(DescriptorKey key) {
  const size_t slots = size_t{1} << slot_bits();
  if (2 * (size_ + 1) > slots) return std::nullopt;
  size_t slot = key.low & (slots - 1);
  while (words_[kFirstSlotWord + slot * kSlotWords] != 0) slot = (slot + 1) & (slots - 1);
  const size_t offset = kFirstSlotWord + slot * kSlotWords;
  words_[offset] = key.low;
  words_[offset + 1] = key.high;
  ++size_;
  return offset;
}

void KnownDescriptorTable::Set(size_t slot, const DescriptorState& state) {
  EncodeDescriptor(state, absl::MakeSpan(words_).subspan(slot + kQuadWords, kQuadWords));
}

void KnownDescriptorTable::SetUnchecked(size_t slot) {
  EncodeUnchecked(absl::MakeSpan(words_).subspan(slot + kQuadWords, kQuadWords));
}

absl::Span<const uint32_t> FindKnownDescriptor(absl::Span<const uint32_t> table, DescriptorKey key) {
  const size_t mask = (size_t{1} << table[kSlotBitsWord]) - 1;
  for (size_t slot = key.low & mask;; slot = (slot + 1) & mask) {
    const absl::Span<const uint32_t> words = table.subspan(kFirstSlotWord + slot * kSlotWords, kSlotWords);
    if (words[0] == key.low && words[1] == key.high) return words.subspan(kQuadWords);
    if (words[0] == 0) return table.subspan(size_t{kUnknownDescriptorQuad} * kQuadWords, kQuadWords);
  }
}

}  // namespace assay::spirv_instrument
