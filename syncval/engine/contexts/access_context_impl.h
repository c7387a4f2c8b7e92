// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_IMPL_H_

#include <algorithm>

#include "syncval/engine/barriers/transition_flags.h"
#include "syncval/engine/contexts/access_context.h"
#include "syncval/engine/contexts/event_impl.h"
#include "syncval/engine/contexts/replay_impl.h"
#include "syncval/engine/contexts/resolve_impl.h"
#include "syncval/engine/contexts/suggest_impl.h"

// The bodies of BasicAccessContext: for access_context.cc, and for tests that plant a defect.
namespace assay::syncval {

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Reset() {
  regions_.Clear();
  journal_.clear();
  range_journal_.clear();
  plan_.Clear();
  events_.Clear();
  event_journal_.clear();
  pending_count_ = 0;
  ++version_;
  map_.Clear();
  pool_.Clear();
  log_.Clear();
  empty_scope_transitions_.Clear();
  phase_ = SubpassPhase();
  phase_begin_ = Tag{0};
  automatic_transitions_begin_ = Tag();
  ++map_version_;
}

template <Mutation kMutation>
template <typename Visit>
void BasicAccessContext<kMutation>::ForEachState(const Range& range, Visit&& visit) {
  for (RangeMap::Cursor cursor = map_.Find(range.begin); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    const RangeMap::Entry& entry = map_.At(cursor);
    if (entry.begin >= range.end) break;
    if (entry.range() == range) AddRecent(range, entry.state);
    AccessState& state = pool_[entry.state];
    CatchUp(state);
    visit(Range{std::max(entry.begin, range.begin), std::min(entry.end, range.end)}, state);
  }
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::Detect(const Range& range, const CurrentAccess& current, Hazard& hazard) {
  bool found = false;
  ForEachState(range, [&](const Range& part, AccessState& state) {
    found |= DetectAccessHazard(state, pool_.Reads(state), current, part, hazard);
  });
  return found;
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Record(const Access& access, const CurrentAccess& current) {
  ChangeEach(access.range, true,
             [&](AccessState& state, const Range& part) { RecordInState(state, current, access, part); });
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::DetectHazard(const Access& access, Tag tag, Hazard& hazard) {
  const CurrentAccess current = MakeCurrentAccess(access, tag);
  if (access.region != 0 && !GetRegion(access.region).MayConflict(access.range, current.is_write)) return false;
  Flush(access.region);
  if (AccessState* state = FindRecent(access.range); state != nullptr) {
    CatchUp(*state);
    return DetectAccessHazard(*state, pool_.Reads(*state), current, access.range, hazard);
  }
  return Detect(access.range, current, hazard);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Update(const Access& access, Tag tag) {
  const CurrentAccess current = MakeCurrentAccess(access, tag);
  version_ += current.is_write;
  if (access.region != 0) {
    Region& region = GetRegion(access.region);
    if (!region.MayConflict(access.range, current.is_write)) {
      AddPending(region, access, current.is_write, tag);
      return;
    }
    region.ExtendInMap(access.range, current.is_write);
  }
  Flush(access.region);
  if (AccessState* state = FindRecent(access.range); state != nullptr) {
    RecordInState(*state, current, access, access.range);
    return;
  }
  Record(access, current);
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::DetectAndUpdate(const Access& access, Tag tag, Hazard& hazard) {
  const CurrentAccess current = MakeCurrentAccess(access, tag);
  version_ += current.is_write;
  if (access.region != 0) {
    Region& region = GetRegion(access.region);
    if (!region.MayConflict(access.range, current.is_write)) {
      AddPending(region, access, current.is_write, tag);
      return false;
    }
    region.ExtendInMap(access.range, current.is_write);
  }
  Flush(access.region);
  log_.MarkAccessRecorded();
  if (AccessState* state = FindRecent(access.range); state != nullptr) {
    CatchUp(*state);
    const bool found = DetectAccessHazard(*state, pool_.Reads(*state), current, access.range, hazard);
    if (RecordAccess<kMutation>(pool_, *state, current)) [[unlikely]]
      JournalFirstAccess(access, access.range, tag);
    return found;
  }
  const bool found = Detect(access.range, current, hazard);
  if (AccessState* state = FindRecent(access.range); state != nullptr) {
    RecordInState(*state, current, access, access.range);
  } else {
    Record(access, current);
  }
  return found;
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::DetectLayoutTransition(const Range& range, const Barrier& barrier, Hazard& hazard,
                                                           uint64_t region) {
  subpass_barriers_.clear();
  return DetectTransitionOf({range, LimitToSubpass(&barrier), true, region}, hazard);
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::DetectTransitionOf(const RangeBarrier& transition, Hazard& hazard) {
  const Range& range = transition.range;
  const BarrierScope& src = transition.barrier->src;
  if (transition.region != 0 && !GetRegion(transition.region).MayConflict(range, true)) return false;
  Flush(transition.region);
  if (AccessState* state = FindRecent(range); state != nullptr) {
    CatchUp(*state);
    return DetectTransition(*state, pool_.Reads(*state), src, Tag(), range, hazard);
  }
  bool found = false;
  ForEachState(range, [&](const Range& part, AccessState& state) {
    found |= DetectTransition(state, pool_.Reads(state), src, Tag(), part, hazard);
  });
  return found;
}

// ---- What is pending

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Flush(uint64_t region) {
  if (pending_count_ == 0) return;
  if (region == 0) {
    FlushAll();
  } else {
    FlushRegion(GetRegion(region));
  }
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::FlushAll() {
  if (pending_count_ == 0) return;
  regions_.ForEach([this](Region& region) { FlushRegion(region); });
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::FlushRegion(Region& region) {
  if (region.first_pending == Region::kNone) return;
  for (uint32_t i = region.first_pending; i != Region::kNone; i = journal_[i].next) {
    RecordPending(journal_[i]);
    --pending_count_;
  }
  region.is_in_map = true;
  region.first_pending = Region::kNone;
  region.last_pending = Region::kNone;
  if (pending_count_ == 0 && !keeps_journal_) journal_.clear();
}

// As if the access had been recorded when it was made, before the barriers since.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::RecordPending(const PendingAccess& pending) {
  const CurrentAccess current = MakeCurrentAccess(pending.access, pending.tag, pending.phase);
  ChangeEach(pending.access.range, true, pending.epoch, [&](AccessState& state, const Range&) {
    if (state.epoch < pending.epoch) log_.CatchUp<kMutation>(state, pool_.Reads(state), pending.epoch);
    if (state.epoch == pending.epoch) {
      RecordAccess<kMutation>(pool_, state, current);
    } else {
      RecordInLaterState(state, current, pending.epoch);
    }
  });
}

// The state has seen barriers that the access has not: it was brought up to date to be compared with its neighbour.
// What barriers do to a state they do to each of its accesses by itself (the sets of the algebra are unions over them),
// so the access sees them in a state of its own.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::RecordInLaterState(AccessState& state, const CurrentAccess& current,
                                                       uint32_t epoch) {
  AccessState alone;
  alone.epoch = epoch;
  if (current.is_write) {
    alone.write_index = current.index;
    alone.source_index = current.index;
    alone.write_tag = current.tag;
    alone.is_write_inside = current.is_inside;
  } else {
    alone.read_count = 1;
    alone.inline_reads[0] = MakeRead(current);
    if (current.tag != state.write_tag) alone.read_stages = current.stage;
  }
  log_.CatchUp<kMutation>(alone, {alone.inline_reads.data(), alone.read_count}, state.epoch);
  if (current.is_write) {
    RecordAccess<kMutation>(pool_, state, current);
    state.visible_to = alone.visible_to;
    state.available_stages = alone.available_stages;
    state.is_write_inside = alone.is_write_inside;
    return;
  }
  const ReadRecord& later = alone.inline_reads[0];
  state.read_stages |= alone.read_stages;
  state.after_read_stages |= alone.after_read_stages;
  // What is of a subpass that has ended since replaces nothing that was before the subpass.
  const bool is_moved = later.stage != current.stage_code;
  pool_.RemoveReadsIf(state, [&](const ReadRecord& read) {
    return read.IsLike(later) && read.stage == later.stage && (!is_moved || read.tag == later.tag);
  });
  pool_.AddRead(state, later);
  if (is_moved) DropRepeatedReads(pool_, state, current);
}

// ---- Barriers

template <Mutation kMutation>
const Barrier* BasicAccessContext<kMutation>::LimitToSubpass(const Barrier* barrier) {
  if (!phase_.is_inside()) return barrier;
  subpass_barriers_.push_back(barrier->Inside());
  if (kMutation == Mutation::kSubpassBarrierCoversAll) {
    subpass_barriers_.back().src.stages.outside = barrier->src.stages.outside;
    subpass_barriers_.back().id = 0;
  }
  return &subpass_barriers_.back();
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyGlobal(const Barrier& barrier) {
  subpass_barriers_.clear();
  ApplyGlobalLimited(*LimitToSubpass(&barrier));
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyRange(const Range& range, const Barrier& barrier, uint64_t region) {
  subpass_barriers_.clear();
  ApplyRangeLimited(range, *LimitToSubpass(&barrier), region);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyAll(absl::Span<const Barrier* const> globals,
                                             absl::Span<const RangeBarrier> ranges, Tag tag) {
  if (!phase_.is_inside()) return ApplyAllLimited(globals, ranges, tag);
  subpass_barriers_.clear();
  subpass_globals_.clear();
  subpass_ranges_.clear();
  for (const Barrier* barrier : globals) subpass_globals_.push_back(LimitToSubpass(barrier));
  const Barrier* previous = nullptr;
  for (RangeBarrier range : ranges) {
    const bool is_same = range.barrier == previous;
    previous = range.barrier;
    range.barrier = is_same ? subpass_ranges_.back().barrier : LimitToSubpass(range.barrier);
    subpass_ranges_.push_back(range);
  }
  ApplyAllLimited(subpass_globals_, subpass_ranges_, tag);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyGlobalLimited(const Barrier& barrier) {
  ++version_;
  const Barrier* pointer = &barrier;
  log_.Append({&pointer, 1});
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::OrderEverything() {
  // All stages but those that end with a render pass.
  const StageSet stages(~VkPipelineStageFlags2{0}, phase_.is_inside() ? ~kDependencyStages : 0);
  const AccessSet accesses(~SyncAccessMask(), phase_.is_inside() ? ~SyncAccessMask() : SyncAccessMask());
  const BarrierScope everything{{~VkPipelineStageFlags2{0}, ~VkPipelineStageFlags2{0}}, ~AccessSet()};
  ApplyGlobalLimited({everything, {stages, accesses}});
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyRangeLimited(const Range& range, const Barrier& barrier, uint64_t region) {
  if (!barrier.HasEffect()) return;
  Flush(region);
  // The range sees the whole barrier at once; everything else finds the execution dependency in the log.
  const Barrier execution = barrier.ExecutionOnly();
  const Barrier* const in_log = &execution;
  const uint32_t next_epoch = log_.EpochAfter({&in_log, 1});
  if (!empty_scope_transitions_.empty()) [[unlikely]] {
    const Barrier* const whole = &barrier;
    ApplyToEmptyScopeTransitions(range, {&whole, 1}, next_epoch);
  }
  const auto apply = [&](AccessState& state) {
    CatchUp(state);
    ApplyBarrier<kMutation>(state, pool_.Reads(state), barrier);
    state.epoch = next_epoch;
  };
  if (AccessState* state = FindRecent(range); state != nullptr) {
    if (!state->HasWrite()) {
      BeginCommand(log_.epoch(), next_epoch);
      JournalRange({range, &barrier, false, region}, Tag());
    }
    apply(*state);
  } else {
    BeginCommand(log_.epoch(), next_epoch);
    JournalRange({range, &barrier, false, region}, Tag());
    ChangeEach(range, false, [&](AccessState& state, const Range&) { apply(state); });
  }
  ApplyGlobalLimited(execution);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyAllLimited(absl::Span<const Barrier* const> globals,
                                                    absl::Span<const RangeBarrier> ranges, Tag tag) {
  if (globals.size() + ranges.size() == 1) {
    ApplyOne(globals, ranges, tag);
    return;
  }
  ++version_;
  for (const RangeBarrier& range : ranges) {
    Flush(range.region);
    if (range.layout_transition && range.region != 0) GetRegion(range.region).ExtendInMap(range.range, true);
  }
  CollectCommandBarriers(globals, ranges);
  BeginCommand(log_.epoch(), log_.EpochAfter(command_barriers_));
  for (const RangeBarrier& range : ranges) {
    if (!range.layout_transition && range.barrier->HasEffect()) JournalRange(range, tag);
  }
  if (!command_barriers_.empty()) {
    ApplyToRanges(ranges, log_.EpochAfter(command_barriers_));
    log_.Append(command_barriers_);
  }
  for (const RangeBarrier& range : ranges) {
    if (range.layout_transition && RecordTransitionOf(range, tag)) JournalRange(range, tag);
  }
}

// Most commands have one barrier, for which there is nothing to stand beside it.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyOne(absl::Span<const Barrier* const> globals,
                                             absl::Span<const RangeBarrier> ranges, Tag tag) {
  if (ranges.empty()) {
    ApplyGlobalLimited(*globals.front());
    return;
  }
  const RangeBarrier& range = ranges.front();
  if (!range.layout_transition) {
    ApplyRangeLimited(range.range, *range.barrier, range.region);
    return;
  }
  Flush(range.region);
  if (range.region != 0) GetRegion(range.region).ExtendInMap(range.range, true);
  const uint32_t epoch = log_.epoch();
  ApplyGlobalLimited(range.barrier->ExecutionOnly());
  if (RecordTransitionOf(range, tag)) [[unlikely]] {
    BeginCommand(epoch, log_.epoch());
    JournalRange(range, tag);
  }
}

// ---- Render passes

template <Mutation kMutation>
void BasicAccessContext<kMutation>::RecordSubpassChange(SubpassChange change, absl::Span<const Barrier* const> barriers,
                                                        Tag tag) {
  ++version_;
  log_.AppendChange(change, barriers);
  // Between two subpasses there is none.
  phase_.number += 1;
  phase_begin_ = tag;
  if (change != SubpassChange::kEnter) automatic_transitions_begin_ = Tag();
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::RecordAutomaticTransitions(absl::Span<const RangeBarrier> transitions, Tag tag) {
  if (transitions.empty()) return;
  ++version_;
  automatic_transitions_begin_ = std::min(automatic_transitions_begin_, tag);
  BeginCommand(log_.epoch(), log_.epoch());
  for (const RangeBarrier& range : transitions) {
    Flush(range.region);
    if (range.region != 0) GetRegion(range.region).ExtendInMap(range.range, true);
    if (!RecordTransitionOf(range, tag, true) || !keeps_journal_) continue;
    JournalRange(range, tag);
    range_journal_.back().is_of_subpass = true;
  }
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::RecordTransitionOf(const RangeBarrier& range, Tag tag, bool is_automatic) {
  log_.MarkAccessRecorded();
  // An automatic transition is between scopes: for the subpass that begins, or for what follows upon the last one.
  const bool is_inside = phase_.is_inside() != is_automatic;
  VkPipelineStageFlags2 flags = is_automatic && is_inside ? kForSubpass : 0;
  if (IsEmptyScope(range.barrier->dst)) [[unlikely]] {
    // The second scope of the wait for an event is all that follows, in the subpass and after it.
    empty_scope_transitions_.Add(range.range, tag, log_.epoch(), !is_inside || is_in_event_, is_inside);
    flags |= TransitionFlagsOf(*range.barrier);
  }
  const auto record = [&](AccessState& state) {
    const bool is_first = RecordTransition(pool_, state, range.barrier->dst, tag, queue_);
    state.available_stages.ended |= flags;
    state.epoch = log_.epoch();
    return is_first;
  };
  if (AccessState* state = FindRecent(range.range); state != nullptr) return record(*state);
  bool is_first = false;
  ChangeEach(range.range, true, [&](AccessState& state, const Range&) { is_first |= record(state); });
  return is_first;
}

// ---- The journal

template <Mutation kMutation>
void BasicAccessContext<kMutation>::JournalRange(const RangeBarrier& range, Tag tag) {
  if (!keeps_journal_ || is_in_event_ || RepeatsLastRange(range)) return;
  range_journal_.push_back({.range = range.range,
                            .barrier = *range.barrier,
                            .region = range.region,
                            .tag = tag,
                            .journal_size = static_cast<uint32_t>(journal_.size()),
                            .epoch = command_epoch_,
                            .has_step = command_has_step_,
                            .layout_transition = range.layout_transition,
                            .begins_command = command_is_new_});
  command_is_new_ = false;
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::CollectCommandBarriers(absl::Span<const Barrier* const> globals,
                                                           absl::Span<const RangeBarrier> ranges) {
  execution_barriers_.clear();
  command_barriers_.clear();
  const Barrier* previous = nullptr;
  for (const RangeBarrier& range : ranges) {
    // An image's barrier comes once for each part of the image.
    if (range.barrier == previous || !range.barrier->HasEffect()) continue;
    previous = range.barrier;
    const Barrier execution = previous->ExecutionOnly();
    if (std::ranges::find(execution_barriers_, execution) == execution_barriers_.end())
      execution_barriers_.push_back(execution);
  }
  for (const Barrier* global : globals) {
    if (global->HasEffect()) command_barriers_.push_back(global);
  }
  for (const Barrier& execution : execution_barriers_) command_barriers_.push_back(&execution);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyToRanges(absl::Span<const RangeBarrier> ranges, uint32_t next_epoch) {
  if (ranges.size() > 1 && RangesOverlap(ranges)) {
    ApplyToOverlappingRanges(ranges, next_epoch);
    return;
  }
  for (const RangeBarrier& range : ranges) {
    if (range.layout_transition) continue;
    range_barriers_.assign(command_barriers_.begin(), command_barriers_.end());
    range_barriers_.push_back(range.barrier);
    ApplyToRange(range.range, next_epoch);
  }
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyToRange(const Range& range, uint32_t next_epoch) {
  if (!empty_scope_transitions_.empty()) [[unlikely]]
    ApplyToEmptyScopeTransitions(range, range_barriers_, next_epoch);
  const auto apply = [&](AccessState& state) {
    CatchUp(state);
    ApplyBarriers<kMutation>(state, pool_.Reads(state), range_barriers_);
    state.epoch = next_epoch;
  };
  if (AccessState* state = FindRecent(range); state != nullptr) {
    apply(*state);
  } else {
    ChangeEach(range, false, [&](AccessState& state, const Range&) { apply(state); });
  }
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::RangesOverlap(absl::Span<const RangeBarrier> ranges) {
  sorted_ranges_.clear();
  for (const RangeBarrier& range : ranges) {
    if (!range.layout_transition) sorted_ranges_.push_back(range.range);
  }
  std::ranges::sort(sorted_ranges_, {}, &Range::begin);
  for (size_t i = 1; i < sorted_ranges_.size(); ++i) {
    if (sorted_ranges_[i].begin < sorted_ranges_[i - 1].end) return true;
  }
  return false;
}

// Where barriers of one command overlap, they must all see the state as it was: cuts the ranges at each other's ends
// and applies to each piece all that cover it, in one step.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyToOverlappingRanges(absl::Span<const RangeBarrier> ranges,
                                                             uint32_t next_epoch) {
  bounds_.clear();
  for (const Range& range : sorted_ranges_) {
    bounds_.push_back(range.begin);
    bounds_.push_back(range.end);
  }
  std::ranges::sort(bounds_);
  for (size_t i = 1; i < bounds_.size(); ++i) {
    const Range piece{bounds_[i - 1], bounds_[i]};
    if (piece.begin == piece.end) continue;
    range_barriers_.assign(command_barriers_.begin(), command_barriers_.end());
    for (const RangeBarrier& range : ranges) {
      if (!range.layout_transition && range.range.Intersects(piece)) range_barriers_.push_back(range.barrier);
    }
    if (range_barriers_.size() != command_barriers_.size()) ApplyToRange(piece, next_epoch);
  }
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::RepeatsLastRange(const RangeBarrier& range) const {
  if (command_has_step_ || range.layout_transition || range_journal_.empty()) return false;
  const RangeStep& last = range_journal_.back();
  return last.range == range.range && last.epoch + (last.has_step ? 1 : 0) == command_epoch_ &&
         last.journal_size == journal_.size() && !last.layout_transition && last.barrier == *range.barrier;
}

// ---- The map

template <Mutation kMutation>
RangeMap::Cursor BasicAccessContext<kMutation>::Cut(RangeMap::Cursor cursor, uint64_t address) {
  ++map_version_;
  const RangeMap::Entry entry = map_.At(cursor);
  map_.SetEnd(cursor, address);
  return map_.Insert(map_.Next(cursor), {address, entry.end, pool_.Copy(entry.state)});
}

template <Mutation kMutation>
template <typename Change>
void BasicAccessContext<kMutation>::ChangeEach(const Range& range, bool fill_gaps, uint32_t new_epoch,
                                               Change&& change) {
  RangeMap::Cursor cursor = map_.Find(range.begin);
  if (!map_.AtEnd(cursor) && map_.At(cursor).begin < range.begin) cursor = Cut(cursor, range.begin);
  uint64_t position = range.begin;
  while (position < range.end) {
    const uint64_t next = map_.AtEnd(cursor) ? range.end : std::min(map_.At(cursor).begin, range.end);
    if (next > position) {
      if (fill_gaps) {
        const uint32_t state = pool_.Add();
        pool_[state].epoch = new_epoch;
        cursor = map_.Insert(cursor, {position, next, state});
        change(pool_[state], Range{position, next});
        cursor = map_.Next(cursor);
      }
      position = next;
      continue;
    }
    if (map_.At(cursor).end > range.end) cursor = map_.Previous(Cut(cursor, range.end));
    change(pool_[map_.At(cursor).state], map_.At(cursor).range());
    position = map_.At(cursor).end;
    cursor = map_.Next(cursor);
  }
  Join(range);
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::IsJoinable(const RangeMap::Entry& a, const RangeMap::Entry& b) {
  if (a.end != b.begin) return false;
  AccessState& x = pool_[a.state];
  AccessState& y = pool_[b.state];
  if (x.write_tag != y.write_tag || x.read_count != y.read_count) return false;
  CatchUp(x);
  CatchUp(y);
  return pool_.Same(a.state, b.state);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Join(const Range& range) {
  // From the entry that touches range at its begin to the one that touches it at its end.
  RangeMap::Cursor cursor = map_.Find(range.begin == 0 ? 0 : range.begin - 1);
  while (!map_.AtEnd(cursor) && map_.At(cursor).end <= range.end) {
    const RangeMap::Cursor second = map_.Next(cursor);
    RangeMap::Cursor last = second;
    RangeMap::Entry joined = map_.At(cursor);
    while (joined.end <= range.end && !map_.AtEnd(last) && IsJoinable(joined, map_.At(last))) {
      joined.end = map_.At(last).end;
      pool_.Remove(map_.At(last).state);
      last = map_.Next(last);
    }
    if (last != second) {
      ++map_version_;
      map_.Erase(second, last);
      map_.SetEnd(cursor, joined.end);
    }
    if (joined.range() == range) AddRecent(range, joined.state);
    cursor = map_.Next(cursor);
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_IMPL_H_
