// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/accesses/access_state.h"

#include <algorithm>

namespace assay::syncval {

uint32_t StatePool::Add() {
  if (free_states_.empty()) {
    states_.emplace_back();
    return static_cast<uint32_t>(states_.size() - 1);
  }
  const uint32_t number = free_states_.back();
  free_states_.pop_back();
  states_[number] = AccessState();
  return number;
}

uint32_t StatePool::Add(const AccessState& copied, absl::Span<const ReadRecord> reads) {
  uint32_t number = static_cast<uint32_t>(states_.size());
  if (free_states_.empty()) {
    states_.push_back(copied);
  } else {
    number = free_states_.back();
    free_states_.pop_back();
    states_[number] = copied;
  }
  AccessState& state = states_[number];
  if (copied.spill != AccessState::kNoSpill) {
    state.spill = AccessState::kNoSpill;
    state.read_count = 0;
    for (const ReadRecord& read : reads) AddRead(state, read);
  }
  return number;
}

uint32_t StatePool::Copy(uint32_t number) {
  const uint32_t copy = Add();
  AccessState& state = states_[copy];
  state = states_[number];
  if (state.spill != AccessState::kNoSpill) {
    const uint32_t original = state.spill;
    state.spill = NewSpill();
    spills_[state.spill] = spills_[original];
  }
  return copy;
}

void StatePool::Remove(uint32_t number) {
  ClearReads(states_[number]);
  free_states_.push_back(number);
}

void StatePool::Clear() {
  states_.clear();
  free_states_.clear();
  free_spills_.clear();
  for (uint32_t i = 0; i < spills_.size(); ++i) {
    spills_[i].clear();
    free_spills_.push_back(i);
  }
}

void StatePool::AddToSpill(AccessState& state, const ReadRecord& read) {
  if (state.spill == AccessState::kNoSpill) {
    state.spill = NewSpill();
    spills_[state.spill].assign(state.inline_reads.begin(), state.inline_reads.end());
  }
  spills_[state.spill].push_back(read);
  ++state.read_count;
}

void StatePool::KeepFirstReads(AccessState& state, uint32_t count) {
  if (state.spill == AccessState::kNoSpill) {
    state.read_count = count;
  } else if (count == 0) {
    ClearReads(state);
  } else {
    spills_[state.spill].resize(count);
    state.read_count = count;
  }
}

bool StatePool::Same(uint32_t a, uint32_t b) {
  AccessState& x = states_[a];
  AccessState& y = states_[b];
  if (x.write_tag != y.write_tag || x.epoch != y.epoch || x.read_count != y.read_count ||
      x.write_index != y.write_index || x.source_index != y.source_index || x.is_write_inside != y.is_write_inside ||
      x.write_ordering != y.write_ordering || x.available_stages != y.available_stages ||
      x.read_stages != y.read_stages || x.after_read_stages != y.after_read_stages || x.visible_to != y.visible_to) {
    return false;
  }
  // The order of the records has no meaning. Equal states mostly have them in the same order, so comparing in order is
  // enough.
  return std::ranges::equal(Reads(x), Reads(y));
}

void StatePool::ReleaseSpill(AccessState& state) {
  spills_[state.spill].clear();
  free_spills_.push_back(state.spill);
  state.spill = AccessState::kNoSpill;
}

uint32_t StatePool::NewSpill() {
  if (free_spills_.empty()) {
    spills_.emplace_back();
    return static_cast<uint32_t>(spills_.size() - 1);
  }
  const uint32_t number = free_spills_.back();
  free_spills_.pop_back();
  return number;
}

}  // namespace assay::syncval
