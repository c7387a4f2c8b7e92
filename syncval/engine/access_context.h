// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESS_CONTEXT_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESS_CONTEXT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/access.h"
#include "syncval/engine/access_rules.h"
#include "syncval/engine/access_state.h"
#include "syncval/engine/barrier.h"
#include "syncval/engine/barrier_log.h"
#include "syncval/engine/fault.h"
#include "syncval/engine/hazard.h"
#include "syncval/engine/ordering.h"
#include "syncval/engine/range_map.h"
#include "syncval/engine/suggestion.h"
#include "syncval/engine/types.h"
#include "vk/sync_info.h"

namespace assay::syncval {

// A buffer or image barrier over one range. An image whose subresources lie apart gives one of these for each part.
struct RangeBarrier {
  Range range;
  // Of the BarrierCache, or anything that lives through the call.
  const Barrier* barrier = nullptr;
  // The image's layout changes between the barrier's two sides: an access to the whole range.
  bool layout_transition = false;
};

// What has been accessed in a command buffer so far, and which barriers have been recorded since. Not thread-safe, and
// need not be: recording a command buffer is externally synchronized. Allocates nothing once it has reached the size
// that a command buffer needs, and keeps that size through Reset().
template <Fault kFault = Fault::kNone>
class BasicAccessContext {
 public:
  BasicAccessContext() = default;
  BasicAccessContext(const BasicAccessContext&) = delete;
  BasicAccessContext& operator=(const BasicAccessContext&) = delete;

  // Forgets everything but keeps the memory.
  void Reset();

  // Whether the access conflicts with what is recorded; if so, fills in hazard. Records nothing. hazard is united with
  // what it holds already, so that one Hazard can pass through all ranges of an access. An access never conflicts with
  // others of its own tag.
  bool DetectHazard(const Access& access, Tag tag, Hazard& hazard);
  // Records the access, whether it conflicts or not: a hazard once reported is taken for solved.
  void Update(const Access& access, Tag tag);
  // Both in one go. Where accesses of one command overlap, the caller gives its writes before its reads, or calls
  // DetectHazard for all and then Update for all.
  bool DetectAndUpdate(const Access& access, Tag tag, Hazard& hazard);

  // A memory barrier that covers everything. Costs the same however much has been accessed.
  void ApplyGlobal(const Barrier& barrier);
  // A buffer barrier, or an image barrier without layout transition. Its memory dependency is for the range; its
  // execution dependency, like that of every barrier, is for everything.
  void ApplyRange(const Range& range, const Barrier& barrier);
  // All barriers of one command. They stand side by side: none forms a dependency chain with another. Does not check
  // layout transitions, but records them.
  void ApplyAll(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges, Tag tag);

  // Whether the layout transition that a barrier does conflicts with what is recorded. As DetectHazard.
  bool DetectLayoutTransition(const Range& range, const Barrier& barrier, Hazard& hazard);

  // The smallest barrier that resolves all hazards of these accesses, which are of one command and of which at least
  // one has a hazard. For reports, so takes its time.
  Suggestion SuggestBarrier(absl::Span<const Access> accesses, Tag tag);
  // Likewise for a layout transition of ranges by the barrier with these flags.
  Suggestion SuggestForLayoutTransition(absl::Span<const Range> ranges, const BarrierFlags& flags,
                                        VkQueueFlags queue_flags);

  // The number of distinct ranges held, for tests and statistics.
  size_t RangeCount() const { return map_.size(); }

 private:
  // Ranges that are exactly one entry of the map, by a hash of where they begin: a command buffer uses few ranges many
  // times.
  struct Recent {
    Range range;
    uint32_t state = 0;
    // The value of map_version_ up to which this holds; map_version_ is never 0.
    uint64_t version = 0;
  };
  static constexpr size_t kRecents = 8;

  static Recent& RecentSlot(std::array<Recent, kRecents>& recents, const Range& range) {
    return recents[(range.begin * 0x9E3779B97F4A7C15u) >> 61];
  }
  // The state of exactly this range if it is among the recent ones.
  AccessState* FindRecent(const Range& range) {
    const Recent& recent = RecentSlot(recents_, range);
    return recent.version == map_version_ && recent.range == range ? &pool_[recent.state] : nullptr;
  }
  void Remember(const Range& range, uint32_t state) {
    RecentSlot(recents_, range) = {.range = range, .state = state, .version = map_version_};
  }

  Use MakeUse(const Access& access, Tag tag) const;
  void CatchUp(AccessState& state) {
    if (state.epoch < log_.epoch()) log_.CatchUp<kFault>(state, pool_.Reads(state));
  }
  bool Detect(const Range& range, const Use& use, Hazard& hazard);
  void Record(const Range& range, const Use& use);
  void RecordInState(AccessState& state, const Use& use);
  // Calls visit(Range, AccessState&) on what is known within range, up to date.
  template <typename Visit>
  void ForEachKnown(const Range& range, Visit&& visit);
  // Cuts entries at the ends of range, calls change(AccessState&) on those inside, up to date, with a new one for each
  // gap if fill_gaps, and joins what is alike afterwards.
  template <typename Change>
  void ChangeEach(const Range& range, bool fill_gaps, Change&& change);
  RangeMap::Cursor Cut(RangeMap::Cursor cursor, uint64_t address);
  void Join(const Range& range);
  bool IsJoinable(const RangeMap::Entry& a, const RangeMap::Entry& b);

  // Collects the barriers of a command, each range barrier by its execution dependency alone, into batch_.
  void MakeBatch(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges);
  void ApplyToRanges(absl::Span<const RangeBarrier> ranges, uint32_t next_epoch);
  void ApplyToOverlappingRanges(absl::Span<const RangeBarrier> ranges, uint32_t next_epoch);
  void ApplyBatchAndMore(const Range& range, uint32_t next_epoch);
  bool RangesOverlap(absl::Span<const RangeBarrier> ranges);

  const vk::SyncStageAccessInfo* pairs_ = vk::SyncStageAccesses().data();
  RangeMap map_;
  StatePool pool_;
  BarrierLog log_;
  std::array<Recent, kRecents> recents_;
  // Counts the changes that end an entry or move its ends.
  uint64_t map_version_ = 1;

  // Of ApplyAll, here for their memory.
  std::vector<Barrier> execution_barriers_;
  std::vector<const Barrier*> batch_;
  std::vector<const Barrier*> batch_and_more_;
  std::vector<uint64_t> bounds_;
  std::vector<Range> sorted_ranges_;
};

using AccessContext = BasicAccessContext<>;

extern template class BasicAccessContext<Fault::kNone>;

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESS_CONTEXT_H_
