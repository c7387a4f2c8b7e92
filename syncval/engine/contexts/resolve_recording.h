// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_RESOLVE_RECORDING_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_RESOLVE_RECORDING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "syncval/engine/contexts/replay_recording.h"

// The end of a replay: the context takes over the states that the command buffer leaves behind. Bodies of
// RecordingReplay; see access_context_bodies.h.
namespace assay::syncval {

// The plan has first accesses only. The recorded map has the states that the command buffer leaves behind.
template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveStates() {
  if (recorded_.states_.size() == 0) return;
  states_.log().MarkAccessRecorded();
  if (knows_regions_) {
    ResolveRegions();
  } else {
    recorded_.regions_.ForEach([this](const Region& region) {
      if (region.is_in_map) context_.Flush(region.key);
    });
    FoundState found;
    recorded_.states_.ForEachAsIs(
        [&](const Range& range, AccessState& last) { ResolveStates(range, last, found, false); });
  }
  ResolveEmptyScopeTransitions();
}

// All states lie in regions.
template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveRegions() {
  ++context_.version_;
  absl::Span<const RegionUse> uses = recorded_.journal_.plan().regions();
  RecordedWalk walk(recorded_.states_);
  while (!uses.empty()) {
    const RegionUse& use = uses.front();
    if (use.is_apart) {
      uses.remove_prefix(InsertRegions(uses));
      continue;
    }
    uses.remove_prefix(1);
    if (!use.region.is_in_map) continue;
    Region& known = *use.known;
    context_.FlushRegion(known);
    known.is_in_map = true;
    known.Extend(use.region);
    walk.ForEachAsIs(use.region.Bounds(), [&](const Range& range, AccessState& last) {
      ResolveStates(range, last, known.found, !use.is_in_subpass);
    });
  }
}

// Those between which this context has no states are inserted together.
template <Mutation kMutation>
size_t RecordingReplay<kMutation>::InsertRegions(absl::Span<const RegionUse> uses) {
  Range free;
  Range inserted;
  size_t count = 0;
  for (; count < uses.size() && uses[count].is_apart; ++count) {
    const Region& region = uses[count].region;
    if (!region.is_in_map) continue;
    const Range bounds = region.Bounds();
    if (inserted == Range()) {
      free = states_.FreeFrom(bounds.begin);
      inserted.begin = bounds.begin;
    } else if (!free.Contains(bounds)) {
      break;
    }
    inserted.end = bounds.end;
    uses[count].known->is_in_map = true;
    uses[count].known->Extend(region);
  }
  if (inserted == Range()) return count;
  states_.InsertCopies(recorded_.states_, inserted, [&](AccessState& state) {
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
  return count;
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveStates(const Range& range, AccessState& last, FoundState& found,
                                               bool replaces_reads) {
  recorded_.states_.CatchUp(last);
  const absl::Span<const ReadRecord> reads = recorded_.states_.Reads(last);
  if (const uint32_t exact = states_.FindExact(range, found); exact != StateMap<kMutation>::kNoState) {
    ResolveState(states_.pool()[exact], last, reads, replaces_reads);
  } else {
    states_.ChangeEach(range, true,
                       [&](AccessState& known, const Range&) { ResolveState(known, last, reads, replaces_reads); });
  }
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveState(AccessState& state, const AccessState& recorded,
                                              absl::Span<const ReadRecord> reads, bool replaces_reads) {
  if (recorded.HasWrite()) {
    ResolveWrite(state, recorded);
    // Of reads after a write, subpasses may have left several of a kind.
    replaces_reads = false;
  } else {
    states_.CatchUp(state);
    state.read_stages |= recorded.read_stages;
    state.after_read_stages |= context_.stage_map_.Map(recorded.after_read_stages);
  }
  if (kMutation == Mutation::kReplayDropsLastReads) return;
  const QueueIndex queue = context_.queue();
  // Drops the first accesses, which were replayed: those that they represent are among the recorded reads.
  if (!replaces_reads && state.read_count != 0) {
    states_.pool().RemoveReadsIf(state,
                                 [&](const ReadRecord& known) { return known.queue == queue && known.tag >= base_; });
  }
  for (ReadRecord read : reads) {
    read.tag = Offset(read.tag);
    read.queue = queue;
    read.ordered_stages = context_.stage_map_.Map(read.ordered_stages);
    if (!replaces_reads || !ReplaceRead(state, read)) states_.pool().AddRead(state, read);
  }
}

template <Mutation kMutation>
void RecordingReplay<kMutation>::ResolveWrite(AccessState& state, const AccessState& recorded) {
  const EventStageMap& stage_map = context_.stage_map_;
  states_.pool().ClearReads(state);
  state.visible_to = recorded.visible_to;
  state.available_stages = stage_map.Map(recorded.available_stages);
  state.read_stages = recorded.read_stages;
  state.after_read_stages = stage_map.Map(recorded.after_read_stages);
  state.write_tag = Offset(recorded.write_tag);
  state.write_index = recorded.write_index;
  state.source_index = recorded.source_index;
  state.write_queue = context_.queue();
  state.is_write_inside = recorded.is_write_inside;
  state.write_ordering = recorded.write_ordering;
  state.epoch = states_.log().epoch();
}

// As RecordRead replaces those of its kind.
template <Mutation kMutation>
bool RecordingReplay<kMutation>::ReplaceRead(AccessState& state, const ReadRecord& read) {
  size_t found = 0;
  for (ReadRecord& known : states_.pool().Reads(state)) {
    if (known.IsLike(read) && known.stage == read.stage && found++ == 0) known = read;
  }
  if (found > 1) [[unlikely]] {
    states_.pool().RemoveReadsIf(state, [&](const ReadRecord& known) {
      return known.IsLike(read) && known.stage == read.stage && known.tag != read.tag;
    });
  }
  return found != 0;
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

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_RESOLVE_RECORDING_H_
