// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_BARRIERS_EMPTY_SCOPE_TRANSITIONS_H_
#define ASSAY_SYNCVAL_ENGINE_BARRIERS_EMPTY_SCOPE_TRANSITIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/barrier_log.h"
#include "syncval/engine/barriers/chains_by_stage.h"
#include "syncval/engine/events/event.h"
#include "syncval/engine/ranges/types.h"
#include "vk/vulkan.h"

// Layout transitions whose barrier has no second scope (*empty-scope transitions*). Nothing is ordered after them, so
// their states have no trace of later barriers. But a suggestion that adds a second scope needs to know where that
// would lead by now. ChainsByStage has it: for each stage, V and C of engine.h as if the transition had that stage in
// its second scope. A barrier changes V and C for each stage of C alone. So chains are united as second scopes are.
// They change as states do: lazily by the log, by range barriers, by replay and by semaphores.
namespace assay::syncval {

// The empty-scope transitions of a context. May hold some that are the last write of no byte any more, until the next
// DropReplaced.
class EmptyScopeTransitions {
 public:
  struct Entry {
    Range range;
    Tag tag;
    uint32_t chains = 0;
  };
  // Calls visit(Range) on each part of a range of which a transition of this tag is the last write.
  using ForEachLastWritten = absl::FunctionRef<void(const Range&, Tag, absl::FunctionRef<void(const Range&)>)>;

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  void Clear() {
    entries_.clear();
    chain_sets_.clear();
  }

  // Tags do not get smaller. As ChainsByStage's constructor.
  void Add(const Range& range, Tag tag, uint32_t epoch, bool is_outside, bool is_inside);
  // Applies barriers of one command to part of a transition; as ChainsByStage::Apply.
  void Apply(const Range& range, Tag tag, absl::Span<const Barrier* const> barriers, uint32_t next_epoch,
             const BarrierLog& log);
  // Calls visit(Range, ChainsByStage) on the parts of a transition within range, up to date.
  template <typename Visit>
  void ForEach(const Range& range, Tag tag, const BarrierLog& log, Visit&& visit);

  void CatchUp(const BarrierLog& log) {
    for (SharedChains& shared : chain_sets_) shared.chains.CatchUp(log);
  }
  // Drops what is the last write of nothing any more.
  void DropReplaced(ForEachLastWritten for_each_last_written);
  // Whether there are twice as many as there were after the last DropReplaced, and more than a few.
  bool NeedsDropping() const { return entries_.size() > drop_above_; }
  void StartLogOver() {
    for (SharedChains& shared : chain_sets_) shared.chains.MoveTo(0);
  }
  void MoveTagsDown(uint32_t by) {
    for (Entry& entry : entries_) entry.tag.value -= std::min(entry.tag.value, by);
  }
  void ReleaseStages(VkPipelineStageFlags2 stages) {
    for (SharedChains& shared : chain_sets_) shared.chains.ReleaseStages(stages);
  }

  // The end of a replay from base on: those of the recorded command buffer, up to date, take the place of what the
  // replay has added.
  void Resolve(const EmptyScopeTransitions& recorded, Tag base, const EventStageMap& map, uint32_t epoch);
  // A wait for a semaphore: part of a transition, for these stages; see ChainsByStage::AddWait.
  void AddWait(const Range& range, Tag tag, VkPipelineStageFlags2 stages, const BarrierScope& dst,
               const BarrierLog& log);

  absl::Span<const Entry> entries() const { return entries_; }
  // Up to date.
  const ChainsByStage& ChainsOf(const Entry& entry, const BarrierLog& log) {
    ChainsByStage& chains = chain_sets_[entry.chains].chains;
    chains.CatchUp(log);
    return chains;
  }

 private:
  static constexpr size_t kFew = 64;

  // Transitions with nothing but the same barriers since have one.
  struct SharedChains {
    ChainsByStage chains;
    uint32_t references = 0;
  };

  // Where entries of a tag begin.
  size_t Find(Tag tag) const {
    return static_cast<size_t>(std::ranges::lower_bound(entries_, tag, {}, &Entry::tag) - entries_.begin());
  }
  uint32_t AddChains(ChainsByStage chains);
  void DropFrom(Tag tag);
  // Cuts entries of a tag at the ends of range.
  void Cut(const Range& range, Tag tag);
  // Calls change(ChainsByStage&) on those within range, after they have been cut, each once.
  template <typename Change>
  void ChangeWithin(const Range& range, Tag tag, Change&& change);

  // By tag.
  std::vector<Entry> entries_;
  std::vector<SharedChains> chain_sets_;
  size_t drop_above_ = kFew;
};

template <typename Visit>
void EmptyScopeTransitions::ForEach(const Range& range, Tag tag, const BarrierLog& log, Visit&& visit) {
  for (size_t i = Find(tag); i < entries_.size() && entries_[i].tag == tag; ++i) {
    const Entry& entry = entries_[i];
    if (!entry.range.Intersects(range)) continue;
    visit(Range{std::max(entry.range.begin, range.begin), std::min(entry.range.end, range.end)}, ChainsOf(entry, log));
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_BARRIERS_EMPTY_SCOPE_TRANSITIONS_H_
