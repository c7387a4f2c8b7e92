// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_COMMAND_BARRIERS_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_COMMAND_BARRIERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/replay_plan.h"

namespace assay::syncval {

// The barriers of one command, sorted by what they cover. A context keeps one of these for its memory.
class CommandBarriers {
 public:
  // Collects the barriers of a command. Afterwards everywhere() has the global barriers, and the execution dependency
  // of each range barrier: those cover everything.
  void Collect(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges);
  absl::Span<const Barrier* const> everywhere() const { return everywhere_; }

  // Calls apply(Range, absl::Span<const Barrier* const>) once for each range with a barrier of its own, with all
  // barriers that cover it. Where ranges overlap they are cut at each other's ends, since barriers of one command must
  // all see the state as it was. Leaves layout transitions out. The ranges are those that Collect got.
  template <typename Apply>
  void ForEachRange(absl::Span<const RangeBarrier> ranges, Apply&& apply) {
    if (ranges.size() > 1 && Overlap(ranges)) {
      ForEachPiece(ranges, apply);
      return;
    }
    for (const RangeBarrier& range : ranges) {
      if (range.layout_transition) continue;
      covering_.assign(everywhere_.begin(), everywhere_.end());
      covering_.push_back(range.barrier);
      apply(range.range, absl::MakeConstSpan(covering_));
    }
  }

 private:
  bool Overlap(absl::Span<const RangeBarrier> ranges);

  template <typename Apply>
  void ForEachPiece(absl::Span<const RangeBarrier> ranges, Apply&& apply) {
    bounds_.clear();
    for (const Range& range : sorted_ranges_) {
      bounds_.push_back(range.begin);
      bounds_.push_back(range.end);
    }
    std::ranges::sort(bounds_);
    for (size_t i = 1; i < bounds_.size(); ++i) {
      const Range piece{bounds_[i - 1], bounds_[i]};
      if (piece.begin == piece.end) continue;
      covering_.assign(everywhere_.begin(), everywhere_.end());
      for (const RangeBarrier& range : ranges) {
        if (!range.layout_transition && range.range.Intersects(piece)) covering_.push_back(range.barrier);
      }
      if (covering_.size() != everywhere_.size()) apply(piece, absl::MakeConstSpan(covering_));
    }
  }

  // What everywhere_ points to of range barriers.
  std::vector<Barrier> execution_;
  std::vector<const Barrier*> everywhere_;
  // Those that cover the range that apply is called with.
  std::vector<const Barrier*> covering_;
  // Of ForEachRange.
  std::vector<uint64_t> bounds_;
  std::vector<Range> sorted_ranges_;
};

inline void CommandBarriers::Collect(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges) {
  execution_.clear();
  everywhere_.clear();
  const Barrier* previous = nullptr;
  for (const RangeBarrier& range : ranges) {
    // An image's barrier comes once for each part of the image.
    if (range.barrier == previous || !range.barrier->HasEffect()) continue;
    previous = range.barrier;
    const Barrier execution = previous->ExecutionOnly();
    if (std::ranges::find(execution_, execution) == execution_.end()) execution_.push_back(execution);
  }
  for (const Barrier* global : globals) {
    if (global->HasEffect()) everywhere_.push_back(global);
  }
  for (const Barrier& execution : execution_) everywhere_.push_back(&execution);
}

inline bool CommandBarriers::Overlap(absl::Span<const RangeBarrier> ranges) {
  sorted_ranges_.clear();
  for (const RangeBarrier& range : ranges) {
    if (!range.layout_transition) sorted_ranges_.push_back(range.range);
  }
  std::ranges::sort(sorted_ranges_, {}, &Range::begin);
  for (size_t i = 1; i < sorted_ranges_.size(); ++i) {
    if (sorted_ranges_[i].begin < sorted_ranges_[i - 1].end) return true;
  }
  return false;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_COMMAND_BARRIERS_H_
