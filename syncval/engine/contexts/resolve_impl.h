// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_RESOLVE_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_RESOLVE_IMPL_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// What contexts of several queues have to do with each other: the bodies of BasicAccessContext for this. See
// access_context_impl.h.
namespace assay::syncval {

// ---- Signal

template <Mutation kMutation>
void BasicAccessContext<kMutation>::AddToSnapshot(const BarrierScope& src, bool everything, Snapshot& snapshot) {
  FlushAll();
  const auto bits = [](bool all) { return all ? StageSet(~VkPipelineStageFlags2{0}) : StageSet(); };
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    const RangeMap::Entry& entry = map_.At(cursor);
    AccessState& state = pool_[entry.state];
    CatchUp(state);
    const absl::Span<const ReadRecord> reads = pool_.Reads(state);
    snapshot.entries.push_back({.range = entry.range(),
                                .state = state,
                                .first_read = static_cast<uint32_t>(snapshot.reads.size()),
                                .read_count = static_cast<uint32_t>(reads.size())});
    AccessState& copy = snapshot.entries.back().state;
    const bool is_available = (everything && state.write_queue == queue_) ||
                              IsWriteInFirstScope<kMutation>(state, src) ||
                              kMutation == Mutation::kSignalCoversEverything;
    copy.visible_to = is_available ? AccessSet(~SyncAccessMask()) : AccessSet();
    copy.available_stages = bits(is_available);
    const StageSet own_reads = everything ? state.read_stages : state.read_stages & src.stages;
    copy.after_read_stages = bits(!own_reads.Empty() || state.after_read_stages.IsInFirstScope(src.stages));
    copy.read_stages = StageSet();
    for (ReadRecord read : reads) {
      read.ordered_stages = bits((everything && read.queue == queue_) || IsInFirstScope(read, src));
      snapshot.reads.push_back(read);
    }
  }
  // Without those that nothing is in any more, or else queues would tell each other of them for ever.
  regions_.ForEach([&](const Region& region) {
    if (IsInMap(region)) snapshot.regions.push_back(region);
  });
  AddEmptyScopeTransitionsTo(src, everything, snapshot);
}

// ---- Wait

template <Mutation kMutation>
void BasicAccessContext<kMutation>::MergeSnapshot(const Snapshot& snapshot, uint32_t moved_down,
                                                  const BarrierScope& dst, const VectorClock& complete) {
  if (snapshot.entries.empty()) return;
  FlushAll();
  ++version_;
  log_.MarkAccessRecorded();
  for (const Region& region : snapshot.regions) {
    Region& known = GetRegion(region.key);
    known.ExtendInMap(region.reads, false);
    known.ExtendInMap(region.writes, true);
  }
  const auto moved = [moved_down](Tag tag) { return Tag{tag.value - std::min(tag.value, moved_down)}; };
  for (const Snapshot::Entry& entry : snapshot.entries) {
    AccessState incoming = entry.state;
    incoming.epoch = log_.epoch();
    if (incoming.HasWrite()) {
      incoming.write_tag = moved(incoming.write_tag);
      incoming.visible_to &= dst.accesses;
      incoming.available_stages &= dst.stages;
      incoming.source_index = incoming.write_queue == queue_ ? incoming.write_index : vk::kSyncNone;
      if (complete.Has(incoming.write_queue, incoming.write_tag)) incoming.ForgetWrite();
    }
    incoming.after_read_stages &= dst.stages;
    incoming_reads_.clear();
    for (uint32_t i = 0; i < entry.read_count; ++i) {
      ReadRecord read = snapshot.reads[entry.first_read + i];
      read.tag = moved(read.tag);
      if (complete.Has(read.queue, read.tag)) continue;
      read.ordered_stages &= dst.stages;
      read.stage = read.queue == queue_ ? StageCode(pairs_[read.index].stage, false) : StageCode();
      incoming_reads_.push_back(read);
    }
    if (!incoming.HasWrite() && incoming_reads_.empty()) continue;
    ChangeEach(entry.range, true, [&](AccessState& state, const Range&) { MergeState(state, incoming); });
  }
  for (const Snapshot::EmptyScopeTransition& transition : snapshot.empty_scope_transitions) {
    ForEachLastWritten(transition.range, moved(transition.tag), [&](const Range& part) {
      empty_scope_transitions_.AddWait(part, moved(transition.tag), transition.stages, dst, log_);
    });
  }
  if (empty_scope_transitions_.NeedsDropping()) DropReplacedTransitions();
}

// The later write is what counts: it was compared with the earlier one when it was recorded. Reads count if they are
// after it.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::MergeState(AccessState& state, const AccessState& incoming) {
  CatchUp(state);
  const bool both_write = incoming.HasWrite() && state.HasWrite();
  if (incoming.HasWrite() && (!state.HasWrite() || incoming.write_tag > state.write_tag)) {
    pool_.RemoveReadsIf(state, [&](const ReadRecord& read) { return read.tag < incoming.write_tag; });
    state.write_index = incoming.write_index;
    state.source_index = incoming.source_index;
    state.write_queue = incoming.write_queue;
    state.write_tag = incoming.write_tag;
    state.visible_to = incoming.visible_to;
    state.available_stages = incoming.available_stages;
    state.read_stages = StageSet();
    state.after_read_stages = incoming.after_read_stages;
  } else if (incoming.HasWrite() == state.HasWrite() && (!both_write || incoming.write_tag == state.write_tag)) {
    state.visible_to |= incoming.visible_to;
    state.available_stages |= incoming.available_stages;
    state.after_read_stages |= incoming.after_read_stages;
  }
  MergeReads(state);
}

// Of each kind, whoever knows of the latest read knows which of those before it still count.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::MergeReads(AccessState& state) {
  const auto latest = [](absl::Span<const ReadRecord> reads, const ReadRecord& kind) {
    int64_t tag = -1;
    for (const ReadRecord& read : reads) {
      if (read.IsLike(kind)) tag = std::max(tag, int64_t{read.tag.value});
    }
    return tag;
  };
  const auto find = [](absl::Span<ReadRecord> reads, const ReadRecord& wanted) {
    return std::ranges::find_if(reads,
                                [&](const ReadRecord& read) { return read.IsLike(wanted) && read.tag == wanted.tag; });
  };
  const absl::Span<ReadRecord> incoming = absl::MakeSpan(incoming_reads_);
  new_reads_.clear();
  for (const ReadRecord& read : incoming) {
    if (state.HasWrite() && read.tag < state.write_tag) continue;
    const absl::Span<ReadRecord> known = pool_.Reads(state);
    if (const auto same = find(known, read); same != known.end()) {
      same->ordered_stages |= read.ordered_stages;
    } else if (latest(known, read) <= latest(incoming, read)) {
      new_reads_.push_back(read);
    }
  }
  pool_.RemoveReadsIf(state, [&](const ReadRecord& read) {
    return latest(incoming, read) >= int64_t{read.tag.value} && find(incoming, read) == incoming.end();
  });
  for (const ReadRecord& read : new_reads_) pool_.AddRead(state, read);
}

// ---- Races

template <Mutation kMutation>
void BasicAccessContext<kMutation>::CollectRaces(const ReplayHazard& current, bool is_write, QueueIndex queue,
                                                 const VectorClock& known, std::vector<ReplayHazard>& races) {
  const Access& access = current.access;
  if (access.region != 0 && !GetRegion(access.region).MayConflict(access.range, is_write)) return;
  Flush(access.region);
  const auto races_with = [&](QueueIndex prior_queue, Tag tag) {
    return prior_queue == queue_ && prior_queue != queue && !known.Has(prior_queue, tag);
  };
  ForEachState(access.range, [&](const Range& part, AccessState& state) {
    ReplayHazard race = current;
    race.access.range = part;
    if (state.HasWrite() && races_with(state.write_queue, state.write_tag)) {
      AddWriteHazard(is_write ? HazardKind::kWriteRacingWrite : HazardKind::kReadRacingWrite, state, false, part,
                     race.hazard);
    } else if (is_write) {
      AddReadHazard(pool_.Reads(state), false, part, race.hazard,
                    [&](const ReadRecord& read) { return races_with(read.queue, read.tag); });
      if (race.hazard) race.hazard.kind = HazardKind::kWriteRacingRead;
    }
    if (race.hazard) races.push_back(race);
  });
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::CollectRacesWithOtherQueues(const ReplayHazard& current, bool is_write) {
  for (BasicAccessContext* other : other_queues_) other->CollectRaces(current, is_write, queue_, *known_, hazards_);
}

// ---- Layout transitions without second scope

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ForEachLastWritten(const Range& range, Tag tag,
                                                       absl::FunctionRef<void(const Range&)> visit) {
  for (RangeMap::Cursor cursor = map_.Find(range.begin); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    const RangeMap::Entry& entry = map_.At(cursor);
    if (entry.begin >= range.end) break;
    const AccessState& state = pool_[entry.state];
    if (state.write_index != vk::kSyncImageLayoutTransition || state.write_tag != tag) continue;
    visit({std::max(entry.begin, range.begin), std::min(entry.end, range.end)});
  }
}

template <Mutation kMutation>
ABSL_ATTRIBUTE_NOINLINE void BasicAccessContext<kMutation>::ApplyToEmptyScopeTransitions(
    const Range& range, absl::Span<const Barrier* const> barriers, uint32_t next_epoch) {
  for (RangeMap::Cursor cursor = map_.Find(range.begin); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    const RangeMap::Entry& entry = map_.At(cursor);
    if (entry.begin >= range.end) break;
    const AccessState& state = pool_[entry.state];
    if (state.write_index != vk::kSyncImageLayoutTransition) continue;
    const Range part{std::max(entry.begin, range.begin), std::min(entry.end, range.end)};
    empty_scope_transitions_.Apply(part, state.write_tag, barriers, next_epoch, log_);
  }
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::DropReplacedTransitions() {
  if (empty_scope_transitions_.empty()) return;
  empty_scope_transitions_.DropReplaced(
      [this](const Range& range, Tag tag, absl::FunctionRef<void(const Range&)> visit) {
        ForEachLastWritten(range, tag, visit);
      });
  empty_scope_transitions_.CatchUp(log_);
}

// With everything in its first scope a signal has the transitions of its own queue there, whatever their second scopes.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::AddEmptyScopeTransitionsTo(const BarrierScope& src, bool everything,
                                                               Snapshot& snapshot) {
  for (const EmptyScopeTransitions::Entry& entry : empty_scope_transitions_.entries()) {
    ForEachLastWritten(entry.range, entry.tag, [&](const Range& part) {
      if (everything && pool_[map_.At(map_.Find(part.begin)).state].write_queue == queue_) return;
      const VkPipelineStageFlags2 stages = empty_scope_transitions_.ChainsOf(entry, log_).StagesIn(src);
      if (stages != 0) snapshot.empty_scope_transitions.push_back({part, entry.tag, stages});
    });
  }
}

// ---- Completion

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Forget(const VectorClock& complete) {
  FlushAll();
  ++version_;
  events_.Forget([&](Tag set) { return complete.Has(queue_, set); });
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor);) {
    const uint32_t number = map_.At(cursor).state;
    AccessState& state = pool_[number];
    CatchUp(state);
    if (state.HasWrite() && complete.Has(state.write_queue, state.write_tag)) state.ForgetWrite();
    pool_.RemoveReadsIf(state, [&](const ReadRecord& read) { return complete.Has(read.queue, read.tag); });
    if (state.HasWrite() || state.read_count != 0) {
      cursor = map_.Next(cursor);
      continue;
    }
    ++map_version_;
    pool_.Remove(number);
    cursor = map_.Erase(cursor, map_.Next(cursor));
  }
  if (map_.size() == 0) return Reset();
  StartLogOver();
  regions_.DropUnneeded([this](const Region& region) { return IsInMap(region); });
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::IsInMap(const Region& region) const {
  const Range bounds = region.Bounds();
  const RangeMap::Cursor first = map_.Find(bounds.begin);
  return !map_.AtEnd(first) && map_.At(first).begin < bounds.end;
}

// All states have seen the whole log, so that it need not be kept.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::StartLogOver() {
  FlushAll();
  DropReplacedTransitions();
  empty_scope_transitions_.StartLogOver();
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    AccessState& state = pool_[map_.At(cursor).state];
    CatchUp(state);
    state.epoch = 0;
  }
  log_.Clear();
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::MoveTagsDown(uint32_t by) {
  FlushAll();
  const auto move = [by](Tag& tag) { tag.value -= std::min(tag.value, by); };
  events_.MoveTagsDown(by);
  DropReplacedTransitions();
  empty_scope_transitions_.MoveTagsDown(by);
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    AccessState& state = pool_[map_.At(cursor).state];
    if (state.HasWrite()) move(state.write_tag);
    for (ReadRecord& read : pool_.Reads(state)) move(read.tag);
  }
}

template <Mutation kMutation>
Tag BasicAccessContext<kMutation>::OldestTag() {
  FlushAll();
  Tag oldest;
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    AccessState& state = pool_[map_.At(cursor).state];
    if (state.HasWrite()) oldest = std::min(oldest, state.write_tag);
    for (const ReadRecord& read : pool_.Reads(state)) oldest = std::min(oldest, read.tag);
  }
  return oldest;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_RESOLVE_IMPL_H_
