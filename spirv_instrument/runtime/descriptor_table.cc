// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/descriptor_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kQuadWords = 4;
// 0xffffffff is the end of an access that is further away than a word can say, and the size of a null descriptor.
constexpr uint64_t kMostBytes = 0xfffffffe;

bool MayBeAccessed(const DescriptorState& state) { return state.is_written && !state.is_destroyed; }

uint32_t SizeOf(const DescriptorState& state) {
  if (!MayBeAccessed(state)) return 0;
  if (state.is_null) return 0xffffffff;
  if (state.note != 0) return state.note;
  return static_cast<uint32_t>(std::min(state.size, kMostBytes));
}

}  // namespace

void EncodeDescriptor(const DescriptorState& state, absl::Span<uint32_t> quad) {
  quad[kDescriptorStateWord] =
      (state.is_written ? kDescriptorIsWritten : 0) | (state.is_destroyed ? kDescriptorIsDestroyed : 0) |
      (state.is_null ? kDescriptorIsNull : 0) | static_cast<uint32_t>(state.type) << kDescriptorTypeShift;
  quad[kDescriptorSizeWord] = SizeOf(state);
  quad[kDescriptorExtentWord] = 0;
  quad[kDescriptorLevelsWord] = 0;
  if (!MayBeAccessed(state)) return;
  quad[kDescriptorExtentWord] = (state.width & 0xffff) | state.height << 16;
  quad[kDescriptorLevelsWord] =
      (state.depth_or_layers & 0xffff) | (state.levels & 0xff) << kLevelsShift | state.samples << kSamplesShift;
}

DescriptorTable::DescriptorTable(absl::Span<const uint32_t> descriptor_counts) {
  const auto binding_count = static_cast<uint32_t>(descriptor_counts.size());
  uint32_t quads = 1 + binding_count;
  words_.resize(size_t{quads} * kQuadWords);
  words_[kBindingCountWord] = binding_count;
  for (uint32_t i = 0; i < binding_count; ++i) {
    const size_t binding = (size_t{1} + i) * kQuadWords;
    words_[binding + kFirstDescriptorWord] = quads;
    words_[binding + kDescriptorCountWord] = descriptor_counts[i];
    quads += descriptor_counts[i];
  }
  words_.resize(size_t{quads} * kQuadWords);
}

void DescriptorTable::Set(uint32_t binding, uint32_t index, const DescriptorState& state) {
  const uint32_t quad = QuadOf(binding, index);
  if (quad != 0) EncodeDescriptor(state, absl::MakeSpan(words_).subspan(size_t{quad} * kQuadWords, kQuadWords));
}

size_t DescriptorTable::OffsetOf(uint32_t binding, uint32_t index) const {
  return size_t{QuadOf(binding, index)} * kQuadWords;
}

uint32_t DescriptorTable::QuadOf(uint32_t binding, uint32_t index) const {
  if (binding >= words_[kBindingCountWord]) return 0;
  const size_t quad = (size_t{1} + binding) * kQuadWords;
  if (index >= words_[quad + kDescriptorCountWord]) return 0;
  return words_[quad + kFirstDescriptorWord] + index;
}

}  // namespace assay::spirv_instrument
