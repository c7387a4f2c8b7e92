// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_REPLAY_UNORDERED_ACCESSES_H_
#define ASSAY_SYNCVAL_ENGINE_REPLAY_UNORDERED_ACCESSES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/vector_clock.h"

namespace assay::syncval {

// Where atomic accesses of several queues are in no order. That is correct. But a state remembers one last write, so a
// wait for a semaphore drops what the queue knew of the other accesses there, or what the semaphore tells of them. A
// queue that drops some notes it here, and tells the queues that wait for it. These take all for ordered there that
// happened before the signal: an error may pass, no correct program gets a report.
//
// Almost always empty.
class UnorderedAccesses {
 public:
  struct Entry {
    Range range;
    // Has all accesses that the note is about.
    VectorClock accesses;
  };
  // There are no more entries than this: then one takes the place of all.
  static constexpr size_t kMaxEntries = 64;

  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }
  void Clear() { entries_.clear(); }

  void Add(const Range& range, const VectorClock& accesses) {
    for (Entry& entry : entries_) {
      if (range.begin > entry.range.end || entry.range.begin > range.end) continue;
      Extend(entry, range, accesses);
      return;
    }
    if (entries_.size() == kMaxEntries) {
      for (size_t i = 1; i < entries_.size(); ++i) Extend(entries_[0], entries_[i].range, entries_[i].accesses);
      Extend(entries_[0], range, accesses);
      entries_.resize(1);
      return;
    }
    entries_.push_back({range, accesses});
  }
  // Forgets the notes of complete accesses, or those of a range whose resource is gone.
  void Forget(const VectorClock& complete) {
    std::erase_if(entries_, [&](const Entry& entry) { return complete.Contains(entry.accesses); });
  }
  void Forget(const Range& range) {
    std::erase_if(entries_,
                  [&](const Entry& entry) { return range.begin <= entry.range.begin && entry.range.end <= range.end; });
  }
  void MoveTagsDown(uint32_t by) {
    for (Entry& entry : entries_) entry.accesses.MoveDown(by);
  }

 private:
  static void Extend(Entry& entry, const Range& range, const VectorClock& accesses) {
    entry.range = {std::min(entry.range.begin, range.begin), std::max(entry.range.end, range.end)};
    entry.accesses.Extend(accesses);
  }

  std::vector<Entry> entries_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_REPLAY_UNORDERED_ACCESSES_H_
