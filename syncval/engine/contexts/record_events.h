// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_EVENTS_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_EVENTS_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// Bodies of BasicAccessContext. See access_context_bodies.h.
namespace assay::syncval {

template <Mutation kMutation>
void BasicAccessContext<kMutation>::SetEvent(uint64_t event, const EventCommand& command, Tag tag) {
  const EventTable::Event& set =
      events_.Set(event, tag, DependenciesOf(command), [this](VkPipelineStageFlags2 stages) { ReleaseStages(stages); });
  ApplyEvent(MakeSetBarriers(set, command), tag);
  journal_.AddEvent(EventStep::Kind::kSet, {&event, 1}, command, set.stages, tag);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ResetEvent(uint64_t event) {
  events_.Reset(event);
  journal_.BeginCommand(states_.log().epoch(), states_.log().epoch());
  journal_.AddEvent(EventStep::Kind::kReset, {&event, 1}, {}, {}, Tag());
}

template <Mutation kMutation>
EventBarriers BasicAccessContext<kMutation>::WaitBarriers(absl::Span<const uint64_t> events,
                                                          const EventCommand& command) {
  events_.MakeResident(
      events, command.matches_by_access, [this](VkPipelineStageFlags2 stages) { ReleaseStages(stages); },
      [this](VkPipelineStageFlags2 stage, const EventTable::Event& event, size_t number) {
        MarkBeforeEvent(stage, event, number);
      });
  return MakeWaitBarriers<kMutation>(events_, events, command);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::WaitEvents(absl::Span<const uint64_t> events, const EventCommand& command,
                                               Tag tag) {
  EventBarriers event_barriers = WaitBarriers(events, command);
  if (subpass_.is_inside()) ExtendIntoSubpass(event_barriers);
  ApplyEvent(event_barriers, tag);
  // A wait for an event that was set elsewhere does nothing here, but in a replay it may. So the barrier after it
  // counts, even if it is like the one before.
  states_.log().MarkAccessRecorded();
  journal_.AddEvent(EventStep::Kind::kWait, events, command, {}, tag);
}

// Applies the barriers of the set of an event or of a wait. They are of this context's stages, so the journal gets the
// event instead of them.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyEvent(const EventBarriers& event_barriers, Tag tag) {
  const uint32_t epoch = states_.log().epoch();
  is_in_event_ = true;
  if (!event_barriers.barriers.empty()) ApplyAllLimited(event_barriers.globals, event_barriers.ranges, tag);
  is_in_event_ = false;
  journal_.BeginCommand(epoch, states_.log().epoch());
}

// Adds an event stage to the accesses that were in the first scope of a set: see EventTable::MakeResident.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::MarkBeforeEvent(VkPipelineStageFlags2 stage, const EventTable::Event& event,
                                                    size_t number) {
  ++version_;
  FlushAll();
  for (size_t i = 0; i < event.dependencies.size(); ++i) {
    if (event.NumberOfStage(i) != number) continue;
    const EventTable::Dependency& dependency = event.dependencies[i];
    // The execution dependency covers everything.
    const BarrierScope execution = {dependency.src.stages, {}};
    const BarrierScope& src = dependency.is_everywhere ? dependency.src : execution;
    states_.ChangeAll([&](AccessState& state) { MarkBefore(stage, event.tag, src, state); });
    for (const Range& range : dependency.ranges) {
      states_.ChangeEach(range, false, [&](AccessState& state, const Range&) {
        states_.CatchUp(state);
        MarkBefore(stage, event.tag, dependency.src, state);
      });
    }
  }
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::MarkBefore(VkPipelineStageFlags2 stage, Tag tag, const BarrierScope& src,
                                               AccessState& state) {
  if (state.HasWrite() && state.write_tag < tag && IsWriteInFirstScope<kMutation>(state, src))
    state.available_stages |= stage;
  for (ReadRecord& read : states_.Reads(state)) {
    if (read.tag < tag && IsInFirstScope(read, src)) read.ordered_stages |= stage;
  }
  const bool is_before = !state.HasWrite() || state.write_tag < tag;
  if (is_before && (state.read_stages | state.after_read_stages).IsInFirstScope(src.stages))
    state.after_read_stages |= stage;
}

// Takes event stages out of all states. These have seen the whole log by then, so that nothing brings the stages back.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ReleaseStages(VkPipelineStageFlags2 stages) {
  stage_map_.Remove(stages);
  FlushAll();
  states_.ChangeAll([&](AccessState& state) {
    state.available_stages.outside &= ~stages;
    state.after_read_stages.outside &= ~stages;
    for (ReadRecord& read : states_.Reads(state)) read.ordered_stages.outside &= ~stages;
  });
  empty_scope_transitions_.CatchUp(states_.log());
  empty_scope_transitions_.ReleaseStages(stages);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_EVENTS_H_
