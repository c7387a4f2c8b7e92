// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_SAVED_STATES_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_SAVED_STATES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/ranges/growing_array.h"
#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// The states that a map had before changes that may be undone. Each is saved once, before it changes first, so that the
// cost grows with what changes and not with the map. Keeps its memory from one time to the next.
class SavedStates {
 public:
  struct Entry {
    Range range;
    AccessState state;
    // Where its reads are, if they do not fit in the state.
    uint32_t first_read = 0;
  };

  bool is_on() const { return is_on_; }
  // Changes from now on may be undone; earlier ones are final.
  void Begin() {
    Clear();
    is_on_ = true;
    ++version_;
  }
  void End() {
    Clear();
    is_on_ = false;
  }

  // Whether the state with this number was saved, or made, since Begin().
  bool IsNoted(uint32_t number) const { return number < versions_.size() && versions_[number] == version_; }
  // Notes it; returns whether it was not noted before.
  bool Note(uint32_t number) {
    if (number >= versions_.size()) [[unlikely]]
      versions_.resize(size_t{number} + 1);
    return std::exchange(versions_[number], version_) != version_;
  }
  // reads are those of the state.
  void Save(const Range& range, const AccessState& state, absl::Span<const ReadRecord> reads) {
    Entry& entry = entries_.Add();
    entry.range = range;
    entry.state = state;
    entry.first_read = static_cast<uint32_t>(reads_.size());
    if (state.spill != AccessState::kNoSpill) [[unlikely]]
      reads_.insert(reads_.end(), reads.begin(), reads.end());
  }

  absl::Span<const Entry> entries() const { return {entries_.data(), entries_.size()}; }
  absl::Span<const ReadRecord> ReadsOf(const Entry& entry) const {
    if (entry.state.spill == AccessState::kNoSpill) return {entry.state.inline_reads.data(), entry.state.read_count};
    return absl::MakeConstSpan(reads_).subspan(entry.first_read, entry.state.read_count);
  }

 private:
  void Clear() {
    entries_.clear();
    reads_.clear();
  }

  bool is_on_ = false;
  uint32_t version_ = 0;
  // By number of the state: the version at which it was noted last.
  std::vector<uint32_t> versions_;
  GrowingArray<Entry> entries_;
  std::vector<ReadRecord> reads_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_SAVED_STATES_H_
