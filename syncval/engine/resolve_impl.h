// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_RESOLVE_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_RESOLVE_IMPL_H_

#include <algorithm>

#include "syncval/engine/access_context.h"

// What contexts of several queues have to do with each other: the bodies of BasicAccessContext for this. See
// access_context_impl.h.
namespace assay::syncval {

// ---- Signal

template <Fault kFault>
void BasicAccessContext<kFault>::Export(const BarrierScope& src, bool everything, Snapshot& snapshot) {
  FlushAll();
  const auto bits = [](bool all) { return all ? ~VkPipelineStageFlags2{0} : VkPipelineStageFlags2{0}; };
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
    const bool is_available = (everything && state.write_queue == queue_) || IsWriteInSource<kFault>(state, src) ||
                              kFault == Fault::kSignalCoversEverything;
    copy.visible_to = is_available ? ~SyncAccessMask() : SyncAccessMask();
    copy.available_stages = bits(is_available);
    const VkPipelineStageFlags2 own_reads = everything ? state.read_stages : state.read_stages & src.stages;
    copy.after_read_stages = bits((own_reads | (state.after_read_stages & src.stages)) != 0);
    copy.read_stages = 0;
    for (ReadRecord read : reads) {
      read.ordered_stages = bits((everything && read.queue == queue_) || IsInSource(read, src));
      snapshot.reads.push_back(read);
    }
  }
  regions_.ForEach([&](const Region& region) { snapshot.regions.push_back(region); });
}

// ---- Wait

template <Fault kFault>
void BasicAccessContext<kFault>::Import(const Snapshot& snapshot, uint32_t moved_down, const BarrierScope& dst,
                                        const Horizon& complete) {
  if (snapshot.entries.empty()) return;
  FlushAll();
  ++version_;
  log_.MarkUsed();
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
      read.stage = read.queue == queue_ ? pairs_[read.index].stage : 0;
      incoming_reads_.push_back(read);
    }
    if (!incoming.HasWrite() && incoming_reads_.empty()) continue;
    ChangeEach(entry.range, true, [&](AccessState& state, const Range&) { ImportState(state, incoming); });
  }
}

// The later write is what counts: it was compared with the earlier one when it was recorded. Reads count if they are
// after it.
template <Fault kFault>
void BasicAccessContext<kFault>::ImportState(AccessState& state, const AccessState& incoming) {
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
    state.read_stages = 0;
    state.after_read_stages = incoming.after_read_stages;
  } else if (incoming.HasWrite() == state.HasWrite() && (!both_write || incoming.write_tag == state.write_tag)) {
    state.visible_to |= incoming.visible_to;
    state.available_stages |= incoming.available_stages;
    state.after_read_stages |= incoming.after_read_stages;
  }
  for (const ReadRecord& read : incoming_reads_) {
    if (!state.HasWrite() || read.tag >= state.write_tag) ImportRead(state, read);
  }
}

template <Fault kFault>
void BasicAccessContext<kFault>::ImportRead(AccessState& state, const ReadRecord& incoming) {
  for (ReadRecord& read : pool_.Reads(state)) {
    if (!read.IsOf(incoming.index, incoming.queue)) continue;
    if (read.tag == incoming.tag) {
      read.ordered_stages |= incoming.ordered_stages;
    } else if (read.tag < incoming.tag) {
      read = incoming;
    }
    return;
  }
  pool_.AddRead(state, incoming);
}

// ---- Races

template <Fault kFault>
void BasicAccessContext<kFault>::CollectRaces(const ReplayHazard& use, bool is_write, QueueIndex queue,
                                              const Horizon& known, std::vector<ReplayHazard>& races) {
  const Access& access = use.access;
  if (access.region != 0 && !GetRegion(access.region).MayConflict(access.range, is_write)) return;
  Flush(access.region);
  const auto races_with = [&](QueueIndex prior_queue, Tag tag) {
    return prior_queue == queue_ && prior_queue != queue && !known.Has(prior_queue, tag);
  };
  ForEachKnown(access.range, [&](const Range& part, AccessState& state) {
    ReplayHazard race = use;
    race.access.range = part;
    if (state.HasWrite() && races_with(state.write_queue, state.write_tag)) {
      AddWriteHazard(is_write ? HazardKind::kWriteRacingWrite : HazardKind::kReadRacingWrite, state, part, race.hazard);
    } else if (is_write) {
      AddReadHazard(pool_.Reads(state), part, race.hazard,
                    [&](const ReadRecord& read) { return races_with(read.queue, read.tag); });
      if (race.hazard) race.hazard.kind = HazardKind::kWriteRacingRead;
    }
    if (race.hazard) races.push_back(race);
  });
}

template <Fault kFault>
void BasicAccessContext<kFault>::CollectRacesWithOthers(const ReplayHazard& use, bool is_write) {
  for (BasicAccessContext* other : others_) other->CollectRaces(use, is_write, queue_, *known_, hazards_);
}

// ---- Completion

template <Fault kFault>
void BasicAccessContext<kFault>::Forget(const Horizon& complete) {
  FlushAll();
  ++version_;
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
  if (map_.size() == 0) {
    Reset();
  } else {
    StartLogOver();
  }
}

// All states have seen the whole log, so that it need not be kept.
template <Fault kFault>
void BasicAccessContext<kFault>::StartLogOver() {
  FlushAll();
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    AccessState& state = pool_[map_.At(cursor).state];
    CatchUp(state);
    state.epoch = 0;
  }
  log_.Clear();
}

template <Fault kFault>
void BasicAccessContext<kFault>::MoveTagsDown(uint32_t by) {
  FlushAll();
  const auto move = [by](Tag& tag) { tag.value -= std::min(tag.value, by); };
  events_.MoveTagsDown(by);
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    AccessState& state = pool_[map_.At(cursor).state];
    if (state.HasWrite()) move(state.write_tag);
    for (ReadRecord& read : pool_.Reads(state)) move(read.tag);
  }
}

template <Fault kFault>
Tag BasicAccessContext<kFault>::OldestTag() {
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

#endif  // ASSAY_SYNCVAL_ENGINE_RESOLVE_IMPL_H_
