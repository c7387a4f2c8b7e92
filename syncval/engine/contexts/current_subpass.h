// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_CURRENT_SUBPASS_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_CURRENT_SUBPASS_H_

#include <algorithm>
#include <deque>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/regions.h"
#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/replay_plan.h"

namespace assay::syncval {

// The subpass that a context is in, if it is in one, and the limits that it sets to barriers. See "Subpasses" in
// engine.h.
template <Mutation kMutation>
class CurrentSubpass {
 public:
  // Barriers of one command, as the current scope limits them. Valid until the next call of Limit.
  struct LimitedBarriers {
    absl::Span<const Barrier* const> globals;
    absl::Span<const RangeBarrier> ranges;
  };

  // Where the context is: what begin() and so on return.
  struct Position {
    SubpassPhase phase;
    Tag begin{0};
    Tag automatic_transitions_begin;
  };

  void Reset() { position_ = Position(); }
  const Position& position() const { return position_; }
  void SetPosition(const Position& position) { position_ = position; }

  SubpassPhase phase() const { return position_.phase; }
  bool is_inside() const { return position_.phase.is_inside(); }
  // Accesses with smaller tags are of earlier subpasses, or of other scopes.
  Tag begin() const { return position_.begin; }
  // Where layouts were changed for the current subpass; after every tag if they were not.
  Tag automatic_transitions_begin() const { return position_.automatic_transitions_begin; }

  // Enters the subpass that a primary command buffer is in.
  void Inherit() { position_.phase.number |= 1; }
  // Between two subpasses there is a phase of its own, of which nothing is.
  void Change(SubpassChange change, Tag tag) {
    position_.phase.number += 1;
    position_.begin = tag;
    if (change != SubpassChange::kEnter) position_.automatic_transitions_begin = Tag();
  }
  void AddAutomaticTransitions(Tag tag) {
    position_.automatic_transitions_begin = std::min(position_.automatic_transitions_begin, tag);
  }

  // A barrier as a command of the current scope has it. Valid until the next call of Limit.
  const Barrier* Limit(const Barrier* barrier) {
    if (!is_inside()) return barrier;
    barriers_.clear();
    return LimitNext(barrier);
  }
  // The same for all barriers of one command, in a subpass.
  LimitedBarriers Limit(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges) {
    barriers_.clear();
    globals_.clear();
    ranges_.clear();
    for (const Barrier* barrier : globals) globals_.push_back(LimitNext(barrier));
    const Barrier* previous = nullptr;
    for (RangeBarrier range : ranges) {
      const bool is_same = range.barrier == previous;
      previous = range.barrier;
      range.barrier = is_same ? ranges_.back().barrier : LimitNext(range.barrier);
      ranges_.push_back(range);
    }
    return {globals_, ranges_};
  }

 private:
  const Barrier* LimitNext(const Barrier* barrier) {
    if (!is_inside()) return barrier;
    barriers_.push_back(barrier->Inside());
    if (kMutation == Mutation::kSubpassBarrierCoversAll) {
      barriers_.back().src.stages.outside = barrier->src.stages.outside;
      barriers_.back().id = 0;
    }
    return &barriers_.back();
  }

  Position position_;
  // What Limit returns points here.
  std::deque<Barrier> barriers_;
  std::vector<const Barrier*> globals_;
  std::vector<RangeBarrier> ranges_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_CURRENT_SUBPASS_H_
