// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_BARRIERS_BARRIER_LOG_H_
#define ASSAY_SYNCVAL_ENGINE_BARRIERS_BARRIER_LOG_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/ranges/growing_array.h"

namespace assay::syncval {

// The barriers that cover everything, in the order in which they were recorded. A state carries the number of them that
// it has seen (its epoch) and is brought up to date when it is next touched.
//
// One step of the log is one command's barriers, a *barrier set*. Command buffers repeat few distinct barrier sets, and
// a barrier set that changes nothing in a state may be skipped. So a state that is far behind does not go through the
// log step by step: CatchUp finds the next step at which one of the distinct barrier sets changes something, which
// happens only a few times since states only grow.
class BarrierLog {
 public:
  uint32_t epoch() const { return static_cast<uint32_t>(steps_.size()); }

  void Clear();
  // Appends the barriers of one command. Does nothing when none of them can have an effect, or when they only repeat
  // the last step and nothing has been recorded since: a barrier by itself changes nothing when it is applied a second
  // time.
  void Append(absl::Span<const Barrier* const> barriers);
  // The same for one.
  void Append(const Barrier& barrier) {
    if (IsLast(barrier)) return;
    const Barrier* const pointer = &barrier;
    Append({&pointer, 1});
  }
  // Appends a step that changes the subpass, with the barriers that come with it. The ended stages of their first
  // scopes are those of dependencies that end here (SubpassGraph).
  void AppendChange(SubpassChange change, absl::Span<const Barrier* const> barriers);
  // Removes all steps from this epoch on. No state may have seen one of them.
  void ShrinkTo(uint32_t epoch);
  // The epoch after Append of these.
  uint32_t EpochAfter(absl::Span<const Barrier* const> barriers) const;
  uint32_t EpochAfter(const Barrier& barrier) const {
    if (IsLast(barrier)) return epoch();
    const Barrier* const pointer = &barrier;
    return EpochAfter({&pointer, 1});
  }
  // The barriers of one step; they stay where they are until Clear.
  absl::Span<const Barrier* const> BarriersAt(uint32_t step) const { return barrier_sets_[steps_[step]].pointers; }
  SubpassChange ChangeAt(uint32_t step) const { return barrier_sets_[steps_[step]].change; }
  bool IsSameBarrierSet(uint32_t a, uint32_t b) const { return steps_[a] == steps_[b]; }
  // To be called when an access is recorded at the current epoch.
  void MarkAccessRecorded() { has_new_accesses_ = true; }

  // Applies to state what it has not seen, up to an epoch that is not before the state's. reads are its reads.
  template <Mutation kMutation>
  void CatchUp(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const;

 private:
  // Further behind than this, a state skips to the steps that matter.
  static constexpr uint32_t kFewSteps = 8;
  static constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

  struct BarrierSet {
    std::vector<Barrier> barriers;
    std::vector<const Barrier*> pointers;
    SubpassChange change = SubpassChange::kNone;
    uint64_t hash = 0;
    // The steps at which it was recorded, in order.
    std::vector<uint32_t> steps;

    // Whether it changes nothing when it is applied a second time: several side by side may form chains.
    bool IsIdempotent() const { return barriers.size() <= 1 && change == SubpassChange::kNone; }
  };

  // Whether the last step was this barrier, seen by its number, and nothing was recorded since.
  bool IsLast(const Barrier& barrier) const { return !has_new_accesses_ && barrier.id != 0 && barrier.id == last_id_; }
  bool Repeats(absl::Span<const Barrier* const> barriers) const;
  template <Mutation kMutation>
  void CatchUpFar(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const;
  // The first step from `from` to before `now` at which a barrier set changes state; kNever if none does.
  template <Mutation kMutation>
  uint32_t NextChange(const AccessState& state, absl::Span<const ReadRecord> reads, uint32_t from, uint32_t now) const;

  // Applies the steps from the state's epoch to before `now`, one after the other.
  template <Mutation kMutation>
  void ApplySteps(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const {
    for (uint32_t step = state.epoch; step < now; ++step) ApplyStep<kMutation>(state, reads, step);
  }
  template <Mutation kMutation>
  void ApplyStep(AccessState& state, absl::Span<ReadRecord> reads, uint32_t step) const {
    ApplyBarrierSet<kMutation>(state, reads, barrier_sets_[steps_[step]]);
  }
  template <Mutation kMutation>
  static void ApplyBarrierSet(AccessState& state, absl::Span<ReadRecord> reads, const BarrierSet& barrier_set) {
    ApplyBarriers<kMutation>(state, reads, barrier_set.pointers);
    if (barrier_set.change == SubpassChange::kNone) return;
    VkPipelineStageFlags2 ended_dependencies = 0;
    for (const Barrier* barrier : barrier_set.pointers) ended_dependencies |= barrier->src.stages.ended;
    ChangeSubpass<kMutation>(state, reads, barrier_set.change, ended_dependencies);
  }

  void AddStep(uint32_t barrier_set);
  uint32_t Intern(SubpassChange change, absl::Span<const Barrier* const> barriers);
  uint32_t AddBarrierSet(SubpassChange change, absl::Span<const Barrier* const> barriers, uint64_t hash);
  void GrowTable();
  // Puts all barrier sets into the table, which has only zeros.
  void FillTable();

  // The barrier set of each step.
  GrowingArray<uint32_t> steps_;
  // From here on all steps are one idempotent barrier set, or there is but one.
  uint32_t run_begin_ = 0;
  // Whether anything was recorded since the last step.
  bool has_new_accesses_ = true;
  // The number of the barrier of the last step, if that has but one. Not of interest while has_new_accesses_.
  uint64_t last_id_ = 0;
  // Those from barrier_set_count_ on are left from before Clear(), for their memory.
  std::vector<BarrierSet> barrier_sets_;
  uint32_t barrier_set_count_ = 0;
  // Open addressing, by hash; a power of two, at most half full. Holds a barrier set's number plus one.
  std::vector<uint32_t> table_;
};

template <Mutation kMutation>
inline void BarrierLog::CatchUp(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const {
  if (state.epoch >= now) [[likely]]
    return;
  if (state.epoch >= run_begin_) [[likely]] {
    // The same barrier again and again, as of a program that has one for everything.
    const BarrierSet& barrier_set = barrier_sets_[steps_[state.epoch]];
    if (barrier_set.IsIdempotent() && !barrier_set.pointers.empty()) [[likely]] {
      ApplyBarrier<kMutation>(state, reads, *barrier_set.pointers.front());
    } else {
      ApplyBarrierSet<kMutation>(state, reads, barrier_set);
    }
  } else if (now - state.epoch > kFewSteps) {
    if (kMutation != Mutation::kLogSkipsOldBarriers) CatchUpFar<kMutation>(state, reads, now);
  } else {
    ApplySteps<kMutation>(state, reads, now);
  }
  state.epoch = now;
}

template <Mutation kMutation>
void BarrierLog::CatchUpFar(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const {
  // With as many distinct barrier sets as steps, looking for the next one is no shorter than going there.
  if (barrier_set_count_ >= now - state.epoch) {
    ApplySteps<kMutation>(state, reads, now);
    return;
  }
  for (uint32_t step = NextChange<kMutation>(state, reads, state.epoch, now); step != kNever;
       step = NextChange<kMutation>(state, reads, step + 1, now)) {
    ApplyStep<kMutation>(state, reads, step);
  }
}

template <Mutation kMutation>
uint32_t BarrierLog::NextChange(const AccessState& state, absl::Span<const ReadRecord> reads, uint32_t from,
                                uint32_t now) const {
  uint32_t next = kNever;
  for (uint32_t i = 0; i < barrier_set_count_; ++i) {
    const BarrierSet& barrier_set = barrier_sets_[i];
    if (barrier_set.steps.back() < from) continue;
    const auto would_change = [&](const Barrier* barrier) { return WouldChange<kMutation>(state, reads, *barrier); };
    const bool changes =
        barrier_set.change != SubpassChange::kNone || std::ranges::any_of(barrier_set.pointers, would_change);
    if (changes) next = std::min(next, *std::ranges::lower_bound(barrier_set.steps, from));
  }
  return next < now ? next : kNever;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_BARRIERS_BARRIER_LOG_H_
