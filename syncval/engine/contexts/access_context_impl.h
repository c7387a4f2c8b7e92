// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_IMPL_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"
#include "syncval/engine/contexts/event_impl.h"
#include "syncval/engine/contexts/replay_impl.h"
#include "syncval/engine/contexts/resolve_impl.h"
#include "syncval/engine/contexts/suggest_impl.h"
#include "syncval/engine/barriers/transition_flags.h"

// The bodies of BasicAccessContext: for access_context.cc, and for tests that plant a fault.
namespace assay::syncval {

template <Fault kFault>
void BasicAccessContext<kFault>::Reset() {
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
  bare_.Clear();
  scope_ = Scope();
  scope_begin_ = Tag{0};
  changes_begin_ = Tag();
  ++map_version_;
}

template <Fault kFault>
template <typename Visit>
void BasicAccessContext<kFault>::ForEachKnown(const Range& range, Visit&& visit) {
  for (RangeMap::Cursor cursor = map_.Find(range.begin); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    const RangeMap::Entry& entry = map_.At(cursor);
    if (entry.begin >= range.end) break;
    if (entry.range() == range) Remember(range, entry.state);
    AccessState& state = pool_[entry.state];
    CatchUp(state);
    visit(Range{std::max(entry.begin, range.begin), std::min(entry.end, range.end)}, state);
  }
}

template <Fault kFault>
bool BasicAccessContext<kFault>::Detect(const Range& range, const Use& use, Hazard& hazard) {
  bool found = false;
  ForEachKnown(range, [&](const Range& part, AccessState& state) {
    found |= DetectUse(state, pool_.Reads(state), use, part, hazard);
  });
  return found;
}

template <Fault kFault>
void BasicAccessContext<kFault>::Record(const Access& access, const Use& use) {
  ChangeEach(access.range, true,
             [&](AccessState& state, const Range& part) { RecordInState(state, use, access, part); });
}

template <Fault kFault>
bool BasicAccessContext<kFault>::DetectHazard(const Access& access, Tag tag, Hazard& hazard) {
  const Use use = MakeUse(access, tag);
  if (access.region != 0 && !GetRegion(access.region).MayConflict(access.range, use.is_write)) return false;
  Flush(access.region);
  if (AccessState* state = FindRecent(access.range); state != nullptr) {
    CatchUp(*state);
    return DetectUse(*state, pool_.Reads(*state), use, access.range, hazard);
  }
  return Detect(access.range, use, hazard);
}

template <Fault kFault>
void BasicAccessContext<kFault>::Update(const Access& access, Tag tag) {
  const Use use = MakeUse(access, tag);
  version_ += use.is_write;
  if (access.region != 0) {
    Region& region = GetRegion(access.region);
    if (!region.MayConflict(access.range, use.is_write)) {
      AddPending(region, access, use.is_write, tag);
      return;
    }
    region.ExtendInMap(access.range, use.is_write);
  }
  Flush(access.region);
  if (AccessState* state = FindRecent(access.range); state != nullptr) {
    RecordInState(*state, use, access, access.range);
    return;
  }
  Record(access, use);
}

template <Fault kFault>
bool BasicAccessContext<kFault>::DetectAndUpdate(const Access& access, Tag tag, Hazard& hazard) {
  const Use use = MakeUse(access, tag);
  version_ += use.is_write;
  if (access.region != 0) {
    Region& region = GetRegion(access.region);
    if (!region.MayConflict(access.range, use.is_write)) {
      AddPending(region, access, use.is_write, tag);
      return false;
    }
    region.ExtendInMap(access.range, use.is_write);
  }
  Flush(access.region);
  log_.MarkUsed();
  if (AccessState* state = FindRecent(access.range); state != nullptr) {
    CatchUp(*state);
    const bool found = DetectUse(*state, pool_.Reads(*state), use, access.range, hazard);
    if (RecordUse<kFault>(pool_, *state, use)) [[unlikely]]
      NoteFirst(access, access.range, tag);
    return found;
  }
  const bool found = Detect(access.range, use, hazard);
  if (AccessState* state = FindRecent(access.range); state != nullptr) {
    RecordInState(*state, use, access, access.range);
  } else {
    Record(access, use);
  }
  return found;
}

template <Fault kFault>
bool BasicAccessContext<kFault>::DetectLayoutTransition(const Range& range, const Barrier& barrier, Hazard& hazard,
                                                        uint64_t region) {
  own_barriers_.clear();
  return DetectChange({range, InScope(&barrier), true, region}, hazard);
}

template <Fault kFault>
bool BasicAccessContext<kFault>::DetectChange(const RangeBarrier& transition, Hazard& hazard) {
  const Range& range = transition.range;
  const BarrierScope& src = transition.barrier->src;
  if (transition.region != 0 && !GetRegion(transition.region).MayConflict(range, true)) return false;
  Flush(transition.region);
  if (AccessState* state = FindRecent(range); state != nullptr) {
    CatchUp(*state);
    return DetectTransition(*state, pool_.Reads(*state), src, Tag(), range, hazard);
  }
  bool found = false;
  ForEachKnown(range, [&](const Range& part, AccessState& state) {
    found |= DetectTransition(state, pool_.Reads(state), src, Tag(), part, hazard);
  });
  return found;
}

// ---- What is pending

template <Fault kFault>
void BasicAccessContext<kFault>::Flush(uint64_t region) {
  if (pending_count_ == 0) return;
  if (region == 0) {
    FlushAll();
  } else {
    FlushRegion(GetRegion(region));
  }
}

template <Fault kFault>
void BasicAccessContext<kFault>::FlushAll() {
  if (pending_count_ == 0) return;
  regions_.ForEach([this](Region& region) { FlushRegion(region); });
}

template <Fault kFault>
void BasicAccessContext<kFault>::FlushRegion(Region& region) {
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
template <Fault kFault>
void BasicAccessContext<kFault>::RecordPending(const PendingAccess& pending) {
  const Use use = MakeUse(pending.access, pending.tag, pending.scope);
  ChangeEach(pending.access.range, true, pending.epoch, [&](AccessState& state, const Range&) {
    if (state.epoch < pending.epoch) log_.CatchUp<kFault>(state, pool_.Reads(state), pending.epoch);
    if (state.epoch == pending.epoch) {
      RecordUse<kFault>(pool_, state, use);
    } else {
      RecordInLaterState(state, use, pending.epoch);
    }
  });
}

// The state has seen barriers that the access has not: it was brought up to date to be compared with its neighbour.
// What barriers do to a state they do to each of its accesses by itself (the sets of the algebra are unions over them),
// so the access sees them in a state of its own.
template <Fault kFault>
void BasicAccessContext<kFault>::RecordInLaterState(AccessState& state, const Use& use, uint32_t epoch) {
  AccessState alone;
  alone.epoch = epoch;
  if (use.is_write) {
    alone.write_index = use.index;
    alone.source_index = use.index;
    alone.write_tag = use.tag;
    alone.is_write_inside = use.is_inside;
  } else {
    alone.read_count = 1;
    alone.inline_reads[0] = MakeRead(use);
    if (use.tag != state.write_tag) alone.read_stages = use.stage;
  }
  log_.CatchUp<kFault>(alone, {alone.inline_reads.data(), alone.read_count}, state.epoch);
  if (use.is_write) {
    RecordUse<kFault>(pool_, state, use);
    state.visible_to = alone.visible_to;
    state.available_stages = alone.available_stages;
    state.is_write_inside = alone.is_write_inside;
    return;
  }
  const ReadRecord& later = alone.inline_reads[0];
  state.read_stages |= alone.read_stages;
  state.after_read_stages |= alone.after_read_stages;
  // What is of a subpass that has ended since replaces nothing that was before the subpass.
  const bool is_moved = later.stage != use.stage_code;
  pool_.RemoveReadsIf(state, [&](const ReadRecord& read) {
    return read.IsLike(later) && read.stage == later.stage && (!is_moved || read.tag == later.tag);
  });
  pool_.AddRead(state, later);
  if (is_moved) DropRepeatedReads(pool_, state, use);
}

// ---- Barriers

template <Fault kFault>
const Barrier* BasicAccessContext<kFault>::InScope(const Barrier* barrier) {
  if (!scope_.is_inside()) return barrier;
  own_barriers_.push_back(barrier->Inside());
  if (kFault == Fault::kSubpassBarrierCoversAll) {
    own_barriers_.back().src.stages.outside = barrier->src.stages.outside;
    own_barriers_.back().id = 0;
  }
  return &own_barriers_.back();
}

template <Fault kFault>
void BasicAccessContext<kFault>::ApplyGlobal(const Barrier& barrier) {
  own_barriers_.clear();
  ApplyGlobalInScope(*InScope(&barrier));
}

template <Fault kFault>
void BasicAccessContext<kFault>::ApplyRange(const Range& range, const Barrier& barrier, uint64_t region) {
  own_barriers_.clear();
  ApplyRangeInScope(range, *InScope(&barrier), region);
}

template <Fault kFault>
void BasicAccessContext<kFault>::ApplyAll(absl::Span<const Barrier* const> globals,
                                          absl::Span<const RangeBarrier> ranges, Tag tag) {
  if (!scope_.is_inside()) return ApplyAllInScope(globals, ranges, tag);
  own_barriers_.clear();
  own_globals_.clear();
  own_ranges_.clear();
  for (const Barrier* barrier : globals) own_globals_.push_back(InScope(barrier));
  const Barrier* previous = nullptr;
  for (RangeBarrier range : ranges) {
    const bool is_same = range.barrier == previous;
    previous = range.barrier;
    range.barrier = is_same ? own_ranges_.back().barrier : InScope(range.barrier);
    own_ranges_.push_back(range);
  }
  ApplyAllInScope(own_globals_, own_ranges_, tag);
}

template <Fault kFault>
void BasicAccessContext<kFault>::ApplyGlobalInScope(const Barrier& barrier) {
  ++version_;
  const Barrier* pointer = &barrier;
  log_.Append({&pointer, 1});
}

template <Fault kFault>
void BasicAccessContext<kFault>::OrderEverything() {
  // All stages but those that end with a render pass.
  const StageSet stages(~VkPipelineStageFlags2{0}, scope_.is_inside() ? ~kDependencyStages : 0);
  const AccessSet accesses(~SyncAccessMask(), scope_.is_inside() ? ~SyncAccessMask() : SyncAccessMask());
  const BarrierScope everything{{~VkPipelineStageFlags2{0}, ~VkPipelineStageFlags2{0}}, ~AccessSet()};
  ApplyGlobalInScope({everything, {stages, accesses}});
}

template <Fault kFault>
void BasicAccessContext<kFault>::ApplyRangeInScope(const Range& range, const Barrier& barrier, uint64_t region) {
  if (!barrier.HasEffect()) return;
  Flush(region);
  // The range sees the whole barrier at once; everything else finds the execution dependency in the log.
  const Barrier execution = barrier.ExecutionOnly();
  const Barrier* const in_log = &execution;
  const uint32_t next_epoch = log_.EpochAfter({&in_log, 1});
  if (!bare_.empty()) [[unlikely]] {
    const Barrier* const whole = &barrier;
    ApplyToBare(range, {&whole, 1}, next_epoch);
  }
  const auto apply = [&](AccessState& state) {
    CatchUp(state);
    ApplyBarrier<kFault>(state, pool_.Reads(state), barrier);
    state.epoch = next_epoch;
  };
  if (AccessState* state = FindRecent(range); state != nullptr) {
    if (!state->HasWrite()) {
      BeginCommand(log_.epoch(), next_epoch);
      NoteRange({range, &barrier, false, region}, Tag());
    }
    apply(*state);
  } else {
    BeginCommand(log_.epoch(), next_epoch);
    NoteRange({range, &barrier, false, region}, Tag());
    ChangeEach(range, false, [&](AccessState& state, const Range&) { apply(state); });
  }
  ApplyGlobalInScope(execution);
}

template <Fault kFault>
void BasicAccessContext<kFault>::ApplyAllInScope(absl::Span<const Barrier* const> globals,
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
  MakeBatch(globals, ranges);
  BeginCommand(log_.epoch(), log_.EpochAfter(batch_));
  for (const RangeBarrier& range : ranges) {
    if (!range.layout_transition && range.barrier->HasEffect()) NoteRange(range, tag);
  }
  if (!batch_.empty()) {
    ApplyToRanges(ranges, log_.EpochAfter(batch_));
    log_.Append(batch_);
  }
  for (const RangeBarrier& range : ranges) {
    if (range.layout_transition && RecordTransitionOf(range, tag)) NoteRange(range, tag);
  }
}

// Most commands have one barrier, for which there is nothing to stand beside it.
template <Fault kFault>
void BasicAccessContext<kFault>::ApplyOne(absl::Span<const Barrier* const> globals,
                                          absl::Span<const RangeBarrier> ranges, Tag tag) {
  if (ranges.empty()) {
    ApplyGlobalInScope(*globals.front());
    return;
  }
  const RangeBarrier& range = ranges.front();
  if (!range.layout_transition) {
    ApplyRangeInScope(range.range, *range.barrier, range.region);
    return;
  }
  Flush(range.region);
  if (range.region != 0) GetRegion(range.region).ExtendInMap(range.range, true);
  const uint32_t epoch = log_.epoch();
  ApplyGlobalInScope(range.barrier->ExecutionOnly());
  if (RecordTransitionOf(range, tag)) [[unlikely]] {
    BeginCommand(epoch, log_.epoch());
    NoteRange(range, tag);
  }
}

// ---- Render passes

template <Fault kFault>
void BasicAccessContext<kFault>::ChangeScope(SubpassChange change, absl::Span<const Barrier* const> barriers, Tag tag) {
  ++version_;
  log_.AppendChange(change, barriers);
  // Between two subpasses there is none.
  scope_.number += 1;
  scope_begin_ = tag;
  if (change != SubpassChange::kEnter) changes_begin_ = Tag();
}

template <Fault kFault>
void BasicAccessContext<kFault>::ChangeLayouts(absl::Span<const RangeBarrier> transitions, Tag tag) {
  if (transitions.empty()) return;
  ++version_;
  changes_begin_ = std::min(changes_begin_, tag);
  BeginCommand(log_.epoch(), log_.epoch());
  for (const RangeBarrier& range : transitions) {
    Flush(range.region);
    if (range.region != 0) GetRegion(range.region).ExtendInMap(range.range, true);
    if (!RecordTransitionOf(range, tag, true) || !keeps_journal_) continue;
    NoteRange(range, tag);
    range_journal_.back().is_of_subpass = true;
  }
}

template <Fault kFault>
bool BasicAccessContext<kFault>::RecordTransitionOf(const RangeBarrier& range, Tag tag, bool is_automatic) {
  log_.MarkUsed();
  // An automatic transition is between scopes: for the subpass that begins, or for what follows upon the last one.
  const bool is_inside = scope_.is_inside() != is_automatic;
  VkPipelineStageFlags2 marks = is_automatic && is_inside ? kForSubpass : 0;
  if (IsBare(range.barrier->dst)) [[unlikely]] {
    // The second scope of the wait for an event is all that follows, in the subpass and after it.
    bare_.Add(range.range, tag, log_.epoch(), !is_inside || is_in_event_, is_inside);
    marks |= MarksOf(*range.barrier);
  }
  const auto record = [&](AccessState& state) {
    const bool is_first = RecordTransition(pool_, state, range.barrier->dst, tag, queue_);
    state.available_stages.ended |= marks;
    state.epoch = log_.epoch();
    return is_first;
  };
  if (AccessState* state = FindRecent(range.range); state != nullptr) return record(*state);
  bool is_first = false;
  ChangeEach(range.range, true, [&](AccessState& state, const Range&) { is_first |= record(state); });
  return is_first;
}

// ---- The journal

template <Fault kFault>
void BasicAccessContext<kFault>::NoteRange(const RangeBarrier& range, Tag tag) {
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

template <Fault kFault>
void BasicAccessContext<kFault>::MakeBatch(absl::Span<const Barrier* const> globals,
                                           absl::Span<const RangeBarrier> ranges) {
  execution_barriers_.clear();
  batch_.clear();
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
    if (global->HasEffect()) batch_.push_back(global);
  }
  for (const Barrier& execution : execution_barriers_) batch_.push_back(&execution);
}

template <Fault kFault>
void BasicAccessContext<kFault>::ApplyToRanges(absl::Span<const RangeBarrier> ranges, uint32_t next_epoch) {
  if (ranges.size() > 1 && RangesOverlap(ranges)) {
    ApplyToOverlappingRanges(ranges, next_epoch);
    return;
  }
  for (const RangeBarrier& range : ranges) {
    if (range.layout_transition) continue;
    batch_and_more_.assign(batch_.begin(), batch_.end());
    batch_and_more_.push_back(range.barrier);
    ApplyBatchAndMore(range.range, next_epoch);
  }
}

template <Fault kFault>
void BasicAccessContext<kFault>::ApplyBatchAndMore(const Range& range, uint32_t next_epoch) {
  if (!bare_.empty()) [[unlikely]]
    ApplyToBare(range, batch_and_more_, next_epoch);
  const auto apply = [&](AccessState& state) {
    CatchUp(state);
    ApplyBarriers<kFault>(state, pool_.Reads(state), batch_and_more_);
    state.epoch = next_epoch;
  };
  if (AccessState* state = FindRecent(range); state != nullptr) {
    apply(*state);
  } else {
    ChangeEach(range, false, [&](AccessState& state, const Range&) { apply(state); });
  }
}

template <Fault kFault>
bool BasicAccessContext<kFault>::RangesOverlap(absl::Span<const RangeBarrier> ranges) {
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
template <Fault kFault>
void BasicAccessContext<kFault>::ApplyToOverlappingRanges(absl::Span<const RangeBarrier> ranges, uint32_t next_epoch) {
  bounds_.clear();
  for (const Range& range : sorted_ranges_) {
    bounds_.push_back(range.begin);
    bounds_.push_back(range.end);
  }
  std::ranges::sort(bounds_);
  for (size_t i = 1; i < bounds_.size(); ++i) {
    const Range piece{bounds_[i - 1], bounds_[i]};
    if (piece.begin == piece.end) continue;
    batch_and_more_.assign(batch_.begin(), batch_.end());
    for (const RangeBarrier& range : ranges) {
      if (!range.layout_transition && range.range.Intersects(piece)) batch_and_more_.push_back(range.barrier);
    }
    if (batch_and_more_.size() != batch_.size()) ApplyBatchAndMore(piece, next_epoch);
  }
}

template <Fault kFault>
bool BasicAccessContext<kFault>::RepeatsLastRange(const RangeBarrier& range) const {
  if (command_has_step_ || range.layout_transition || range_journal_.empty()) return false;
  const RangeStep& last = range_journal_.back();
  return last.range == range.range && last.epoch + (last.has_step ? 1 : 0) == command_epoch_ &&
         last.journal_size == journal_.size() && !last.layout_transition && last.barrier == *range.barrier;
}

// ---- The map

template <Fault kFault>
RangeMap::Cursor BasicAccessContext<kFault>::Cut(RangeMap::Cursor cursor, uint64_t address) {
  ++map_version_;
  const RangeMap::Entry entry = map_.At(cursor);
  map_.SetEnd(cursor, address);
  return map_.Insert(map_.Next(cursor), {address, entry.end, pool_.Copy(entry.state)});
}

template <Fault kFault>
template <typename Change>
void BasicAccessContext<kFault>::ChangeEach(const Range& range, bool fill_gaps, uint32_t new_epoch, Change&& change) {
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

template <Fault kFault>
bool BasicAccessContext<kFault>::IsJoinable(const RangeMap::Entry& a, const RangeMap::Entry& b) {
  if (a.end != b.begin) return false;
  AccessState& x = pool_[a.state];
  AccessState& y = pool_[b.state];
  if (x.write_tag != y.write_tag || x.read_count != y.read_count) return false;
  CatchUp(x);
  CatchUp(y);
  return pool_.Same(a.state, b.state);
}

template <Fault kFault>
void BasicAccessContext<kFault>::Join(const Range& range) {
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
    if (joined.range() == range) Remember(range, joined.state);
    cursor = map_.Next(cursor);
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_ACCESS_CONTEXT_IMPL_H_
