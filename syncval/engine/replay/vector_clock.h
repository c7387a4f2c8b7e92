// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_REPLAY_VECTOR_CLOCK_H_
#define ASSAY_SYNCVAL_ENGINE_REPLAY_VECTOR_CLOCK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// For each queue a tag: accesses of the queue with smaller tags happened before, or are complete.
class VectorClock {
 public:
  Tag Of(QueueIndex queue) const {
    const auto i = static_cast<size_t>(queue);
    return i < ends_.size() ? ends_[i] : Tag{0};
  }
  bool Has(QueueIndex queue, Tag tag) const { return tag < Of(queue); }
  void Extend(QueueIndex queue, Tag end) {
    const auto i = static_cast<size_t>(queue);
    if (i >= ends_.size()) ends_.resize(i + 1, Tag{0});
    ends_[i] = std::max(ends_[i], end);
  }
  void Extend(const VectorClock& other) {
    for (size_t i = 0; i < other.ends_.size(); ++i) Extend(static_cast<QueueIndex>(i), other.ends_[i]);
  }
  // Whether it has everything that another one has.
  bool Contains(const VectorClock& other) const {
    for (size_t i = 0; i < other.ends_.size(); ++i) {
      if (Of(static_cast<QueueIndex>(i)) < other.ends_[i]) return false;
    }
    return true;
  }
  friend bool operator==(const VectorClock&, const VectorClock&) = default;
  // Moves all tags down. Tags that would be below 0 become 0, and happened before all the same.
  void MoveDown(uint32_t by) {
    for (Tag& end : ends_) end.value = end.value > by ? end.value - by : std::min(end.value, uint32_t{1});
  }

 private:
  std::vector<Tag> ends_;
};

// A vector clock that is kept for later: what happened before some point on a queue.
struct QueuePoint {
  VectorClock known;
  // By how much all tags had been moved down by then.
  uint64_t moved_down = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_REPLAY_VECTOR_CLOCK_H_
