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
      ForEachPiece(apply);
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
  void ForEachPiece(Apply&& apply) {
    bounds_.clear();
    for (const RangeBarrier* range : sorted_) {
      bounds_.push_back(range->range.begin);
      bounds_.push_back(range->range.end);
    }
    std::ranges::sort(bounds_);
    here_.clear();
    size_t next = 0;
    for (size_t i = 1; i < bounds_.size(); ++i) {
      const Range piece{bounds_[i - 1], bounds_[i]};
      if (piece.begin == piece.end) continue;
      std::erase_if(here_, [&](const RangeBarrier* range) { return range->range.end <= piece.begin; });
      for (; next < sorted_.size() && sorted_[next]->range.begin == piece.begin; ++next) here_.push_back(sorted_[next]);
      if (here_.empty()) continue;
      covering_.assign(everywhere_.begin(), everywhere_.end());
      for (const RangeBarrier* range : here_) covering_.push_back(range->barrier);
      apply(piece, absl::MakeConstSpan(covering_));
    }
  }

  // What everywhere_ points to of range barriers.
  std::vector<Barrier> execution_;
  std::vector<const Barrier*> everywhere_;
  // Those that cover the range that apply is called with.
  std::vector<const Barrier*> covering_;
  // Of ForEachRange.
  std::vector<uint64_t> bounds_;
  // The range barriers without layout transition, by their beginnings.
  std::vector<const RangeBarrier*> sorted_;
  // Those that cover a piece.
  std::vector<const RangeBarrier*> here_;
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
  sorted_.clear();
  for (const RangeBarrier& range : ranges) {
    if (!range.layout_transition) sorted_.push_back(&range);
  }
  std::ranges::sort(sorted_, {}, [](const RangeBarrier* range) { return range->range.begin; });
  for (size_t i = 1; i < sorted_.size(); ++i) {
    if (sorted_[i]->range.begin < sorted_[i - 1]->range.end) return true;
  }
  return false;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_COMMAND_BARRIERS_H_
