// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "syncval/engine/accesses/access.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/accesses/ordering.h"
#include "syncval/engine/accesses/regions.h"
#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/barrier_log.h"
#include "syncval/engine/barriers/empty_scope_transitions.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/events/event.h"
#include "syncval/engine/ranges/cache_set.h"
#include "syncval/engine/ranges/growing_array.h"
#include "syncval/engine/ranges/range_map.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/replay_plan.h"
#include "syncval/engine/replay/snapshot.h"
#include "syncval/engine/replay/vector_clock.h"
#include "syncval/engine/suggestions/suggestion.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval {

// What a replay finds.
struct ReplayHazard {
  // The access that conflicts, and the command that it is of in the recorded command buffer.
  Access access;
  Tag tag;
  // The barrier whose layout transition it is, if it is one, and the events that are waited for with it, which the
  // recorded command buffer holds.
  const Barrier* transition = nullptr;
  absl::Span<const uint64_t> events;
  Hazard hazard;
  // As EventCommand::matches_by_access, of a wait for events.
  bool matches_by_access = false;
};

// The half of a command's barriers that is done at the set of an event or at the wait for it.
struct EventBarriers {
  std::vector<Barrier> barriers;
  std::vector<const Barrier*> globals;
  // As many as the command's.
  std::vector<RangeBarrier> ranges;
};

// What has been accessed in a command buffer so far, and which barriers have been recorded since. Not thread-safe, and
// need not be: recording a command buffer is externally synchronized. Allocates nothing once it has reached the size
// that a command buffer needs, and keeps that size through Reset().
template <Mutation kMutation = Mutation::kNone>
class BasicAccessContext {
 public:
  BasicAccessContext() = default;
  BasicAccessContext(const BasicAccessContext&) = delete;
  BasicAccessContext& operator=(const BasicAccessContext&) = delete;

  // Clears everything but keeps the memory.
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

  // Records the accesses of one command if none of them can conflict with what came before, which for most commands is
  // clear without a search; false, and nothing is done, when it is not. Each L is an Access with more. Where accesses
  // overlap, writes come before reads.
  template <typename L>
  bool TryRecord(absl::Span<const L> accesses, Tag tag);

  // A memory barrier that covers everything. Costs the same however much has been accessed.
  void ApplyGlobal(const Barrier& barrier);
  // A buffer barrier, or an image barrier without layout transition. Its memory dependency is for the range; its
  // execution dependency, like that of every barrier, is for everything.
  void ApplyRange(const Range& range, const Barrier& barrier, uint64_t region = 0);
  // All barriers of one command. They stand side by side: none forms a dependency chain with another. Does not check
  // layout transitions, but records them.
  void ApplyAll(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges, Tag tag);

  // The set of an event, the reset, and the wait for some. A wait for an event that is not known to be set orders
  // nothing that is known here: it may be set by the host, and orders what that did. Layouts change at the wait, and
  // are not checked. At most 16 dependencies of events can be told apart at a time.
  void SetEvent(uint64_t event, const EventCommand& command, Tag tag);
  void ResetEvent(uint64_t event);
  void WaitEvents(absl::Span<const uint64_t> events, const EventCommand& command, Tag tag);
  // What such a wait is here: barriers with a first scope that says where the events were set. For
  // DetectLayoutTransition.
  EventBarriers WaitBarriers(absl::Span<const uint64_t> events, const EventCommand& command) const;

  // Whether the layout transition that a barrier does conflicts with what is recorded. As DetectHazard.
  bool DetectLayoutTransition(const Range& range, const Barrier& barrier, Hazard& hazard, uint64_t region = 0);

  // Makes what follows happen after all that is recorded, as if by a barrier that nothing escapes.
  void OrderEverything();

  // ---- Render passes. A subpass begins with EnterSubpass and ends with LeaveSubpass, the last one with EndRenderPass;
  // their barriers are SubpassGraph's. Barriers of commands in between are limited to the subpass. Accesses of what was
  // before have smaller tags than `tag`.

  void EnterSubpass(absl::Span<const Barrier* const> barriers, Tag tag) {
    RecordSubpassChange(SubpassChange::kEnter, barriers, tag);
  }
  void LeaveSubpass(absl::Span<const Barrier* const> barriers, Tag tag) {
    RecordSubpassChange(SubpassChange::kLeave, barriers, tag);
  }
  void EndRenderPass(absl::Span<const Barrier* const> barriers, Tag tag) {
    RecordSubpassChange(SubpassChange::kEnd, barriers, tag);
  }
  // A secondary command buffer that continues a subpass of its primary, before anything is recorded in it.
  void InheritSubpass() { phase_.number |= 1; }
  bool is_in_subpass() const { return phase_.is_inside(); }
  // Automatic layout transitions, between the first scopes and the second scopes of their barriers: before
  // EnterSubpass, after LeaveSubpass where there is one, or before EndRenderPass. Unlike that of a command, such a
  // barrier orders nothing else.
  void RecordAutomaticTransitions(absl::Span<const RangeBarrier> transitions, Tag tag);
  // Whether one conflicts with what is recorded. As DetectHazard.
  bool DetectTransitionOf(const RangeBarrier& transition, Hazard& hazard);

  using OnHazard = absl::FunctionRef<void(const ReplayHazard&)>;
  // Replays a recorded command buffer: its accesses, with the barriers among them, are accesses of this context. All
  // its tags are to be read as so much later than base, which is after every tag recorded here. Calls
  // on_hazard(const ReplayHazard&) for each part of a first access that conflicts with what was here before, when all
  // that comes before it has been recorded. What conflicts within the command buffer was found while recording. Costs
  // as much as the command buffer has first accesses, ranges, and barriers that differ. recorded only has work done on
  // it that is kept for the next replay.
  void Replay(BasicAccessContext& recorded, Tag base, OnHazard on_hazard);

  // A context that is never replayed itself need not remember what that takes.
  void DisableJournal() { keeps_journal_ = false; }

  // ---- Of a queue's context; see BasicDeviceContext.

  // The queue that the context is of, and what it knows of others.
  void SetQueue(QueueIndex queue, const VectorClock& known) {
    queue_ = queue;
    known_ = &known;
    DisableJournal();
  }
  // Another queue's context, for races.
  void AddOtherQueue(BasicAccessContext& other) { other_queues_.push_back(&other); }
  // Adds all that is known here to a snapshot, as a semaphore signal with this first scope does. everything includes
  // what happens in no stage.
  void AddToSnapshot(const BarrierScope& src, bool everything, Snapshot& snapshot);
  // Adds what of this context races with an access of another queue whose clock is `known`.
  void CollectRaces(const ReplayHazard& current, bool is_write, QueueIndex queue, const VectorClock& known,
                    std::vector<ReplayHazard>& races);
  // Takes over what a snapshot knows, in order before the second scope of the wait for it. moved_down is by how much
  // tags have been since.
  void MergeSnapshot(const Snapshot& snapshot, uint32_t moved_down, const BarrierScope& dst,
                     const VectorClock& complete);
  // Forgets what is complete.
  void Forget(const VectorClock& complete);
  // Keeps the log from growing with all that was ever submitted, at a cost that is small beside that.
  void LimitLog() {
    if (log_.epoch() > 1000 + 4 * map_.size()) StartLogOver();
  }
  void MoveTagsDown(uint32_t by);
  // Before all tags that are left.
  Tag OldestTag();

  // The smallest barrier that resolves all hazards of these accesses, which are of one command and of which at least
  // one has a hazard. For reports, so takes its time.
  Suggestion SuggestBarrier(absl::Span<const Access> accesses, Tag tag);
  // Likewise for a layout transition of ranges by the barrier with these flags.
  Suggestion SuggestForLayoutTransition(absl::Span<const Range> ranges, const BarrierFlags& flags,
                                        VkQueueFlags queue_flags) {
    return SuggestForTransition(ranges, MakeBarrier(flags, queue_flags).src, flags, queue_flags);
  }
  // The same for one with this first scope, as RecordAutomaticTransitions has it. What is suggested is to be added to
  // one of the dependencies that it is of, which has these flags.
  Suggestion SuggestForTransition(absl::Span<const Range> ranges, const BarrierScope& src, const BarrierFlags& flags,
                                  VkQueueFlags queue_flags);
  // Likewise for that of a barrier of a wait for events, as WaitBarriers has it.
  Suggestion SuggestForWait(absl::Span<const Range> ranges, const Barrier& event_barriers,
                            absl::Span<const uint64_t> events, bool matches_by_access, VkQueueFlags queue_flags) {
    const ReplayHazard wait{.access = {},
                            .transition = &event_barriers,
                            .events = events,
                            .hazard = {},
                            .matches_by_access = matches_by_access};
    return SuggestAddition(CopyStates(ranges), MakeCurrentTransition(wait, Tag(), queue_flags), NoOtherQueues());
  }
  // What makes the hazard go away that a replay from base on finds; of a race, what puts the access in order after all
  // that it races with of that queue. For on_hazard: to be asked before the replay goes on.
  Suggestion SuggestForReplay(const ReplayHazard& found, Tag base, VkQueueFlags queue_flags);

  // Grows with everything that decides whether a read conflicts: writes, layout transitions, barriers. A read that did
  // not conflict and has been recorded need not be recorded again while it stays the same.
  uint64_t version() const { return version_; }

  // Events that are held, for tests and statistics.
  size_t SetEventCount() const { return events_.size(); }
  // The number of distinct ranges held, for tests and statistics.
  size_t RangeCount() {
    FlushAll();
    return map_.size();
  }
  // The number of layout transitions without second scope that are remembered, for tests and statistics.
  size_t EmptyScopeTransitionCount() const { return empty_scope_transitions_.size(); }

 private:
  // Ranges that are exactly one entry of the map, by a hash of where they begin, two for each hash: a command buffer
  // accesses few ranges many times.
  struct RecentRange {
    Range range;
    uint32_t state = 0;
    // The value of map_version_ up to which this holds; map_version_ is never 0.
    uint64_t version = 0;
  };
  using RecentRanges = CacheSet<RecentRange, 2>;
  static constexpr size_t kRecentBits = 5;

  RecentRanges& RecentRangesFor(const Range& range) {
    return recent_ranges_[(range.begin * 0x9E3779B97F4A7C15u) >> (64 - kRecentBits)];
  }
  auto IsOf(const Range& range) const {
    return
        [&range, this](const RecentRange& recent) { return recent.version == map_version_ && recent.range == range; };
  }
  // The state of exactly this range if it is among the recent ones.
  AccessState* FindRecent(const Range& range) {
    const RecentRange* const recent = RecentRangesFor(range).Find(IsOf(range));
    return recent != nullptr ? &pool_[recent->state] : nullptr;
  }
  void AddRecent(const Range& range, uint32_t state) {
    RecentRangesFor(range).Put({.range = range, .state = state, .version = map_version_}, IsOf(range));
  }

  // More than this in one command are not tried.
  static constexpr size_t kMaxFastPathAccesses = 16;

  CurrentAccess MakeCurrentAccess(const Access& access, Tag tag, SubpassPhase phase) const;
  CurrentAccess MakeCurrentAccess(const Access& access, Tag tag) const {
    return MakeCurrentAccess(access, tag, phase_);
  }
  void RecordSubpassChange(SubpassChange change, absl::Span<const Barrier* const> barriers, Tag tag);
  // A barrier as a command of the current scope has it; see subpass_barriers_.
  const Barrier* LimitToSubpass(const Barrier* barrier);
  void ApplyAllLimited(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges, Tag tag);
  void ApplyGlobalLimited(const Barrier& barrier);
  static Tag OffsetTag(Tag tag, Tag base) { return Tag{tag.value + base.value}; }
  void CatchUp(AccessState& state) {
    if (state.epoch < log_.epoch()) log_.CatchUp<kMutation>(state, pool_.Reads(state), log_.epoch());
  }

  Region& GetRegion(uint64_t key) {
    regions_.Reserve(1);
    return regions_.Get(key);
  }
  bool IsHazard(AccessState& state, const Access& access, Tag tag) {
    CatchUp(state);
    return Conflicts(state, pool_.Reads(state), MakeCurrentAccess(access, tag));
  }
  // Whether anything of a region is left in the map, when nothing is pending.
  bool IsInMap(const Region& region) const;
  void AddPending(Region& region, const Access& access, bool is_write, Tag tag);
  // Notes that part of an access is a first access, for the replay.
  void JournalFirstAccess(const Access& access, const Range& part, Tag tag) {
    if (!keeps_journal_) return;
    journal_.push_back({access, tag, log_.epoch(), Region::kNone, tag, phase_});
    journal_.back().access.range = part;
  }
  // Likewise a range barrier of the command that is being recorded.
  void JournalRange(const RangeBarrier& range, Tag tag);
  // To be called for a command before JournalRange, with the log's epochs before and after it.
  void BeginCommand(uint32_t epoch, uint32_t epoch_after) {
    command_epoch_ = epoch;
    command_has_step_ = epoch_after != epoch;
    command_is_new_ = true;
  }
  bool RepeatsLastRange(const RangeBarrier& range) const;

  const ReplayPlan& MakePlan();
  void PutRepeatedReadsIntoMap();
  // Replays the first accesses from one of the plan's up to another.
  void ReplayAccesses(const BasicAccessContext& recorded, absl::Span<const uint32_t> accesses, Tag base,
                      OnHazard on_hazard);
  void ReplayBarriers(const BasicAccessContext& recorded, const ReplayPlan::Command& command, Tag base,
                      OnHazard on_hazard);
  void ReplayEvent(const EventStep& step, Tag tag, Tag base, OnHazard on_hazard);
  void ReportHazards(OnHazard on_hazard);
  void ApplyEvent(EventStep::Kind kind, absl::Span<const uint64_t> events, const EventCommand& command,
                  const EventBarriers& event_barriers, Tag tag);
  void JournalEvent(EventStep::Kind kind, absl::Span<const uint64_t> events, const EventCommand& command, Tag tag);
  void ReleaseStages(VkPipelineStageFlags2 stages);
  void CollectHazards(const PendingAccess& first, Tag base);
  void CollectHazards(const RangeBarrier& transition, Tag tag, Tag base, absl::Span<const uint64_t> events = {},
                      bool matches_by_access = false);
  void MergeState(AccessState& state, const AccessState& incoming);
  void MergeReads(AccessState& state);
  void CollectRacesWithOtherQueues(const ReplayHazard& current, bool is_write);
  void StartLogOver();
  // Of layout transitions that nothing follows upon; see empty_scope_transitions.h.
  // To be called with what is applied to the states of a range.
  void ApplyToEmptyScopeTransitions(const Range& range, absl::Span<const Barrier* const> barriers, uint32_t next_epoch);
  void DropReplacedTransitions();
  void ResolveEmptyScopeTransitions(BasicAccessContext& recorded, Tag base);
  void AddEmptyScopeTransitionsTo(const BarrierScope& src, bool everything, Snapshot& snapshot);
  // Calls visit on the parts of a range of which a layout transition with this tag is the last write.
  void ForEachLastWritten(const Range& range, Tag tag, absl::FunctionRef<void(const Range&)> visit);
  void ResolveStates(BasicAccessContext& recorded, Tag base);
  void ResolveState(AccessState& state, const AccessState& recorded, absl::Span<const ReadRecord> reads, Tag base);

  // For suggestions, which try things on copies.
  class OtherQueueContexts;
  StateCopy CopyOf(const Range& range, AccessState& state);
  void AddStateAccesses(StateCopy copy, const CurrentAccess& current, std::vector<StateAccess>& state_accesses);
  void Put(const StateCopy& copy);
  void Add(const StateCopy& copy);
  void AppendSteps(const BarrierLog& log, uint32_t from);
  std::vector<StateCopy> CopyStates(absl::Span<const Range> ranges);
  std::vector<StateCopy> CopyPieces(const Range& range);
  CurrentTransition MakeCurrentTransition(const ReplayHazard& found, Tag base, VkQueueFlags queue_flags) const;
  Race RaceOf(const ReplayHazard& found, bool is_write);

  // Puts what is pending in a region, or in all for region 0, into the map.
  void Flush(uint64_t region);
  void FlushAll();
  void FlushRegion(Region& region);
  void RecordPending(const PendingAccess& pending);
  void RecordInLaterState(AccessState& state, const CurrentAccess& current, uint32_t epoch);
  bool Detect(const Range& range, const CurrentAccess& current, Hazard& hazard);
  void Record(const Access& access, const CurrentAccess& current);
  void RecordInState(AccessState& state, const CurrentAccess& current, const Access& access, const Range& part) {
    log_.MarkAccessRecorded();
    // What a write replaces need not be brought up to date; what it keeps, reads of its own command, is.
    if (current.is_write) {
      state.epoch = log_.epoch();
    } else {
      CatchUp(state);
    }
    if (RecordAccess<kMutation>(pool_, state, current)) [[unlikely]]
      JournalFirstAccess(access, part, current.tag);
  }
  // Calls visit(Range, AccessState&) on what is known within range, up to date.
  template <typename Visit>
  void ForEachState(const Range& range, Visit&& visit);
  // Cuts entries at the ends of range, calls change(AccessState&, Range) on those inside, with a new one for each gap
  // if fill_gaps, and joins what is alike afterwards.
  template <typename Change>
  void ChangeEach(const Range& range, bool fill_gaps, Change&& change) {
    ChangeEach(range, fill_gaps, log_.epoch(), std::forward<Change>(change));
  }
  // The same, with the epoch that new ones begin at.
  template <typename Change>
  void ChangeEach(const Range& range, bool fill_gaps, uint32_t new_epoch, Change&& change);
  RangeMap::Cursor Cut(RangeMap::Cursor cursor, uint64_t address);
  void Join(const Range& range);
  bool IsJoinable(const RangeMap::Entry& a, const RangeMap::Entry& b);

  void ApplyOne(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges, Tag tag);
  void ApplyRangeLimited(const Range& range, const Barrier& barrier, uint64_t region);
  // Whether it is a first access. An automatic one is of RecordAutomaticTransitions.
  bool RecordTransitionOf(const RangeBarrier& range, Tag tag, bool is_automatic = false);
  // Collects the barriers of a command, each range barrier by its execution dependency alone, into command_barriers_.
  void CollectCommandBarriers(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges);
  void ApplyToRanges(absl::Span<const RangeBarrier> ranges, uint32_t next_epoch);
  void ApplyToOverlappingRanges(absl::Span<const RangeBarrier> ranges, uint32_t next_epoch);
  void ApplyToRange(const Range& range, uint32_t next_epoch);
  bool RangesOverlap(absl::Span<const RangeBarrier> ranges);

  const vk::SyncStageAccessInfo* pairs_ = vk::SyncStageAccesses().data();
  RegionTable regions_;
  // In the order of recording: what is pending, and, if a journal is kept, all first accesses.
  GrowingArray<PendingAccess> journal_;
  // Those that are not in the map.
  size_t pending_count_ = 0;
  bool keeps_journal_ = true;
  std::vector<RangeStep> range_journal_;
  uint32_t command_epoch_ = 0;
  bool command_has_step_ = false;
  bool command_is_new_ = false;
  ReplayPlan plan_;
  EventTable events_;
  // From the stages of the recorded command buffer that is replayed.
  EventStageMap stage_map_;
  std::vector<EventStep> event_journal_;
  // The barriers that are applied are of an event, which is noted instead.
  bool is_in_event_ = false;
  SubpassPhase phase_;
  // Accesses with smaller tags are of earlier scopes.
  Tag phase_begin_{0};
  // Where layouts were changed for the current subpass, if they were.
  Tag automatic_transitions_begin_;
  Tag replay_base_{0};
  // Of the log, where the replay began.
  uint32_t replay_epoch_ = 0;
  // Of LimitToSubpass, here for their memory.
  std::deque<Barrier> subpass_barriers_;
  std::vector<const Barrier*> subpass_globals_;
  std::vector<RangeBarrier> subpass_ranges_;
  QueueIndex queue_ = {};
  const VectorClock* known_ = nullptr;
  std::vector<BasicAccessContext*> other_queues_;
  // Of MergeSnapshot, here for its memory.
  std::vector<ReadRecord> incoming_reads_;
  std::vector<ReadRecord> new_reads_;
  // Of Replay, here for its memory.
  std::vector<ReplayHazard> hazards_;
  uint64_t version_ = 0;
  RangeMap map_;
  StatePool pool_;
  BarrierLog log_;
  EmptyScopeTransitions empty_scope_transitions_;
  std::array<RecentRanges, size_t{1} << kRecentBits> recent_ranges_;
  // Counts the changes that end an entry or move its ends.
  uint64_t map_version_ = 1;

  // Of ApplyAll, here for their memory.
  std::vector<Barrier> execution_barriers_;
  std::vector<const Barrier*> command_barriers_;
  std::vector<const Barrier*> range_barriers_;
  std::vector<uint64_t> bounds_;
  std::vector<Range> sorted_ranges_;
};

using AccessContext = BasicAccessContext<>;

template <Mutation kMutation>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline CurrentAccess BasicAccessContext<kMutation>::MakeCurrentAccess(
    const Access& access, Tag tag, SubpassPhase phase) const {
  const vk::SyncStageAccessInfo& pair = pairs_[access.index];
  const bool is_inside = phase.is_inside();
  CurrentAccess current{.index = access.index,
                        .stage = is_inside ? StageSet(0, pair.stage) : StageSet(pair.stage),
                        .stage_code = StageCode(pair.stage, is_inside),
                        .is_write = pair.is_write,
                        .is_inside = is_inside,
                        .ordering = access.ordering,
                        .queue = queue_,
                        .ordered_with = nullptr,
                        .tag = tag,
                        .before = tag,
                        .phase_begin = phase_begin_,
                        .replay_base = replay_base_};
  if (access.ordering != OrderingRule::kNone) {
    // A rule says nothing of accesses that it does not name.
    const SyncAccessMask& ordered = OrderedAccesses(access.ordering);
    if (ordered.Has(access.index)) current.ordered_with = &ordered;
  }
  return current;
}

template <Mutation kMutation>
inline void BasicAccessContext<kMutation>::AddPending(Region& region, const Access& access, bool is_write, Tag tag) {
  log_.MarkAccessRecorded();
  const uint32_t epoch = log_.epoch();
  const uint32_t last = region.last_pending;
  if (last != Region::kNone && !is_write) {
    // The same read again replaces the one before, as it would in the map.
    PendingAccess& previous = journal_[last];
    if (previous.epoch == epoch && previous.access.range == access.range && previous.access.index == access.index &&
        previous.access.ordering == access.ordering) {
      previous.tag = tag;
      return;
    }
  }
  region.Extend(access.range, is_write);
  const auto number = static_cast<uint32_t>(journal_.size());
  journal_.push_back({access, tag, epoch, Region::kNone, tag, phase_});
  ++pending_count_;
  (last != Region::kNone ? journal_[last].next : region.first_pending) = number;
  region.last_pending = number;
}

template <Mutation kMutation>
template <typename L>
bool BasicAccessContext<kMutation>::TryRecord(absl::Span<const L> accesses, Tag tag) {
  if (accesses.size() > kMaxFastPathAccesses) return false;
  struct Place {
    Region* region;
    // Null where the access goes to what is pending.
    AccessState* state;
  };
  std::array<Place, kMaxFastPathAccesses> places;
  regions_.Reserve(accesses.size());
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    if (access.region == 0) return false;
    Region& region = regions_.Get(access.region);
    places[i] = {&region, nullptr};
    if (!region.MayConflict(access.range, pairs_[access.index].is_write)) continue;
    // Not clear without a search, unless the same range was found a moment ago.
    AccessState* const state = region.first_pending == Region::kNone ? FindRecent(access.range) : nullptr;
    if (state == nullptr || IsHazard(*state, access, tag)) return false;
    places[i].state = state;
  }
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    const bool is_write = pairs_[access.index].is_write;
    version_ += is_write;
    if (places[i].state != nullptr) {
      places[i].region->ExtendInMap(access.range, is_write);
      RecordInState(*places[i].state, MakeCurrentAccess(access, tag), access, access.range);
    } else {
      AddPending(*places[i].region, access, is_write, tag);
    }
  }
  return true;
}

extern template class BasicAccessContext<Mutation::kNone>;

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_H_
