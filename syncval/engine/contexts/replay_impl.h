// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_REPLAY_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_REPLAY_IMPL_H_

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "syncval/engine/contexts/access_context.h"

// Replay and resolve: the bodies of BasicAccessContext that let one context meet another. See access_context_impl.h.
namespace assay::syncval {

// ---- The plan

// A region of which everything is still pending is replayed access by access, unless it is the same reads over and
// over: of these the first is replayed, and the map has the last.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::PutRepeatedReadsIntoMap() {
  regions_.ForEach([this](Region& region) {
    if (region.first_pending == Region::kNone || region.is_in_map) return FlushRegion(region);
    const PendingAccess& first = journal_[region.first_pending];
    for (uint32_t i = region.first_pending; i != Region::kNone; i = journal_[i].next) {
      const PendingAccess& pending = journal_[i];
      const bool repeats_first =
          i != region.first_pending && pending.access == first.access && pending.phase == first.phase;
      if (repeats_first || pending.tag != pending.first_tag) return FlushRegion(region);
    }
  });
}

template <Mutation kMutation>
const ReplayPlan& BasicAccessContext<kMutation>::MakePlan() {
  if (plan_.is_made()) return plan_;
  PutRepeatedReadsIntoMap();
  // Where the map says what became of the bytes, the first read of each kind is enough.
  absl::flat_hash_set<std::pair<Access, SubpassPhase>> reads;
  plan_.Make(journal_, range_journal_, log_, [&](const PendingAccess& first) {
    if (pairs_[first.access.index].is_write) return true;
    if (first.access.region != 0 && !regions_.Get(first.access.region).is_in_map) return true;
    return reads.emplace(first.access, first.phase).second;
  });
  return plan_;
}

// ---- Replay

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Replay(BasicAccessContext& recorded, Tag base, OnHazard on_hazard) {
  const ReplayPlan& plan = recorded.MakePlan();
  stage_map_.Clear();
  replay_base_ = base;
  log_.MarkAccessRecorded();
  replay_epoch_ = log_.epoch();
  absl::Span<const uint32_t> accesses = plan.accesses();
  uint32_t done = 0;
  for (const ReplayPlan::Command& command : plan.commands()) {
    ReplayAccesses(recorded, accesses.subspan(done, command.accesses_before - done), base, on_hazard);
    ReplayBarriers(recorded, command, base, on_hazard);
    done = command.accesses_before;
  }
  ReplayAccesses(recorded, accesses.subspan(done), base, on_hazard);
  ResolveStates(recorded, base);
  replay_base_ = Tag{0};
}

// The accesses of one command are all compared before any is recorded.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ReplayAccesses(const BasicAccessContext& recorded,
                                                   absl::Span<const uint32_t> accesses, Tag base, OnHazard on_hazard) {
  const GrowingArray<PendingAccess>& journal = recorded.journal_;
  for (size_t begin = 0, end; begin < accesses.size(); begin = end) {
    const Tag tag = journal[accesses[begin]].first_tag;
    for (end = begin; end < accesses.size() && journal[accesses[end]].first_tag == tag; ++end) {
      CollectHazards(journal[accesses[end]], base);
    }
    ReportHazards(on_hazard);
    for (size_t i = begin; i < end; ++i) {
      const PendingAccess& first = journal[accesses[i]];
      Update(first.access, OffsetTag(first.first_tag, base));
    }
  }
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::CollectHazards(const PendingAccess& first, Tag base) {
  CurrentAccess current = MakeCurrentAccess(first.access, OffsetTag(first.tag, base));
  current.before = base;
  CollectRacesWithOtherQueues({.access = first.access, .tag = first.first_tag}, current.is_write);
  if (first.access.region != 0 && !GetRegion(first.access.region).MayConflict(first.access.range, current.is_write))
    return;
  Flush(first.access.region);
  ForEachState(first.access.range, [&](const Range& part, AccessState& state) {
    ReplayHazard found{.access = first.access, .tag = first.first_tag};
    if (!DetectAccessHazard(state, pool_.Reads(state), current, part, found.hazard)) return;
    found.access.range = part;
    hazards_.push_back(found);
  });
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::CollectHazards(const RangeBarrier& transition, Tag tag, Tag base,
                                                   absl::Span<const uint64_t> events, bool matches_by_access) {
  const ReplayHazard current{
      .access = {.range = transition.range, .index = vk::kSyncImageLayoutTransition, .region = transition.region},
      .tag = tag,
      .transition = transition.barrier,
      .events = events,
      .hazard = {},
      .matches_by_access = matches_by_access};
  CollectRacesWithOtherQueues(current, true);
  if (transition.region != 0 && !GetRegion(transition.region).MayConflict(transition.range, true)) return;
  Flush(transition.region);
  ForEachState(transition.range, [&](const Range& part, AccessState& state) {
    ReplayHazard found = current;
    found.access.range = part;
    if (DetectTransition(state, pool_.Reads(state), transition.barrier->src, base, part, found.hazard)) {
      hazards_.push_back(found);
    }
  });
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ReplayBarriers(const BasicAccessContext& recorded,
                                                   const ReplayPlan::Command& command, Tag base, OnHazard on_hazard) {
  if (command.event != RangeStep::kNoEvent) {
    return ReplayEvent(recorded.event_journal_[command.event], command.tag, base, on_hazard);
  }
  absl::Span<const Barrier* const> globals;
  if (command.step != ReplayPlan::kNoStep) {
    globals = recorded.log_.BarriersAt(command.step);
    const SubpassChange change = recorded.log_.ChangeAt(command.step);
    if (change != SubpassChange::kNone) return RecordSubpassChange(change, globals, base);
  }
  const absl::Span<const RangeBarrier> ranges = recorded.plan_.RangesOf(command);
  for (const RangeBarrier& range : ranges) {
    if (range.layout_transition) CollectHazards(range, command.tag, base);
  }
  ReportHazards(on_hazard);
  if (command.is_of_subpass) return RecordAutomaticTransitions(ranges, OffsetTag(command.tag, base));
  ApplyAllLimited(globals, ranges, OffsetTag(command.tag, base));
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ReportHazards(OnHazard on_hazard) {
  for (const ReplayHazard& hazard : hazards_) on_hazard(hazard);
  hazards_.clear();
}

// ---- Resolve

// Where the plan has first accesses only, the map says what the command buffer leaves behind.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ResolveStates(BasicAccessContext& recorded, Tag base) {
  if (recorded.map_.size() == 0) return;
  log_.MarkAccessRecorded();
  recorded.regions_.ForEach([this](Region& region) {
    if (region.is_in_map) Flush(region.key);
  });
  for (RangeMap::Cursor cursor = recorded.map_.Find(0); !recorded.map_.AtEnd(cursor);
       cursor = recorded.map_.Next(cursor)) {
    const RangeMap::Entry& entry = recorded.map_.At(cursor);
    AccessState& last = recorded.pool_[entry.state];
    recorded.CatchUp(last);
    const absl::Span<const ReadRecord> reads = recorded.pool_.Reads(last);
    if (AccessState* state = FindRecent(entry.range()); state != nullptr) {
      ResolveState(*state, last, reads, base);
    } else {
      ChangeEach(entry.range(), true,
                 [&](AccessState& known, const Range&) { ResolveState(known, last, reads, base); });
    }
  }
  ResolveEmptyScopeTransitions(recorded, base);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ResolveEmptyScopeTransitions(BasicAccessContext& recorded, Tag base) {
  if (recorded.empty_scope_transitions_.empty()) return;
  recorded.DropReplacedTransitions();
  empty_scope_transitions_.Resolve(recorded.empty_scope_transitions_, base, stage_map_, log_.epoch());
  if (empty_scope_transitions_.NeedsDropping()) DropReplacedTransitions();
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ResolveState(AccessState& state, const AccessState& recorded,
                                                 absl::Span<const ReadRecord> reads, Tag base) {
  if (recorded.HasWrite()) {
    pool_.ClearReads(state);
    state.visible_to = recorded.visible_to;
    state.available_stages = stage_map_.Map(recorded.available_stages);
    state.read_stages = recorded.read_stages;
    state.after_read_stages = stage_map_.Map(recorded.after_read_stages);
    state.write_tag = OffsetTag(recorded.write_tag, base);
    state.write_index = recorded.write_index;
    state.source_index = recorded.source_index;
    state.write_queue = queue_;
    state.is_write_inside = recorded.is_write_inside;
    state.epoch = log_.epoch();
  } else {
    CatchUp(state);
    state.read_stages |= recorded.read_stages;
    state.after_read_stages |= stage_map_.Map(recorded.after_read_stages);
  }
  if (kMutation == Mutation::kReplayDropsLastReads) return;
  // The first accesses, which were replayed; what they stand for is among the reads.
  pool_.RemoveReadsIf(state, [&](const ReadRecord& known) { return known.queue == queue_ && known.tag >= base; });
  for (ReadRecord read : reads) {
    read.tag = OffsetTag(read.tag, base);
    read.queue = queue_;
    read.ordered_stages = stage_map_.Map(read.ordered_stages);
    pool_.AddRead(state, read);
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_REPLAY_IMPL_H_
