// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_REPLAY_RECORDING_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_REPLAY_RECORDING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "syncval/engine/contexts/access_context.h"

namespace assay::syncval {

// One replay of a recorded command buffer in a context, for BasicAccessContext::Replay. It goes through the plan of the
// recorded context, then resolves the states that the command buffer leaves behind. See "Replay" in engine.h.
template <Mutation kMutation>
class RecordingReplay {
 public:
  using Context = BasicAccessContext<kMutation>;
  using OnHazard = typename Context::OnHazard;

  // base is after every tag recorded in the context.
  RecordingReplay(Context& context, Context& recorded, Tag base, OnHazard on_hazard)
      : context_(context), states_(context.states_), recorded_(recorded), base_(base), on_hazard_(on_hazard) {}

  void Run();

 private:
  // The events of the wait that a layout transition is of, if it is of one.
  struct WaitedEvents {
    absl::Span<const uint64_t> events;
    bool matches_by_access = false;
  };

  // Makes the plan of the recorded context unless it has one.
  ReplayPlan& MakePlan();
  void PutOthersIntoMap();

  // Replays first accesses, from one number in the plan up to another.
  void ReplayAccesses(size_t begin, size_t end);
  void ReplayBarriers(const ReplayPlan::Command& command);
  void ReplayEvent(const EventStep& step, Tag tag);

  // Collects the hazards of one access or layout transition. Report reports and clears what was collected.
  void CollectHazards(const PendingAccess& first, bool may_race);
  void CollectHazards(const RangeBarrier& transition, Tag tag, const WaitedEvents& waited);
  void CollectRacesWithOtherQueues(const ReplayHazard& current, bool is_write);
  void Report();

  // Where neither this context nor that of another queue has accessed anything, no first access conflicts, and what the
  // command buffer leaves behind in its map is what remains. FindApart marks these regions.
  void FindApart(ReplayPlan& plan);
  void InsertRegion(const Region& region);

  void ResolveStates();
  // found is that of the region, if the range is one.
  void ResolveStates(const Range& within, FoundState& found);
  void ResolveState(AccessState& state, const AccessState& recorded, absl::Span<const ReadRecord> reads);
  void ResolveEmptyScopeTransitions();

  Tag Offset(Tag tag) const { return OffsetTag(tag, base_); }

  Context& context_;
  StateMap<kMutation>& states_;
  // Only work that is kept for the next replay is done on it.
  Context& recorded_;
  const Tag base_;
  const OnHazard on_hazard_;
  // Whether every region of the recorded context has is_apart set, or not.
  bool knows_apart_ = false;
};

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Replay(BasicAccessContext& recorded, Tag base, OnHazard on_hazard) {
  RecordingReplay<kMutation>(*this, recorded, base, on_hazard).Run();
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::Run() {
  ReplayPlan& plan = MakePlan();
  context_.stage_map_.Clear();
  context_.replay_base_ = base_;
  states_.log().MarkAccessRecorded();
  context_.replay_epoch_ = states_.log().epoch();
  FindApart(plan);
  uint32_t done = 0;
  for (const ReplayPlan::Command& command : plan.commands()) {
    ReplayAccesses(done, command.accesses_before);
    ReplayBarriers(command);
    done = command.accesses_before;
  }
  ReplayAccesses(done, plan.accesses().size());
  ResolveStates();
  recorded_.events_.ForEachDropped(
      [this](const EventTable::Event& event) { context_.events_.DropStagesOf(event.event, Offset(event.tag)); });
  context_.replay_base_ = Tag{0};
}

// A region of which everything is still pending is replayed access by access. Exceptions are the same reads over and
// over, of which the first is replayed, and accesses after others: the map has what they leave.
template <Mutation kMutation>
void RecordingReplay<kMutation>::PutOthersIntoMap() {
  const GrowingArray<PendingAccess>& accesses = recorded_.journal_.accesses();
  recorded_.regions_.ForEach([&](Region& region) {
    if (region.first_pending == Region::kNone || region.is_in_map) return recorded_.FlushRegion(region);
    const PendingAccess& first = accesses[region.first_pending];
    for (uint32_t i = region.first_pending; i != Region::kNone; i = accesses[i].next) {
      const PendingAccess& pending = accesses[i];
      const bool repeats_first =
          i != region.first_pending && pending.access == first.access && pending.phase == first.phase;
      if (repeats_first || pending.tag != pending.first_tag || !pending.is_first) return recorded_.FlushRegion(region);
    }
  });
}

template <Mutation kMutation>
ReplayPlan& RecordingReplay<kMutation>::MakePlan() {
  ReplayJournal& journal = recorded_.journal_;
  if (journal.plan().is_made()) return journal.plan();
  PutOthersIntoMap();
  // For bytes whose last state is in the map, the first read of each kind is enough.
  absl::flat_hash_set<std::pair<Access, SubpassPhase>> reads;
  journal.MakePlan(recorded_.states_.log(), recorded_.regions_, [&](const PendingAccess& first) {
    if (!first.is_first) return false;
    if (recorded_.pairs_[first.access.index].is_write) return true;
    if (first.access.region != 0 && !recorded_.regions_.Get(first.access.region).is_in_map) return true;
    return reads.emplace(first.access, first.phase).second;
  });
  return journal.plan();
}

// A context that is replayed itself has to know all first accesses. With events in it, no command buffer has regions
// here: so its states have no event stages, which would differ in this context.
template <Mutation kMutation>
void RecordingReplay<kMutation>::FindApart(ReplayPlan& plan) {
  knows_apart_ = !plan.regions().empty() && !context_.journal_.is_enabled();
  if (!knows_apart_) return;
  const std::vector<Context*>& others = context_.queues_.others();
  const bool may_race = !std::ranges::all_of(others, [](const Context* other) { return other->regions_.empty(); });
  for (ReplayPlan::RegionUse& use : plan.regions()) {
    const Range bounds = use.region.Bounds();
    const auto knows = [&](const Context* context) {
      const Region* const known = context->regions_.Find(use.region.key);
      return known != nullptr && known->Bounds().Intersects(bounds);
    };
    use.may_race = may_race && std::ranges::any_of(others, knows);
    // Bytes of a region that is not known may have states all the same: of a resource that was there before, or that
    // was accessed without a region.
    use.is_apart = !use.may_race && !use.has_barrier && !knows(&context_) && !states_.HasAny(bounds);
  }
}

// The accesses of one command are all compared before any is recorded.
template <Mutation kMutation>
void RecordingReplay<kMutation>::ReplayAccesses(size_t begin, size_t end) {
  const GrowingArray<PendingAccess>& journal = recorded_.journal_.accesses();
  const ReplayPlan& plan = recorded_.journal_.plan();
  const absl::Span<const uint32_t> accesses = plan.accesses();
  for (size_t next; begin < end; begin = next) {
    const Tag tag = journal[accesses[begin]].first_tag;
    for (next = begin; next < end && journal[accesses[next]].first_tag == tag; ++next) {
      const PendingAccess& first = journal[accesses[next]];
      if (!knows_apart_) {
        CollectHazards(first, true);
      } else if (!plan.RegionOf(next).is_apart) {
        CollectHazards(first, plan.RegionOf(next).may_race);
      }
    }
    Report();
    for (size_t i = begin; i < next; ++i) {
      // Of these, the map has what they leave.
      if (knows_apart_ && plan.RegionOf(i).is_apart && plan.RegionOf(i).region.is_in_map) continue;
      const PendingAccess& first = journal[accesses[i]];
      context_.Update(first.access, Offset(first.first_tag));
    }
  }
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ReplayBarriers(const ReplayPlan::Command& command) {
  if (command.event != RangeStep::kNoEvent) {
    return ReplayEvent(recorded_.journal_.event(command.event), command.tag);
  }
  absl::Span<const Barrier* const> globals;
  if (command.step != ReplayPlan::kNoStep) {
    const BarrierLog& log = recorded_.states_.log();
    globals = log.BarriersAt(command.step);
    const SubpassChange change = log.ChangeAt(command.step);
    if (change != SubpassChange::kNone) return context_.RecordSubpassChange(change, globals, base_);
  }
  const absl::Span<const RangeBarrier> ranges = recorded_.journal_.plan().RangesOf(command);
  for (const RangeBarrier& range : ranges) {
    if (range.layout_transition) CollectHazards(range, command.tag, {});
  }
  Report();
  if (command.is_of_subpass) return context_.RecordAutomaticTransitions(ranges, Offset(command.tag));
  context_.ApplyAllLimited(globals, ranges, Offset(command.tag));
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ReplayEvent(const EventStep& step, Tag tag) {
  const EventCommand command = step.command();
  if (step.kind() == EventStep::Kind::kReset) return context_.ResetEvent(step.event());
  if (step.kind() == EventStep::Kind::kSet) {
    context_.SetEvent(step.event(), command, Offset(tag));
    const std::vector<VkPipelineStageFlags2>& stages = context_.events_.Find(step.event())->stages;
    for (size_t i = 0; i < stages.size(); ++i) context_.stage_map_.Replace(step.stages()[i], stages[i]);
    return;
  }
  const EventBarriers event_barriers = context_.WaitBarriers(step.events(), command);
  for (const RangeBarrier& range : event_barriers.ranges) {
    if (range.layout_transition) CollectHazards(range, tag, {step.events(), command.matches_by_access});
  }
  Report();
  context_.WaitEvents(step.events(), command, Offset(tag));
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::CollectHazards(const PendingAccess& first, bool may_race) {
  CurrentAccess current = context_.MakeCurrentAccess(first.access, Offset(first.tag));
  current.before = base_;
  if (may_race) CollectRacesWithOtherQueues({.access = first.access, .tag = first.first_tag}, current.is_write);
  if (first.access.region != 0) {
    Region& region = context_.GetRegion(first.access.region);
    if (!region.MayConflict(first.access.range, current.is_write)) return;
    context_.FlushRegion(region);
  } else {
    context_.FlushAll();
  }
  const auto compare = [&](const Range& part, AccessState& state) {
    ReplayHazard found{.access = first.access, .tag = first.first_tag};
    if (!DetectAccessHazard(state, states_.Reads(state), current, part, found.hazard)) return;
    found.access.range = part;
    context_.hazards_.push_back(found);
  };
  if (AccessState* state = context_.FindState(first.access); state != nullptr) {
    states_.CatchUp(*state);
    compare(first.access.range, *state);
  } else {
    states_.ForEachState(first.access.range, compare);
  }
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::CollectHazards(const RangeBarrier& transition, Tag tag, const WaitedEvents& waited) {
  const ReplayHazard current{
      .access = {.range = transition.range, .index = vk::kSyncImageLayoutTransition, .region = transition.region},
      .tag = tag,
      .transition = transition.barrier,
      .events = waited.events,
      .hazard = {},
      .matches_by_access = waited.matches_by_access};
  CollectRacesWithOtherQueues(current, true);
  const uint64_t region = transition.region;
  if (region != 0 && !context_.GetRegion(region).MayConflict(transition.range, true)) return;
  context_.Flush(region);
  states_.ForEachState(transition.range, [&](const Range& part, AccessState& state) {
    ReplayHazard found = current;
    found.access.range = part;
    if (DetectTransition(state, states_.Reads(state), transition.barrier->src, base_, part, found.hazard)) {
      context_.hazards_.push_back(found);
    }
  });
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::CollectRacesWithOtherQueues(const ReplayHazard& current, bool is_write) {
  const QueueContexts<Context>& queues = context_.queues_;
  for (Context* other : queues.others()) {
    other->CollectRaces(current, is_write, queues.own(), queues.clock(), context_.hazards_);
  }
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::Report() {
  for (const ReplayHazard& hazard : context_.hazards_) on_hazard_(hazard);
  context_.hazards_.clear();
}

// The plan has first accesses only. The recorded map has the states that the command buffer leaves behind.
template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveStates() {
  if (recorded_.states_.size() == 0) return;
  states_.log().MarkAccessRecorded();
  if (knows_apart_) {
    // All states lie in regions.
    for (const ReplayPlan::RegionUse& use : recorded_.journal_.plan().regions()) {
      if (!use.region.is_in_map) continue;
      if (use.is_apart) {
        InsertRegion(use.region);
      } else {
        Region& known = context_.GetRegion(use.region.key);
        context_.FlushRegion(known);
        ResolveStates(use.region.Bounds(), known.found);
      }
    }
  } else {
    recorded_.regions_.ForEach([this](const Region& region) {
      if (region.is_in_map) context_.Flush(region.key);
    });
    FoundState found;
    ResolveStates(kEverywhere, found);
  }
  ResolveEmptyScopeTransitions();
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveStates(const Range& within, FoundState& found) {
  StateMap<kMutation>& recorded_states = recorded_.states_;
  recorded_states.ForEachAsIs(within, [&](const Range& range, AccessState& last) {
    recorded_states.CatchUp(last);
    const absl::Span<const ReadRecord> reads = recorded_states.Reads(last);
    if (const uint32_t exact = states_.FindExact(range, found); exact != StateMap<kMutation>::kNoState) {
      ResolveState(states_.pool()[exact], last, reads);
    } else {
      states_.ChangeEach(range, true, [&](AccessState& known, const Range&) { ResolveState(known, last, reads); });
    }
  });
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::InsertRegion(const Region& region) {
  Region& known = context_.GetRegion(region.key);
  known.is_in_map = true;
  known.Extend(region);
  ++context_.version_;
  StateMap<kMutation>& recorded_states = recorded_.states_;
  recorded_states.ForEachAsIs(region.Bounds(), [&](const Range& range, AccessState& last) {
    recorded_states.CatchUp(last);
    AccessState& state = states_.Insert(range, last, recorded_states.Reads(last));
    if (kMutation == Mutation::kReplayDropsLastReads) states_.pool().ClearReads(state);
    if (state.HasWrite()) {
      state.write_tag = Offset(state.write_tag);
      state.write_queue = context_.queue();
    }
    for (ReadRecord& read : states_.Reads(state)) {
      read.tag = Offset(read.tag);
      read.queue = context_.queue();
    }
  });
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveState(AccessState& state, const AccessState& recorded,
                                              absl::Span<const ReadRecord> reads) {
  const EventStageMap& stage_map = context_.stage_map_;
  const QueueIndex queue = context_.queue();
  if (recorded.HasWrite()) {
    states_.pool().ClearReads(state);
    state.visible_to = recorded.visible_to;
    state.available_stages = stage_map.Map(recorded.available_stages);
    state.read_stages = recorded.read_stages;
    state.after_read_stages = stage_map.Map(recorded.after_read_stages);
    state.write_tag = Offset(recorded.write_tag);
    state.write_index = recorded.write_index;
    state.source_index = recorded.source_index;
    state.write_queue = queue;
    state.is_write_inside = recorded.is_write_inside;
    state.write_ordering = recorded.write_ordering;
    state.epoch = states_.log().epoch();
  } else {
    states_.CatchUp(state);
    state.read_stages |= recorded.read_stages;
    state.after_read_stages |= stage_map.Map(recorded.after_read_stages);
  }
  if (kMutation == Mutation::kReplayDropsLastReads) return;
  // Drops the first accesses, which were replayed: those that they represent are among the recorded reads.
  if (state.read_count != 0) {
    states_.pool().RemoveReadsIf(state,
                                 [&](const ReadRecord& known) { return known.queue == queue && known.tag >= base_; });
  }
  for (ReadRecord read : reads) {
    read.tag = Offset(read.tag);
    read.queue = queue;
    read.ordered_stages = stage_map.Map(read.ordered_stages);
    states_.pool().AddRead(state, read);
  }
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveEmptyScopeTransitions() {
  EmptyScopeTransitions& transitions = context_.empty_scope_transitions_;
  if (recorded_.empty_scope_transitions_.empty()) return;
  recorded_.DropReplacedTransitions();
  transitions.Resolve(recorded_.empty_scope_transitions_, base_, context_.stage_map_, states_.log().epoch());
  if (transitions.NeedsDropping()) context_.DropReplacedTransitions();
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_REPLAY_RECORDING_H_
