// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_ACCESSES_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_ACCESSES_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// Bodies of BasicAccessContext. See access_context_bodies.h.
namespace assay::syncval {

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Reset() {
  regions_.Clear();
  journal_.Clear();
  ordered_pairs_.Clear();
  events_.Clear();
  pending_count_ = 0;
  ++version_;
  states_.Clear();
  empty_scope_transitions_.Clear();
  unordered_.Clear();
  subpass_.Reset();
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::Detect(const Range& range, const CurrentAccess& current, Hazard& hazard) {
  bool found = false;
  states_.ForEachState(range, [&](const Range& part, AccessState& state) {
    found |= DetectAccessHazard(state, states_.Reads(state), current, part, hazard);
  });
  return found;
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Record(const Access& access, const CurrentAccess& current) {
  states_.ChangeEach(access.range, true,
                     [&](AccessState& state, const Range& part) { RecordInState(state, current, access, part); });
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::DetectHazard(const Access& access, Tag tag, Hazard& hazard) {
  const CurrentAccess current = MakeCurrentAccess(access, tag);
  if (access.region != 0 && !GetRegion(access.region).MayConflict(access.range, current.is_write)) return false;
  Flush(access.region);
  if (AccessState* state = FindState(access); state != nullptr) {
    states_.CatchUp(*state);
    return DetectAccessHazard(*state, states_.Reads(*state), current, access.range, hazard);
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
    FlushRegion(region);
  } else {
    FlushAll();
  }
  if (AccessState* state = FindState(access); state != nullptr) {
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
    FlushRegion(region);
  } else {
    FlushAll();
  }
  states_.log().MarkAccessRecorded();
  if (AccessState* state = FindState(access); state != nullptr) {
    states_.CatchUp(*state);
    const bool found = DetectAccessHazard(*state, states_.Reads(*state), current, access.range, hazard);
    if (RecordAccess<kMutation>(states_.pool(), *state, current)) [[unlikely]]
      JournalFirstAccess(access, access.range, tag);
    return found;
  }
  const bool found = Detect(access.range, current, hazard);
  if (AccessState* state = FindState(access); state != nullptr) {
    RecordInState(*state, current, access, access.range);
  } else {
    Record(access, current);
  }
  return found;
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::DetectLayoutTransition(const Range& range, const Barrier& barrier, Hazard& hazard,
                                                           uint64_t region) {
  return DetectTransitionOf({range, subpass_.Limit(&barrier), true, region}, hazard);
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::DetectTransitionOf(const RangeBarrier& transition, Hazard& hazard) {
  const Range& range = transition.range;
  const BarrierScope& src = transition.barrier->src;
  if (transition.region != 0 && !GetRegion(transition.region).MayConflict(range, true)) return false;
  Flush(transition.region);
  if (AccessState* state = states_.FindRecent(range); state != nullptr) {
    states_.CatchUp(*state);
    return DetectTransition(*state, states_.Reads(*state), src, Tag(), range, hazard);
  }
  bool found = false;
  states_.ForEachState(range, [&](const Range& part, AccessState& state) {
    found |= DetectTransition(state, states_.Reads(state), src, Tag(), part, hazard);
  });
  return found;
}

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
  const GrowingArray<PendingAccess>& accesses = journal_.accesses();
  for (uint32_t i = region.first_pending; i != Region::kNone; i = accesses[i].next) {
    RecordPending(accesses[i]);
    if (IsBeforeUndoable(accesses[i])) [[unlikely]]
      before_.flushed.push_back(accesses[i]);
    --pending_count_;
  }
  region.is_in_map = true;
  region.first_pending = Region::kNone;
  region.last_pending = Region::kNone;
  if (pending_count_ == 0 && !journal_.is_enabled()) journal_.accesses().clear();
}

// Whether the access conflicts with an earlier one of which nothing but the barriers of the log is known.
template <Mutation kMutation>
bool BasicAccessContext<kMutation>::ConflictsAlone(const PendingAccess& prior, const Access& access, Tag tag) {
  AccessState alone;
  alone.epoch = prior.epoch;
  RecordAccess<kMutation>(states_.pool(), alone, MakeCurrentAccess(prior.access, prior.tag, prior.phase));
  const absl::Span<ReadRecord> reads = states_.pool().Reads(alone);
  states_.log().template CatchUp<kMutation>(alone, reads, states_.log().epoch());
  return Conflicts(alone, reads, MakeCurrentAccess(access, tag));
}

// Records the access as if that had happened when it was made, before the barriers since.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::RecordPending(const PendingAccess& pending) {
  const CurrentAccess current = MakeCurrentAccess(pending.access, pending.tag, pending.phase);
  states_.ChangeEach(pending.access.range, true, pending.epoch, [&](AccessState& state, const Range&) {
    if (state.epoch < pending.epoch)
      states_.log().template CatchUp<kMutation>(state, states_.Reads(state), pending.epoch);
    if (state.epoch == pending.epoch) {
      RecordAccess<kMutation>(states_.pool(), state, current);
    } else {
      RecordInLaterState(state, current, pending.epoch);
    }
  });
}

// Records the access in a state that has already seen later barriers: the state was brought up to date when it was
// compared with its neighbour. Barriers change a state by each of its accesses alone, since the sets of the algebra are
// unions over accesses. So the access first sees those barriers in a state of its own.
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
  states_.log().template CatchUp<kMutation>(alone, {alone.inline_reads.data(), alone.read_count}, state.epoch);
  if (current.is_write) {
    RecordAccess<kMutation>(states_.pool(), state, current);
    state.visible_to = alone.visible_to;
    state.available_stages = alone.available_stages;
    state.is_write_inside = alone.is_write_inside;
    return;
  }
  const ReadRecord& later = alone.inline_reads[0];
  state.read_stages |= alone.read_stages;
  state.after_read_stages |= alone.after_read_stages;
  // A read of a subpass that has ended since replaces no read from before the subpass.
  const bool is_moved = later.stage != current.stage_code;
  states_.pool().RemoveReadsIf(state, [&](const ReadRecord& read) {
    return read.IsLike(later) && read.stage == later.stage && (!is_moved || read.tag == later.tag);
  });
  states_.pool().AddRead(state, later);
  if (is_moved) DropRepeatedReads(states_.pool(), state, current);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_ACCESSES_H_
