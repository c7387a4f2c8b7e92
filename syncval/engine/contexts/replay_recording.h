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
// recorded context, then resolves the states that the command buffer leaves behind (resolve_recording.h). See "Replay"
// in engine.h.
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

  using RegionUse = ReplayPlan::RegionUse;
  using PlannedAccess = ReplayPlan::PlannedAccess;
  using RecordedWalk = typename StateMap<kMutation>::Walk;

  // Finds what this context knows of the regions that the command buffer accesses, and which of these hold:
  //   - Nothing here conflicts with it (not may_conflict): its accesses are not compared.
  //   - Neither is anything of it known (is_apart): what the command buffer leaves behind in its map is added as it is.
  //   - The states that the command buffer leaves behind stand for all of its accesses (is_left_to_map): those that no
  //     later access is compared with are not recorded one by one.
  void FindRegions(ReplayPlan& plan);

  // Replays first accesses.
  void ReplayAccesses(absl::Span<const PlannedAccess> accesses);
  // Replays those of the first command; returns how many these are.
  size_t ReplayCommand(absl::Span<const PlannedAccess> accesses);
  // Replays an access to a region that its command does not access otherwise. Requires knows_regions_.
  void ReplayAlone(const PlannedAccess& planned);
  void ReplayBarriers(const ReplayPlan::Command& command);
  void ReplayEvent(const EventStep& step, Tag tag);

  // Collects the hazards of one access or layout transition. Report reports and clears what was collected.
  void CollectHazards(const PendingAccess& first, bool may_race);
  // exact is the state of exactly the bytes of the access, if there is one.
  void Compare(const PendingAccess& first, const CurrentAccess& current, AccessState* exact);
  void CollectHazards(const RangeBarrier& transition, Tag tag, const WaitedEvents& waited);
  void CollectRacesWithOtherQueues(const ReplayHazard& current, bool is_write);
  void Report() {
    if (!context_.hazards_.empty()) [[unlikely]]
      ReportCollected();
  }
  void ReportCollected();

  // resolve_recording.h.
  void ResolveStates();
  void ResolveRegions();
  // Inserts what the map has of regions that are apart, from the first of these on; returns how many regions it went
  // through.
  size_t InsertRegions(absl::Span<const RegionUse> uses);
  // Resolves one that the command buffer leaves behind. found is that of the region, if the range is one.
  void ResolveStates(const Range& range, AccessState& last, FoundState& found, bool replaces_reads);
  // replaces_reads: the reads of the command buffer replace those of their kind, of which it may have recorded none.
  void ResolveState(AccessState& state, const AccessState& recorded, absl::Span<const ReadRecord> reads,
                    bool replaces_reads);
  void ResolveWrite(AccessState& state, const AccessState& recorded);
  // Returns false, without any effect, if there is none that the read replaces.
  bool ReplaceRead(AccessState& state, const ReadRecord& read);
  void ResolveEmptyScopeTransitions();

  Tag Offset(Tag tag) const { return OffsetTag(tag, base_); }

  Context& context_;
  StateMap<kMutation>& states_;
  // Only work that is kept for the next replay is done on it.
  Context& recorded_;
  const Tag base_;
  const OnHazard on_hazard_;
  // Whether FindRegions has found all that the command buffer accesses.
  bool knows_regions_ = false;
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
  FindRegions(plan);
  uint32_t done = 0;
  for (const ReplayPlan::Command& command : plan.commands()) {
    ReplayAccesses(plan.accesses().subspan(done, command.accesses_before - done));
    ReplayBarriers(command);
    done = command.accesses_before;
  }
  ReplayAccesses(plan.accesses().subspan(done));
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
void RecordingReplay<kMutation>::FindRegions(ReplayPlan& plan) {
  knows_regions_ = !plan.regions().empty() && !context_.journal_.is_enabled();
  if (!knows_regions_) return;
  const std::vector<Context*>& others = context_.queues_.others();
  const bool may_race = !std::ranges::all_of(others, [](const Context* other) { return other->regions_.empty(); });
  // With room for those of barriers, and for one more that the table wants, they stay where they are.
  context_.regions_.Reserve(plan.regions().size() + plan.range_count() + 1);
  Range free;
  const auto has_states = [&](const Range& bounds) {
    if (!free.Contains(bounds)) free = states_.FreeFrom(bounds.begin);
    return !free.Contains(bounds);
  };
  for (RegionUse& use : plan.regions()) {
    const Region& region = use.region;
    const Range bounds = region.Bounds();
    const auto is_known_to = [&](const Context* other) {
      const Region* const known = other->regions_.Find(region.key);
      return known != nullptr && known->Bounds().Intersects(bounds);
    };
    use.known = &context_.regions_.Get(region.key);
    use.may_race = may_race && std::ranges::any_of(others, is_known_to);
    use.may_conflict = use.known->MayConflict(region.reads, false) || use.known->MayConflict(region.writes, true);
    // Bytes of a region that is not known may have states all the same: of a resource that was there before, or that
    // was accessed without a region.
    use.is_apart = !use.may_race && !use.has_barrier && !use.known->Bounds().Intersects(bounds) && !has_states(bounds);
    // A read of a subpass replaces none from before the replay.
    use.is_left_to_map = region.is_in_map && !use.has_barrier && (use.is_apart || !use.is_in_subpass);
    if (!use.is_apart && (use.may_conflict || region.is_in_map)) states_.FindNext(bounds, use.known->found);
  }
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ReplayAccesses(absl::Span<const PlannedAccess> accesses) {
  while (!accesses.empty()) {
    if (knows_regions_ && accesses.front().is_apart_in_command) {
      ReplayAlone(accesses.front());
      accesses.remove_prefix(1);
    } else {
      accesses.remove_prefix(ReplayCommand(accesses));
    }
  }
}

// The accesses of one command are all compared before any is recorded.
template <Mutation kMutation>
size_t RecordingReplay<kMutation>::ReplayCommand(absl::Span<const PlannedAccess> accesses) {
  const GrowingArray<PendingAccess>& journal = recorded_.journal_.accesses();
  const ReplayPlan& plan = recorded_.journal_.plan();
  const Tag tag = journal[accesses.front().number].first_tag;
  size_t count = 0;
  for (; count < accesses.size() && journal[accesses[count].number].first_tag == tag; ++count) {
    const PendingAccess& first = journal[accesses[count].number];
    if (!knows_regions_) {
      CollectHazards(first, true);
    } else if (const RegionUse& use = plan.RegionOf(accesses[count]); use.may_race || use.may_conflict) {
      CollectHazards(first, use.may_race);
    }
  }
  Report();
  for (const PlannedAccess& planned : accesses.first(count)) {
    if (knows_regions_ && plan.RegionOf(planned).is_left_to_map && !plan.RegionOf(planned).may_conflict) continue;
    const PendingAccess& first = journal[planned.number];
    context_.Update(first.access, Offset(first.first_tag));
  }
  return count;
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ReplayAlone(const PlannedAccess& planned) {
  const RegionUse& use = recorded_.journal_.plan().RegionOf(planned);
  if (use.is_left_to_map && !use.may_conflict && !use.may_race) return;
  const PendingAccess& first = recorded_.journal_.accesses()[planned.number];
  const Access& access = first.access;
  Region& known = *use.known;
  const bool is_write = context_.pairs_[access.index].is_write;
  if (use.may_race) {
    CollectRacesWithOtherQueues({.access = access, .tag = first.first_tag}, is_write);
    Report();
  }
  const bool is_left_to_map = use.is_left_to_map && (!use.may_conflict || (planned.is_last_of_region && !is_write));
  if (!known.MayConflict(access.range, is_write)) {
    if (is_left_to_map) return;
    context_.version_ += is_write;
    return context_.AddPending(known, access, is_write, Offset(first.first_tag));
  }
  if (!use.may_conflict && is_left_to_map) return;
  context_.FlushRegion(known);
  CurrentAccess current = context_.MakeCurrentAccess(access, Offset(first.tag));
  current.before = base_;
  AccessState* state = context_.FindState(access, known);
  if (use.may_conflict) Compare(first, current, state);
  if (!context_.hazards_.empty()) [[unlikely]] {
    ReportCollected();
    state = context_.FindState(access, known);
  }
  if (is_left_to_map) return;
  context_.version_ += is_write;
  current.tag = current.before = Offset(first.first_tag);
  known.ExtendInMap(access.range, is_write);
  if (state != nullptr) {
    context_.RecordInState(*state, current, access, access.range);
  } else {
    context_.Record(access, current);
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
  Compare(first, current, context_.FindState(first.access));
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::Compare(const PendingAccess& first, const CurrentAccess& current, AccessState* exact) {
  const auto compare = [&](const Range& part, AccessState& state) {
    const absl::Span<const ReadRecord> reads = states_.Reads(state);
    if (!Conflicts(state, reads, current)) [[likely]]
      return;
    ReplayHazard found{.access = first.access, .tag = first.first_tag};
    found.access.range = part;
    AddAccessHazard(state, reads, current, part, found.hazard);
    context_.hazards_.push_back(found);
  };
  if (exact != nullptr) {
    states_.CatchUp(*exact);
    compare(first.access.range, *exact);
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
void RecordingReplay<kMutation>::ReportCollected() {
  for (const ReplayHazard& hazard : context_.hazards_) on_hazard_(hazard);
  context_.hazards_.clear();
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_REPLAY_RECORDING_H_
