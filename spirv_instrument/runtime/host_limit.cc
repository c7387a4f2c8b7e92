// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/host_limit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::spirv_instrument {
namespace {

constexpr uint64_t kLargestSize = 0xfffffffe;
constexpr uint32_t kNullSize = 0xffffffff;

bool IsGood(const DescriptorState& state, uint32_t types) {
  if (!state.is_written || state.is_destroyed) return false;
  return types == 0 || ((types >> static_cast<uint32_t>(state.type)) & 1) != 0;
}

std::optional<LimitFacts> FactsOfBuffer(const HostLimit& limit, const DescriptorState& state) {
  if (!IsGood(state, 0)) return std::nullopt;
  if (state.is_null) return LimitFacts{.limit = kNullSize, .size = kNullSize, .bad_states = {}};
  const uint64_t size = std::min(state.size, kLargestSize);
  const uint64_t first_bad = size < limit.end ? 0 : (size - limit.end) / limit.stride + 1;
  return LimitFacts{.limit = static_cast<uint32_t>(first_bad), .size = static_cast<uint32_t>(size), .bad_states = {}};
}

uint32_t StateWordOf(const DescriptorState& state) {
  std::array<uint32_t, 4> quad = {};
  EncodeDescriptor(state, absl::MakeSpan(quad));
  return quad[kDescriptorStateWord];
}

uint32_t AddSaturated(uint32_t sum, uint64_t more) {
  return static_cast<uint32_t>(std::min<uint64_t>(sum + std::min<uint64_t>(more, 0xffffffff), 0xffffffff));
}

ErrorCode DescriptorFault(uint32_t state_word) {
  if ((state_word & kDescriptorIsDestroyed) != 0) return ErrorCode::kDescriptorDestroyed;
  const bool is_written = (state_word & kDescriptorIsWritten) != 0;
  return is_written ? ErrorCode::kDescriptorTypeMismatch : ErrorCode::kDescriptorNotWritten;
}

}  // namespace

std::optional<LimitFacts> FactsOf(const HostLimit& limit, uint32_t count, StateOfDescriptor state_of) {
  if (limit.kind == HostLimit::Kind::kBuffer) {
    return limit.index < count ? FactsOfBuffer(limit, state_of(limit.index)) : std::nullopt;
  }
  if (count > kMaxLimitedDescriptors) return std::nullopt;
  LimitFacts facts = {.limit = 0, .size = count, .bad_states = {}};
  for (uint32_t i = limit.index; i < count; ++i) {
    const DescriptorState state = state_of(i);
    if (!IsGood(state, limit.types)) {
      facts.bad_states.push_back(StateWordOf(state));
    } else if (facts.bad_states.empty()) {
      ++facts.limit;
    } else {
      return std::nullopt;
    }
  }
  return facts;
}

std::vector<Note> ReadNotes(absl::Span<const uint32_t> causes, uint32_t first_word, size_t checks, bool counts_all) {
  std::vector<Note> notes;
  for (size_t i = 0; i < checks; ++i) {
    const size_t at = first_word + i * kNoteWords;
    if (at + kNoteWords > causes.size()) break;
    const absl::Span<const uint32_t> words = causes.subspan(at, kNoteWords);
    if (words[kNoteCountWord] == 0 || (words[kNoteIsCompleteWord] == 0 && !counts_all)) continue;
    Note& note = notes.emplace_back();
    note = {.check = i, .count = words[kNoteCountWord], .value = words[kNoteValueWord]};
    std::copy_n(words.begin() + kNoteStageWordsWord, note.stage_words.size(), note.stage_words.begin());
  }
  return notes;
}

std::optional<NotedFault> FaultOf(const HostLimit& limit, const LimitFacts& facts, uint32_t value) {
  if (limit.kind == HostLimit::Kind::kBuffer) {
    if (facts.size == kNullSize) return std::nullopt;
    return NotedFault{.code = ErrorCode::kBufferOutOfBounds,
                      .data = {limit.set, limit.binding, limit.index,
                               AddSaturated(limit.end, uint64_t{value} * limit.stride), facts.size}};
  }
  const uint32_t index = AddSaturated(limit.index, value);
  NotedFault fault = {.code = ErrorCode::kDescriptorIndexOutOfBounds,
                      .data = {limit.set, limit.binding, index, facts.size, 0}};
  const size_t bad = size_t{value} - facts.limit;
  if (bad >= facts.bad_states.size()) return fault;
  fault.data[4] = facts.bad_states[bad];
  fault.code = DescriptorFault(facts.bad_states[bad]);
  return fault;
}

}  // namespace assay::spirv_instrument
