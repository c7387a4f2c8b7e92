// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "syncval/engine/accesses/access.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/accesses/ordered_pairs.h"
#include "syncval/engine/accesses/regions.h"
#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/barrier_log.h"
#include "syncval/engine/barriers/empty_scope_transitions.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/contexts/command_barriers.h"
#include "syncval/engine/contexts/current_subpass.h"
#include "syncval/engine/contexts/event_barriers.h"
#include "syncval/engine/contexts/queue_contexts.h"
#include "syncval/engine/contexts/state_map.h"
#include "syncval/engine/contexts/state_merger.h"
#include "syncval/engine/events/event.h"
#include "syncval/engine/ranges/growing_array.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/replay_hazard.h"
#include "syncval/engine/replay/replay_journal.h"
#include "syncval/engine/replay/replay_plan.h"
#include "syncval/engine/replay/snapshot.h"
#include "syncval/engine/replay/unordered_accesses.h"
#include "syncval/engine/replay/vector_clock.h"
#include "syncval/engine/suggestions/suggestion.h"
#include "vk/sync/sync_info.h"

// What a command buffer, or a queue, has accessed so far, with the barriers since. See engine.h for the algebra.
//
// A context records the commands of a command buffer and detects their hazards. It can replay another context, in which
// a command buffer was recorded. BasicDeviceContext has one context for each queue.
//
// Not thread-safe: recording a command buffer is externally synchronized. A context allocates nothing once it has
// reached the size that a command buffer needs, and keeps that size through Reset().
//
// Its parts are classes of their own. StateMap has the states by range, ReplayJournal what a replay needs,
// CurrentSubpass the limits of barriers, QueueContexts the other queues. The bodies are in files that are named for
// what they do: see access_context_bodies.h.
namespace assay::syncval {

template <Mutation kMutation>
class ReplayDevice;
template <Mutation kMutation>
class RecordingReplay;
template <Mutation kMutation>
class ScratchContext;
template <Mutation kMutation>
class SuggestionInput;

// The context of a command buffer or of a queue; see the top of this file.
template <Mutation kMutation = Mutation::kNone>
class BasicAccessContext {
 public:
  BasicAccessContext() = default;
  BasicAccessContext(const BasicAccessContext&) = delete;
  BasicAccessContext& operator=(const BasicAccessContext&) = delete;

  // Clears everything but keeps the memory.
  void Reset();

  // Whether the access conflicts with what is recorded. If it does, the conflict is added to hazard. Records nothing.
  // One Hazard can pass through all ranges of an access. An access never conflicts with others of its own tag.
  bool DetectHazard(const Access& access, Tag tag, Hazard& hazard);
  // Records the access, whether it conflicts or not: a reported hazard counts as solved.
  void Update(const Access& access, Tag tag);
  // DetectHazard and Update at once. Where accesses of one command overlap, the caller passes writes before reads, or
  // calls DetectHazard for all and then Update for all.
  bool DetectAndUpdate(const Access& access, Tag tag, Hazard& hazard);

  // The fast path. Records the accesses of one command if none of them can conflict with earlier ones, which for most
  // commands needs no search. Else returns false and does nothing. L is Access or derives from it. Where accesses
  // overlap, writes come before reads.
  template <typename L>
  bool TryRecord(absl::Span<const L> accesses, Tag tag);

  // Applies a memory barrier that covers everything. The cost does not depend on how much has been accessed.
  void ApplyGlobal(const Barrier& barrier);
  // Applies a buffer barrier, or an image barrier without layout transition. Its memory dependency covers the range.
  // Its execution dependency, like that of every barrier, covers everything.
  void ApplyRange(const Range& range, const Barrier& barrier, uint64_t region = 0);
  // Applies all barriers of one command. None of them forms a dependency chain with another. Records layout transitions
  // and does not check them.
  void ApplyAll(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges, Tag tag);

  // The set of an event, its reset, and the wait for some. A wait for an event that is not set here orders nothing: the
  // host may set it. Records layout transitions at the wait and does not check them.
  void SetEvent(uint64_t event, const EventCommand& command, Tag tag);
  void ResetEvent(uint64_t event);
  void WaitEvents(absl::Span<const uint64_t> events, const EventCommand& command, Tag tag);
  // The barriers that such a wait does here, for DetectLayoutTransition. Their first scopes are where the events were
  // set.
  EventBarriers WaitBarriers(absl::Span<const uint64_t> events, const EventCommand& command);

  // Whether the layout transition of a barrier conflicts with what is recorded. As DetectHazard.
  bool DetectLayoutTransition(const Range& range, const Barrier& barrier, Hazard& hazard, uint64_t region = 0);

  // Orders all later work after all that is recorded, as a barrier with everything in its scopes does.
  void OrderEverything();

  // Subpasses. Each begins with EnterSubpass and ends with LeaveSubpass, the last one with EndRenderPass. The barriers
  // are those of SubpassGraph. Barriers of commands in between are limited to the subpass. Accesses before the call
  // have smaller tags than `tag`.
  void EnterSubpass(absl::Span<const Barrier* const> barriers, Tag tag) {
    RecordSubpassChange(SubpassChange::kEnter, barriers, tag);
  }
  void LeaveSubpass(absl::Span<const Barrier* const> barriers, Tag tag) {
    RecordSubpassChange(SubpassChange::kLeave, barriers, tag);
  }
  void EndRenderPass(absl::Span<const Barrier* const> barriers, Tag tag) {
    RecordSubpassChange(SubpassChange::kEnd, barriers, tag);
  }
  // Begins a secondary command buffer in a subpass of its primary. Nothing is recorded in it yet.
  void InheritSubpass() { subpass_.Inherit(); }
  bool is_in_subpass() const { return subpass_.is_inside(); }
  // Records automatic layout transitions, which happen between the first and the second scopes of their barriers. Comes
  // before EnterSubpass, after LeaveSubpass if there is one, or before EndRenderPass. Such a barrier orders nothing
  // else.
  void RecordAutomaticTransitions(absl::Span<const RangeBarrier> transitions, Tag tag);
  // Whether an automatic layout transition conflicts with what is recorded. As DetectHazard.
  bool DetectTransitionOf(const RangeBarrier& transition, Hazard& hazard);

  using OnHazard = absl::FunctionRef<void(const ReplayHazard&)>;
  // Replays a recorded command buffer: its accesses and barriers become those of this context. Its tags are offset by
  // base, which is after every tag recorded here. Calls on_hazard for each part of a first access that conflicts with
  // earlier accesses of this context, after all that precedes the access has been recorded. Hazards within the command
  // buffer were found when it was recorded. The cost grows with the first accesses, ranges and distinct barriers of the
  // command buffer. The only change to recorded is work that is kept for its next replay.
  void Replay(BasicAccessContext& recorded, Tag base, OnHazard on_hazard);

  // For a context that is never replayed itself: keeps nothing for that.
  void DisableJournal() { journal_.Disable(); }

  // Queues: for the context of a queue, see BasicDeviceContext. known is what happened before the next batch of it.
  void SetQueue(QueueIndex queue, const VectorClock& known) {
    queues_.SetOwn(queue);
    queues_.SetClock(known);
    DisableJournal();
  }
  QueueIndex queue() const { return queues_.own(); }
  // A batch of this queue waits for a semaphore with this stage mask; see Suggestion.
  void NoteWait(VkPipelineStageFlags2 stages) { queues_.NoteWait(stages); }
  void NoteReplay() { queues_.NoteReplay(); }
  // Adds the context of another queue, for races.
  void AddOtherQueue(BasicAccessContext& other) { queues_.AddOther(other); }
  // Adds all states to a snapshot, as a semaphore signal with this first scope does. everything: the first scope has
  // all commands, and with them what happens in no stage. States outside of `within`, which cuts none, are left out.
  void AddToSnapshot(const BarrierScope& src, bool everything, Snapshot& snapshot, const Range& within = kEverywhere);
  // Adds the accesses of this queue that race with an access of another queue, whose clock is `known`.
  void CollectRaces(const ReplayHazard& current, bool is_write, QueueIndex queue, const VectorClock& known,
                    std::vector<ReplayHazard>& races);
  // Merges a snapshot, as a wait for its semaphore with this second scope does. moved_down: how far all tags have moved
  // down since the signal. Only what meets a range is merged.
  void MergeSnapshot(const Snapshot& snapshot, uint32_t moved_down, const BarrierScope& dst,
                     const VectorClock& complete, const Range& within = kEverywhere);
  // Forgets all accesses that are complete, or all to a range, which cuts no state.
  void Forget(const VectorClock& complete);
  void Forget(const Range& range);
  // Keeps the log from growing with each submission. The cost is small beside that of the submissions.
  void LimitLog() {
    if (states_.log().epoch() > 1000 + 4 * states_.size()) StartLogOver();
  }
  // What follows can be undone, up to the next call of one of these. A reset, Forget and MoveTagsDown cannot. Accesses
  // from now on have no smaller tags than `tag`.
  void BeginUndoable(Tag tag);
  void EndUndoable() { states_.EndUndoable(); }
  // Leaves everything as it was at BeginUndoable, with the version: nothing may keep one that came since.
  void Undo();
  void MoveTagsDown(uint32_t by);
  // The smallest tag that is left.
  Tag OldestTag();

  // The single stages that the application can name, for suggestions. All unless set.
  void SetDeviceStages(VkPipelineStageFlags2 stages) { device_stages_ = stages; }
  // Suggestions: the smallest barrier that resolves all hazards of these accesses. They are of one command, and at
  // least one has a hazard. A search that takes its time; for reports.
  Suggestion SuggestBarrier(absl::Span<const Access> accesses, Tag tag);
  // The same for a layout transition of ranges by the barrier with these flags.
  Suggestion SuggestForLayoutTransition(absl::Span<const Range> ranges, const BarrierFlags& flags,
                                        VkQueueFlags queue_flags) {
    return SuggestForTransition(ranges, MakeBarrier(flags, queue_flags).src, flags, queue_flags);
  }
  // The same for an automatic layout transition with this first scope. The bits are to be added to one of the
  // dependencies that it happens after, which has these flags.
  Suggestion SuggestForTransition(absl::Span<const Range> ranges, const BarrierScope& src, const BarrierFlags& flags,
                                  VkQueueFlags queue_flags);
  // The same for the layout transition of a wait for events. event_barrier is that of WaitBarriers.
  Suggestion SuggestForWait(absl::Span<const Range> ranges, const Barrier& event_barrier,
                            absl::Span<const uint64_t> events, bool matches_by_access, VkQueueFlags queue_flags);
  // The same for a hazard of a replay from base on. For a race: orders the access after all accesses of the other queue
  // that it races with. To be called in on_hazard, before the replay goes on.
  Suggestion SuggestForReplay(const ReplayHazard& found, Tag base, VkQueueFlags queue_flags);

  // Grows with everything that decides whether a read conflicts: writes, layout transitions, barriers. While it stays
  // the same, a read that was recorded without a hazard need not be recorded again.
  uint64_t version() const { return version_; }

  // The number of events that are set, for tests and statistics.
  size_t SetEventCount() const { return events_.size(); }
  // The number of distinct ranges held, for tests and statistics.
  size_t RangeCount() {
    FlushAll();
    return states_.size();
  }
  // The number of layout transitions without second scope that are tracked, for tests and statistics.
  size_t EmptyScopeTransitionCount() const { return empty_scope_transitions_.size(); }

 private:
  friend ReplayDevice<kMutation>;
  friend RecordingReplay<kMutation>;
  friend ScratchContext<kMutation>;
  friend SuggestionInput<kMutation>;
  // Of tests: what the context has, as text.
  friend class ContextDump;

  // TryRecord tries no commands with more accesses than this.
  static constexpr size_t kMaxFastPathAccesses = 16;
  // IsAfterPending compares an access with this many at most.
  static constexpr uint32_t kFewPending = 4;

  CurrentAccess MakeCurrentAccess(const Access& access, Tag tag, SubpassPhase phase) const;
  ABSL_ATTRIBUTE_ALWAYS_INLINE CurrentAccess MakeCurrentAccess(const Access& access, Tag tag) const {
    return MakeCurrentAccess(access, tag, subpass_.phase());
  }

  // record_accesses.h: accesses, pending (regions.h) or in the map. Flush puts the pending ones of a region, or of all
  // for region 0, into the map.
  Region& GetRegion(uint64_t key) {
    regions_.Reserve(1);
    return regions_.Get(key);
  }
  ABSL_ATTRIBUTE_ALWAYS_INLINE bool IsHazard(AccessState& state, const Access& access, Tag tag) {
    states_.CatchUp(state);
    return Conflicts(state, states_.Reads(state), MakeCurrentAccess(access, tag));
  }
  bool Detect(const Range& range, const CurrentAccess& current, Hazard& hazard);
  // The state of exactly the bytes of an access, when nothing of its region is pending; null if there is none.
  AccessState* FindState(const Access& access) {
    return access.region == 0 ? states_.FindRecent(access.range) : FindState(access, GetRegion(access.region));
  }
  // The same for an access to this region.
  AccessState* FindState(const Access& access, Region& region) {
    const uint32_t state = states_.FindExact(access.range, region.found);
    return state != StateMap<kMutation>::kNoState ? &states_.pool()[state] : nullptr;
  }
  void Record(const Access& access, const CurrentAccess& current);
  ABSL_ATTRIBUTE_ALWAYS_INLINE void RecordInState(AccessState& state, const CurrentAccess& current,
                                                  const Access& access, const Range& part) {
    states_.log().MarkAccessRecorded();
    // A write replaces most of the state, which needs no catching up. It keeps reads of its own command; those are up
    // to date.
    if (current.is_write) {
      state.epoch = states_.log().epoch();
    } else {
      states_.CatchUp(state);
    }
    if (RecordAccess<kMutation>(states_.pool(), state, current)) [[unlikely]]
      JournalFirstAccess(access, part, current.tag);
  }
  void JournalFirstAccess(const Access& access, const Range& part, Tag tag) {
    journal_.AddFirstAccess(access, part, tag, states_.log().epoch(), subpass_.phase());
  }
  void AddPending(Region& region, const Access& access, bool is_write, Tag tag, bool is_first = true);
  // Whether the access is ordered after all accesses of the region that it meets, and these are few and pending.
  // is_first becomes false if one of these wrote all of its bytes.
  bool IsAfterPending(const Region& region, const Access& access, Tag tag, bool& is_first);
  bool IsOrdered(const PendingAccess& prior, const Access& access, Tag tag);
  bool ConflictsAlone(const PendingAccess& prior, const Access& access, Tag tag);
  // Whether changes can be undone, and the access is older than these.
  bool IsBeforeUndoable(const PendingAccess& pending) const {
    return states_.is_undoable() && pending.first_tag < before_.begin;
  }
  void Flush(uint64_t region);
  void FlushAll();
  void FlushRegion(Region& region);
  void RecordPending(const PendingAccess& pending);
  void RecordInLaterState(AccessState& state, const CurrentAccess& current, uint32_t epoch);

  // record_barriers.h: barriers that are limited to the current subpass already.
  void ApplyGlobalLimited(const Barrier& barrier);
  void ApplyRangeLimited(const Range& range, const Barrier& barrier, uint64_t region);
  void ApplyAllLimited(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges, Tag tag);
  void ApplyOne(absl::Span<const Barrier* const> globals, absl::Span<const RangeBarrier> ranges, Tag tag);
  void ApplyToRange(const Range& range, absl::Span<const Barrier* const> covering, uint32_t next_epoch);
  // Returns whether the transition is a first access. is_automatic: it is one of RecordAutomaticTransitions.
  bool RecordTransitionOf(const RangeBarrier& range, Tag tag, bool is_automatic = false);
  void RecordSubpassChange(SubpassChange change, absl::Span<const Barrier* const> barriers, Tag tag);
  void JournalRange(const RangeBarrier& range, Tag tag) {
    if (!is_in_event_) journal_.AddRange(range, tag);
  }

  // record_events.h.
  void ApplyEvent(const EventBarriers& event_barriers, Tag tag);
  void ReleaseStages(VkPipelineStageFlags2 stages);
  void MarkBeforeEvent(VkPipelineStageFlags2 stage, const EventTable::Event& event, size_t number);
  void MarkBefore(VkPipelineStageFlags2 stage, Tag tag, const BarrierScope& src, AccessState& state);

  // synchronize_queues.h: merges a state of another queue; its reads are in merger_.
  void MergeState(AccessState& state, const AccessState& incoming) {
    states_.CatchUp(state);
    merger_.Merge(states_.pool(), state, incoming);
  }
  // Before a merge: notes the atomic accesses that it drops and that are in no order. known is what happened before the
  // signal.
  void NoteUnordered(AccessState& state, const AccessState& incoming, const Range& part, const VectorClock& known);
  // Where the queue of a snapshot has dropped accesses: takes for ordered what happened before its signal.
  void OrderUnordered(const Snapshot& snapshot, uint32_t moved_down, const BarrierScope& dst,
                      const VectorClock& complete, const Range& within);

  // complete_accesses.h.
  void StartLogOver();
  // Whether anything of a region is left in the map, when nothing is pending.
  bool IsInMap(const Region& region) const { return states_.HasAny(region.Bounds()); }

  // track_empty_scope_transitions.h: layout transitions without second scope. Apply is to be called with the barriers
  // that are applied to the states of a range.
  void ApplyToEmptyScopeTransitions(const Range& range, absl::Span<const Barrier* const> barriers, uint32_t next_epoch);
  void DropReplacedTransitions();
  void AddEmptyScopeTransitionsTo(const BarrierScope& src, bool everything, Snapshot& snapshot, const Range& within);
  // Calls visit on the parts of a range of which a layout transition with this tag is the last write.
  void ForEachLastWritten(const Range& range, Tag tag, absl::FunctionRef<void(const Range&, const AccessState&)> visit);

  // suggest_for_context.h: copies of the states within ranges.
  std::vector<StateCopy> CopyStates(absl::Span<const Range> ranges);

  const vk::SyncStageAccessInfo* pairs_ = vk::SyncStageAccesses().data();
  RegionTable regions_;
  // Has the pending accesses too.
  ReplayJournal journal_;
  // The pending accesses that are not in the map.
  size_t pending_count_ = 0;
  EventTable events_;
  // From the event stages of the recorded command buffer that is replayed to those of this context.
  EventStageMap stage_map_;
  // Whether the barriers that are applied are those of an event. The journal gets the event instead of them.
  bool is_in_event_ = false;
  CurrentSubpass<kMutation> subpass_;
  // The replay that goes on: its base, and the log's epoch where it began.
  Tag replay_base_{0};
  uint32_t replay_epoch_ = 0;
  QueueContexts<BasicAccessContext> queues_;
  VkPipelineStageFlags2 device_stages_ = ~VkPipelineStageFlags2{0};
  // See version().
  uint64_t version_ = 0;
  OrderedPairs ordered_pairs_;
  StateMap<kMutation> states_;
  EmptyScopeTransitions empty_scope_transitions_;
  UnorderedAccesses unordered_;
  // What was at BeginUndoable, besides the states.
  struct Before {
    Tag begin;
    uint64_t version = 0;
    ReplayJournal::Position journal;
    // The accesses that were pending then and have been put into the map since.
    std::vector<PendingAccess> flushed;
    EventTable events;
    EmptyScopeTransitions empty_scope_transitions;
    UnorderedAccesses unordered;
    typename CurrentSubpass<kMutation>::Position subpass;
    typename QueueContexts<BasicAccessContext>::Waits waits;
  };
  Before before_;
  // Members for their memory: of MergeSnapshot, of Replay, of ApplyAll.
  StateMerger merger_;
  std::vector<ReplayHazard> hazards_;
  CommandBarriers barriers_;
};

using AccessContext = BasicAccessContext<>;

}  // namespace assay::syncval

// The bodies that callers inline. They come before the instance, or callers do not inline them.
#include "syncval/engine/contexts/try_record.h"

namespace assay::syncval {

extern template class BasicAccessContext<Mutation::kNone>;

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_H_
