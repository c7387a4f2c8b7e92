// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_SYNCHRONIZE_QUEUES_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_SYNCHRONIZE_QUEUES_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// What semaphores and races between queues do to a context. Bodies of BasicAccessContext; see access_context_bodies.h.
namespace assay::syncval {

template <Mutation kMutation>
void BasicAccessContext<kMutation>::AddToSnapshot(const BarrierScope& src, bool everything, Snapshot& snapshot,
                                                  const Range& within) {
  FlushAll();
  const auto bits = [](bool all) { return all ? StageSet(~VkPipelineStageFlags2{0}) : StageSet(); };
  const auto is_own = [this](const ReadRecord& read) { return read.queue == queues_.own(); };
  states_.ForEachAsIs(within, [&](const Range& range, AccessState& state) {
    const absl::Span<const ReadRecord> reads = states_.Reads(state);
    // Whatever barriers came since, everything of this queue itself is in such a first scope.
    const bool is_all_own = everything && (!state.HasWrite() || state.write_queue == queues_.own()) &&
                            (!state.read_stages.Empty() || state.after_read_stages.Empty()) &&
                            std::ranges::all_of(reads, is_own);
    if (!is_all_own) states_.CatchUp(range, state);
    snapshot.entries.push_back({.range = range,
                                .state = state,
                                .first_read = static_cast<uint32_t>(snapshot.reads.size()),
                                .read_count = static_cast<uint32_t>(reads.size())});
    AccessState& copy = snapshot.entries.back().state;
    const bool is_available = (everything && state.write_queue == queues_.own()) ||
                              IsWriteInFirstScope<kMutation>(state, src) ||
                              kMutation == Mutation::kSignalCoversEverything;
    copy.visible_to = is_available ? AccessSet(~SyncAccessMask()) : AccessSet();
    copy.available_stages = bits(is_available);
    const StageSet own_reads = everything ? state.read_stages : state.read_stages & src.stages;
    copy.after_read_stages = bits(!own_reads.Empty() || state.after_read_stages.IsInFirstScope(src.stages));
    copy.read_stages = StageSet();
    for (ReadRecord read : reads) {
      read.ordered_stages = bits((everything && is_own(read)) || IsInFirstScope(read, src));
      snapshot.reads.push_back(read);
    }
  });
  // Leaves out regions that are empty by now. Else queues would hand them to each other for ever.
  regions_.ForEach([&](const Region& region) {
    if (region.Bounds().Intersects(within) && IsInMap(region)) snapshot.regions.push_back(region);
  });
  AddEmptyScopeTransitionsTo(src, everything, snapshot, within);
  for (const UnorderedAccesses::Entry& entry : unordered_.entries()) {
    if (entry.range.Intersects(within)) snapshot.unordered.push_back(entry);
  }
}

// Of two accesses with tags in their order, the later one did not know the earlier one if its side of the merge does
// not know it yet: what a side knows it has in its states, until a later write there takes its place.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::NoteUnordered(AccessState& state, const AccessState& incoming, const Range& part,
                                                  const VectorClock& known) {
  VectorClock accesses;
  const auto note = [&](QueueIndex earlier_queue, Tag earlier, const AccessState& later, const VectorClock& knows) {
    if (earlier >= later.write_tag || knows.Has(earlier_queue, earlier)) return;
    accesses.Extend(earlier_queue, Tag{earlier.value + 1});
    accesses.Extend(later.write_queue, Tag{later.write_tag.value + 1});
  };
  const auto note_all = [&](const AccessState& earlier, absl::Span<const ReadRecord> reads, const AccessState& later,
                            const VectorClock& knows) {
    if (!later.HasWrite() || later.write_ordering != OrderingRule::kAtomic) return;
    if (earlier.HasWrite() && earlier.write_ordering == OrderingRule::kAtomic)
      note(earlier.write_queue, earlier.write_tag, later, knows);
    for (const ReadRecord& read : reads) {
      if (read.ordering == OrderingRule::kAtomic) note(read.queue, read.tag, later, knows);
    }
  };
  VectorClock own = queues_.clock();
  own.Extend(queues_.own(), Tag());
  note_all(incoming, merger_.incoming_reads, state, own);
  note_all(state, states_.Reads(state), incoming, known);
  if (accesses != VectorClock()) unordered_.Add(part, accesses);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::OrderUnordered(const Snapshot& snapshot, uint32_t moved_down,
                                                   const BarrierScope& dst, const VectorClock& complete,
                                                   const Range& within) {
  VectorClock known = snapshot.point.known;
  known.MoveDown(moved_down);
  for (const UnorderedAccesses::Entry& entry : snapshot.unordered) {
    if (!entry.range.Intersects(within)) continue;
    VectorClock accesses = entry.accesses;
    accesses.MoveDown(moved_down);
    if (complete.Contains(accesses)) continue;
    const Range range = {std::max(entry.range.begin, within.begin), std::min(entry.range.end, within.end)};
    unordered_.Add(range, accesses);
    states_.ChangeEach(range, false, [&](AccessState& state, const Range& /*part*/) {
      states_.CatchUp(state);
      if (state.HasWrite() && known.Has(state.write_queue, state.write_tag)) {
        state.visible_to |= dst.accesses;
        state.available_stages |= dst.stages;
      }
      for (ReadRecord& read : states_.Reads(state)) {
        if (!known.Has(read.queue, read.tag)) continue;
        read.ordered_stages |= dst.stages;
        state.after_read_stages |= dst.stages;
      }
    });
  }
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::MergeSnapshot(const Snapshot& snapshot, uint32_t moved_down,
                                                  const BarrierScope& dst, const VectorClock& complete,
                                                  const Range& within) {
  const absl::Span<const Snapshot::Entry> entries = snapshot.EntriesIn(within);
  if (entries.empty() && snapshot.unordered.empty()) return;
  FlushAll();
  ++version_;
  states_.log().MarkAccessRecorded();
  if (!snapshot.unordered.empty()) [[unlikely]]
    OrderUnordered(snapshot, moved_down, dst, complete, within);
  for (const Region& region : snapshot.regions) {
    if (!region.Bounds().Intersects(within)) continue;
    Region& known = GetRegion(region.key);
    known.ExtendInMap(region.reads, false);
    known.ExtendInMap(region.writes, true);
  }
  const auto moved = [moved_down](Tag tag) { return Tag{tag.value - std::min(tag.value, moved_down)}; };
  for (const Snapshot::Entry& entry : entries) {
    merger_.incoming_reads.clear();
    for (uint32_t i = 0; i < entry.read_count; ++i) {
      ReadRecord read = snapshot.reads[entry.first_read + i];
      read.tag = moved(read.tag);
      if (complete.Has(read.queue, read.tag)) continue;
      read.ordered_stages &= dst.stages;
      read.stage = read.queue == queues_.own() ? StageCode(pairs_[read.index].stage, false) : StageCode();
      merger_.incoming_reads.push_back(read);
    }
    const bool has_write =
        entry.state.HasWrite() && !complete.Has(entry.state.write_queue, moved(entry.state.write_tag));
    if (!has_write && merger_.incoming_reads.empty()) continue;
    AccessState incoming = entry.state;
    incoming.epoch = states_.log().epoch();
    incoming.after_read_stages &= dst.stages;
    if (has_write) {
      incoming.write_tag = moved(incoming.write_tag);
      incoming.visible_to &= dst.accesses;
      incoming.available_stages &= dst.stages;
      incoming.source_index = incoming.write_queue == queues_.own() ? incoming.write_index : vk::kSyncNone;
    } else {
      incoming.ForgetWrite();
    }
    states_.ChangeEach(entry.range, true, [&](AccessState& state, const Range& part) {
      const bool has_atomics =
          state.write_ordering == OrderingRule::kAtomic || incoming.write_ordering == OrderingRule::kAtomic;
      if (has_atomics && queues_.has_clock()) [[unlikely]] {
        VectorClock known = snapshot.point.known;
        known.MoveDown(moved_down);
        NoteUnordered(state, incoming, part, known);
      }
      MergeState(state, incoming);
    });
  }
  for (const Snapshot::EmptyScopeTransition& transition : snapshot.empty_scope_transitions) {
    if (!transition.range.Intersects(within)) continue;
    ForEachLastWritten(transition.range, moved(transition.tag), [&](const Range& part, const AccessState&) {
      empty_scope_transitions_.AddWait(part, moved(transition.tag), transition.stages, dst, states_.log());
    });
  }
  if (empty_scope_transitions_.NeedsDropping()) DropReplacedTransitions();
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::CollectRaces(const ReplayHazard& current, bool is_write, QueueIndex queue,
                                                 const VectorClock& known, std::vector<ReplayHazard>& races) {
  const Access& access = current.access;
  if (access.region != 0) {
    const Region* const region = regions_.Find(access.region);
    if (region == nullptr || !region->MayConflict(access.range, is_write)) return;
  }
  Flush(access.region);
  const auto races_with = [&](QueueIndex prior_queue, Tag tag) {
    return prior_queue == queues_.own() && prior_queue != queue && !known.Has(prior_queue, tag);
  };
  states_.ForEachState(access.range, [&](const Range& part, AccessState& state) {
    ReplayHazard race = current;
    race.access.range = part;
    if (state.HasWrite() && races_with(state.write_queue, state.write_tag) &&
        !AreAtomic(state.write_ordering, access.ordering)) {
      AddWriteHazard(is_write ? HazardKind::kWriteRacingWrite : HazardKind::kReadRacingWrite, state, false, part,
                     race.hazard);
    } else if (is_write) {
      AddReadHazard(states_.Reads(state), false, part, race.hazard, [&](const ReadRecord& read) {
        return races_with(read.queue, read.tag) && !AreAtomic(read.ordering, access.ordering);
      });
      if (race.hazard) race.hazard.kind = HazardKind::kWriteRacingRead;
    }
    if (race.hazard) races.push_back(race);
  });
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_SYNCHRONIZE_QUEUES_H_
