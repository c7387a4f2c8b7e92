// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/action.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "spirv_instrument/runtime/layout.h"
#include "spirv_instrument/runtime/vertex_attributes.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kQuadWords = 4;

uint32_t& WordOf(absl::Span<uint32_t> action, uint32_t word) { return action[kActionIndexQuad * kQuadWords + word]; }

}  // namespace

void InitializeAction(absl::Span<uint32_t> action) {
  std::ranges::fill(action, 0u);
  WordOf(action, kRecordsPerCauseWord) = 1;
  SetVertexAttributes({}, std::nullopt, action);
}

void InitializeUncheckedAction(absl::Span<uint32_t> action) {
  InitializeAction(action);
  WordOf(action, kUncheckedWord) = 0xffffffff;
  // Attributes are good as far as that, too.
  SetLimits({}, action);
}

void SetLimits(absl::Span<const uint32_t> limits, absl::Span<uint32_t> action) {
  const absl::Span<uint32_t> words = action.subspan(size_t{kFirstLimitQuad} * kQuadWords, kMaxLimits);
  std::ranges::fill(words, 0xffffffffu);
  std::ranges::copy(limits.first(std::min<size_t>(limits.size(), kMaxLimits)), words.begin());
}

void SetFirstNote(uint32_t word, absl::Span<uint32_t> action) { WordOf(action, kFirstNoteWord) = word; }

void SetImageNotes(uint32_t word, uint32_t count, absl::Span<uint32_t> action) {
  action[kTableOffsetsQuad * kQuadWords + kFirstImageNoteWord] = word;
  action[kTableOffsetsQuad * kQuadWords + kImageNoteCountWord] = count;
}

}  // namespace assay::spirv_instrument
