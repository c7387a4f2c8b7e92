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
// One step of the log is one command's barriers, a *batch*. Command buffers repeat few distinct batches, and a batch
// that changes nothing in a state may be skipped. So a state that is far behind does not go through the log step by
// step: CatchUp finds the next step at which one of the distinct batches changes something, which happens only so often
// since states only grow.
class BarrierLog {
 public:
  uint32_t epoch() const { return static_cast<uint32_t>(steps_.size()); }

  void Clear();
  // Appends the barriers of one command. Does nothing when none of them can have an effect, or when they only repeat
  // the last step and nothing has been recorded since: a barrier by itself changes nothing when it is applied a second
  // time.
  void Append(absl::Span<const Barrier* const> barriers);
  // Appends a step that changes the subpass, with the barriers that come with it.
  void AppendChange(SubpassChange change, absl::Span<const Barrier* const> barriers);
  // The epoch after Append of these.
  uint32_t EpochAfter(absl::Span<const Barrier* const> barriers) const;
  // The barriers of one step; they stay where they are until Clear.
  absl::Span<const Barrier* const> BatchAt(uint32_t step) const { return batches_[steps_[step]].pointers; }
  SubpassChange ChangeAt(uint32_t step) const { return batches_[steps_[step]].change; }
  bool IsSameBatch(uint32_t a, uint32_t b) const { return steps_[a] == steps_[b]; }
  // To be called when an access is recorded at the current epoch.
  void MarkUsed() { is_used_ = true; }

  // Applies to state what it has not seen, up to an epoch that is not before the state's. reads are its reads.
  template <Fault kFault>
  void CatchUp(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const;

 private:
  // Further behind than this, a state skips to the steps that matter.
  static constexpr uint32_t kFewSteps = 8;
  static constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

  struct Batch {
    std::vector<Barrier> barriers;
    std::vector<const Barrier*> pointers;
    SubpassChange change = SubpassChange::kNone;
    uint64_t hash = 0;
    // The steps at which it was recorded, in order.
    std::vector<uint32_t> steps;

    // Whether it changes nothing when it is applied a second time: several side by side may form chains.
    bool IsIdempotent() const { return barriers.size() <= 1 && change == SubpassChange::kNone; }
  };

  bool Repeats(absl::Span<const Barrier* const> barriers) const;
  template <Fault kFault>
  void CatchUpFar(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const;
  // The first step from `from` to before `now` at which a batch changes state; kNever if none does.
  template <Fault kFault>
  uint32_t NextChange(const AccessState& state, absl::Span<const ReadRecord> reads, uint32_t from, uint32_t now) const;

  // Applies the steps from the state's epoch to before `now`, one after the other.
  template <Fault kFault>
  void ApplySteps(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const {
    for (uint32_t step = state.epoch; step < now; ++step) ApplyStep<kFault>(state, reads, step);
  }
  template <Fault kFault>
  void ApplyStep(AccessState& state, absl::Span<ReadRecord> reads, uint32_t step) const {
    ApplyBatch<kFault>(state, reads, batches_[steps_[step]]);
  }
  template <Fault kFault>
  static void ApplyBatch(AccessState& state, absl::Span<ReadRecord> reads, const Batch& batch) {
    ApplyBarriers<kFault>(state, reads, batch.pointers);
    if (batch.change != SubpassChange::kNone) ChangeSubpass<kFault>(state, reads, batch.change);
  }

  void AddStep(uint32_t batch);
  uint32_t Intern(SubpassChange change, absl::Span<const Barrier* const> barriers);
  uint32_t AddBatch(SubpassChange change, absl::Span<const Barrier* const> barriers, uint64_t hash);
  void GrowTable();

  // The batch of each step.
  GrowingArray<uint32_t> steps_;
  // From here on all steps are one idempotent batch, or there is but one.
  uint32_t run_begin_ = 0;
  // Whether anything was recorded since the last step.
  bool is_used_ = true;
  // Those from batch_count_ on are left from before Clear(), for their memory.
  std::vector<Batch> batches_;
  uint32_t batch_count_ = 0;
  // Open addressing, by hash; a power of two, at most half full. Holds a batch's number plus one.
  std::vector<uint32_t> table_;
};

template <Fault kFault>
inline void BarrierLog::CatchUp(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const {
  if (state.epoch >= now) [[likely]]
    return;
  if (state.epoch >= run_begin_) [[likely]] {
    // The same barrier again and again, as of a program that has one for everything.
    ApplyStep<kFault>(state, reads, state.epoch);
  } else if (now - state.epoch > kFewSteps) {
    if (kFault != Fault::kLogSkipsOldBarriers) CatchUpFar<kFault>(state, reads, now);
  } else {
    ApplySteps<kFault>(state, reads, now);
  }
  state.epoch = now;
}

template <Fault kFault>
void BarrierLog::CatchUpFar(AccessState& state, absl::Span<ReadRecord> reads, uint32_t now) const {
  // With as many distinct batches as steps, looking for the next one is no shorter than going there.
  if (batch_count_ >= now - state.epoch) {
    ApplySteps<kFault>(state, reads, now);
    return;
  }
  for (uint32_t step = NextChange<kFault>(state, reads, state.epoch, now); step != kNever;
       step = NextChange<kFault>(state, reads, step + 1, now)) {
    ApplyStep<kFault>(state, reads, step);
  }
}

template <Fault kFault>
uint32_t BarrierLog::NextChange(const AccessState& state, absl::Span<const ReadRecord> reads, uint32_t from,
                                uint32_t now) const {
  uint32_t next = kNever;
  for (uint32_t i = 0; i < batch_count_; ++i) {
    const Batch& batch = batches_[i];
    if (batch.steps.back() < from) continue;
    const auto would_change = [&](const Barrier* barrier) { return WouldChange<kFault>(state, reads, *barrier); };
    const bool changes = batch.change != SubpassChange::kNone || std::ranges::any_of(batch.pointers, would_change);
    if (changes) next = std::min(next, *std::ranges::lower_bound(batch.steps, from));
  }
  return next < now ? next : kNever;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_BARRIERS_BARRIER_LOG_H_
