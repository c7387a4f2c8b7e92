// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_BARRIERS_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_BARRIERS_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// Bodies of BasicAccessContext. See access_context_bodies.h.
namespace assay::syncval {

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyGlobal(const Barrier& barrier) {
  ApplyGlobalLimited(*subpass_.Limit(&barrier));
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyRange(const Range& range, const Barrier& barrier, uint64_t region) {
  ApplyRangeLimited(range, *subpass_.Limit(&barrier), region);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyAll(absl::Span<const Barrier* const> globals,
                                             absl::Span<const RangeBarrier> ranges, Tag tag) {
  if (!subpass_.is_inside()) return ApplyAllLimited(globals, ranges, tag);
  const auto limited = subpass_.Limit(globals, ranges);
  ApplyAllLimited(limited.globals, limited.ranges, tag);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyGlobalLimited(const Barrier& barrier) {
  ++version_;
  states_.log().Append(barrier);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::OrderEverything() {
  // All stages but those that end with a render pass.
  const StageSet stages(~VkPipelineStageFlags2{0}, subpass_.is_inside() ? ~kDependencyStages : 0);
  const AccessSet accesses(~SyncAccessMask(), subpass_.is_inside() ? ~SyncAccessMask() : SyncAccessMask());
  const BarrierScope everything{{~VkPipelineStageFlags2{0}, ~VkPipelineStageFlags2{0}}, ~AccessSet()};
  ApplyGlobalLimited({everything, {stages, accesses}});
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyRangeLimited(const Range& range, const Barrier& barrier, uint64_t region) {
  if (!barrier.HasEffect()) return;
  Flush(region);
  // The range sees the whole barrier at once; everything else finds the execution dependency in the log.
  const Barrier execution = barrier.ExecutionOnly();
  const uint32_t next_epoch = states_.log().EpochAfter(execution);
  if (!empty_scope_transitions_.empty()) [[unlikely]] {
    const Barrier* const whole = &barrier;
    ApplyToEmptyScopeTransitions(range, {&whole, 1}, next_epoch);
  }
  const auto apply = [&](AccessState& state) {
    states_.CatchUp(state);
    ApplyBarrier<kMutation>(state, states_.Reads(state), barrier);
    state.epoch = next_epoch;
  };
  if (AccessState* state = states_.FindRecent(range); state != nullptr) {
    if (!state->HasWrite()) {
      journal_.BeginCommand(states_.log().epoch(), next_epoch);
      JournalRange({range, &barrier, false, region}, Tag());
    }
    apply(*state);
  } else {
    journal_.BeginCommand(states_.log().epoch(), next_epoch);
    JournalRange({range, &barrier, false, region}, Tag());
    states_.ChangeEach(range, false, [&](AccessState& state, const Range&) { apply(state); });
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
  barriers_.Collect(globals, ranges);
  const absl::Span<const Barrier* const> everywhere = barriers_.everywhere();
  BarrierLog& log = states_.log();
  journal_.BeginCommand(log.epoch(), log.EpochAfter(everywhere));
  for (const RangeBarrier& range : ranges) {
    if (!range.layout_transition && range.barrier->HasEffect()) JournalRange(range, tag);
  }
  if (!everywhere.empty()) {
    const uint32_t next_epoch = log.EpochAfter(everywhere);
    barriers_.ForEachRange(ranges, [&](const Range& range, absl::Span<const Barrier* const> covering) {
      ApplyToRange(range, covering, next_epoch);
    });
    log.Append(everywhere);
  }
  for (const RangeBarrier& range : ranges) {
    if (range.layout_transition && RecordTransitionOf(range, tag)) JournalRange(range, tag);
  }
}

// Applies the single barrier of a command. Most commands have one.
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
  const uint32_t epoch = states_.log().epoch();
  ApplyGlobalLimited(range.barrier->ExecutionOnly());
  if (RecordTransitionOf(range, tag)) [[unlikely]] {
    journal_.BeginCommand(epoch, states_.log().epoch());
    JournalRange(range, tag);
  }
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::RecordSubpassChange(SubpassChange change, absl::Span<const Barrier* const> barriers,
                                                        Tag tag) {
  ++version_;
  states_.log().AppendChange(change, barriers);
  subpass_.Change(change, tag);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::RecordAutomaticTransitions(absl::Span<const RangeBarrier> transitions, Tag tag) {
  if (transitions.empty()) return;
  ++version_;
  subpass_.AddAutomaticTransitions(tag);
  journal_.BeginCommand(states_.log().epoch(), states_.log().epoch());
  for (const RangeBarrier& range : transitions) {
    Flush(range.region);
    if (range.region != 0) GetRegion(range.region).ExtendInMap(range.range, true);
    if (RecordTransitionOf(range, tag, true)) journal_.AddRange(range, tag, /*is_of_subpass=*/true);
  }
}

template <Mutation kMutation>
bool BasicAccessContext<kMutation>::RecordTransitionOf(const RangeBarrier& range, Tag tag, bool is_automatic) {
  states_.log().MarkAccessRecorded();
  // An automatic transition is between subpasses: for the one that begins, or for the work after the last one.
  const bool is_inside = subpass_.is_inside() != is_automatic;
  TransitionFlags flags = is_automatic && is_inside ? TransitionFlags::kForSubpass : TransitionFlags::kNone;
  if (IsEmptyScope(range.barrier->dst)) [[unlikely]] {
    // The second scope of a wait for events is all later work, in the subpass and after it.
    empty_scope_transitions_.Add(range.range, tag, states_.log().epoch(), !is_inside || is_in_event_, is_inside);
    flags = flags | TransitionFlagsOf(*range.barrier);
  }
  const auto record = [&](AccessState& state) {
    const bool is_first = RecordTransition(states_.pool(), state, range.barrier->dst, tag, queues_.own());
    state.AddTransitionFlags(flags);
    state.epoch = states_.log().epoch();
    return is_first;
  };
  if (AccessState* state = states_.FindRecent(range.range); state != nullptr) return record(*state);
  bool is_first = false;
  states_.ChangeEach(range.range, true, [&](AccessState& state, const Range&) { is_first |= record(state); });
  return is_first;
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyToRange(const Range& range, absl::Span<const Barrier* const> covering,
                                                 uint32_t next_epoch) {
  if (!empty_scope_transitions_.empty()) [[unlikely]]
    ApplyToEmptyScopeTransitions(range, covering, next_epoch);
  const auto apply = [&](AccessState& state) {
    states_.CatchUp(state);
    ApplyBarriers<kMutation>(state, states_.Reads(state), covering);
    state.epoch = next_epoch;
  };
  if (AccessState* state = states_.FindRecent(range); state != nullptr) {
    apply(*state);
  } else {
    states_.ChangeEach(range, false, [&](AccessState& state, const Range&) { apply(state); });
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_BARRIERS_H_
