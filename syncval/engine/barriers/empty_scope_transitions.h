// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_BARRIERS_EMPTY_SCOPE_TRANSITIONS_H_
#define ASSAY_SYNCVAL_ENGINE_BARRIERS_EMPTY_SCOPE_TRANSITIONS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/barrier_log.h"
#include "syncval/engine/events/event.h"
#include "syncval/engine/ranges/types.h"
#include "vk/vulkan.h"

// Layout transitions whose barrier has no second scope (*empty-scope transitions*). Nothing follows upon them, so that
// their states have no trace of the barriers since; but a suggestion that gives one a second scope is to be asked what
// of that would lead where by now. An *chains* says it: for each stage, what V and C of engine.h would be if the
// transition had that stage in its second scope. What a barrier does to V and C it does for each stage of C by itself,
// so that chain_sets are united as second scopes are, and change as states do: by the log, lazily, by range barriers,
// by replay and by semaphores.
namespace assay::syncval {

// What follows upon a transition: V and C of its state.
struct WriteVisibility {
  AccessSet visible_to;
  StageSet available_stages;

  friend bool operator==(const WriteVisibility&, const WriteVisibility&) = default;
};

class ChainsByStage {
 public:
  // At the transition itself, where second scopes are outside of the current subpass, inside, or both.
  ChainsByStage(uint32_t epoch, bool is_outside, bool is_inside)
      : epoch_(epoch), is_outside_(is_outside), is_inside_(is_inside) {}
  // Of a transition of another queue of which nothing is known yet.
  static ChainsByStage OfOtherQueue(uint32_t epoch);

  // Whether nothing has come since the transition, in the log or otherwise.
  bool IsNewAt(uint32_t epoch) const { return epoch_ == epoch && by_stage_.empty(); }
  bool IsAlike(bool is_outside, bool is_inside) const { return is_outside_ == is_outside && is_inside_ == is_inside; }

  // Applies what it has not seen of the log.
  void CatchUp(const BarrierLog& log);
  // Applies the barriers of one command, after which it has seen the log up to next_epoch.
  void Apply(absl::Span<const Barrier* const> barriers, uint32_t next_epoch);
  // For a log that begins anew, or another context's.
  void MoveTo(uint32_t epoch) { epoch_ = epoch; }
  void MapStages(const EventStageMap& map);
  void ReleaseStages(VkPipelineStageFlags2 stages);

  // The stages for which the transition is in the first scope of a semaphore.
  VkPipelineStageFlags2 StagesIn(const BarrierScope& src) const;
  // For those it is in order before the second scope of the wait.
  void AddWait(VkPipelineStageFlags2 stages, const BarrierScope& dst);

  // What follows upon the transition with this second scope.
  WriteVisibility Of(const BarrierScope& dst) const;

 private:
  // The stages that commands have are below; the last is of what is visible by the second access scope alone.
  static constexpr size_t kAccesses = kFirstEventStage;

  void Make();
  template <typename Change>
  void ChangeEach(Change&& change);

  uint32_t epoch_;
  bool is_outside_;
  bool is_inside_;
  bool is_of_other_queue_ = false;
  // By the number of a stage. None as long as nothing has come since.
  std::vector<WriteVisibility> by_stage_;
};

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
