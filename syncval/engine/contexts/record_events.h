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
  std::vector<SyncAccessMask> accesses;
  ForEachDependency(command, [&](const Barrier& dependency) { accesses.push_back(dependency.src.accesses.outside); });
  const EventTable::Event& set =
      events_.Set(event, tag, std::move(accesses), [this](VkPipelineStageFlags2 stages) { ReleaseStages(stages); });
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
                                                          const EventCommand& command) const {
  return MakeWaitBarriers<kMutation>(events_, events, command);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::WaitEvents(absl::Span<const uint64_t> events, const EventCommand& command,
                                               Tag tag) {
  EventBarriers event_barriers = WaitBarriers(events, command);
  if (subpass_.is_inside()) ExtendIntoSubpass(event_barriers);
  ApplyEvent(event_barriers, tag);
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

// Takes event stages out of all states. These have seen the whole log by then, so that nothing brings the stages back.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ReleaseStages(VkPipelineStageFlags2 stages) {
  stage_map_.Remove(stages);
  FlushAll();
  states_.ForEachAsIs([&](const Range&, AccessState& state) {
    states_.CatchUp(state);
    state.available_stages.outside &= ~stages;
    state.after_read_stages.outside &= ~stages;
    for (ReadRecord& read : states_.Reads(state)) read.ordered_stages.outside &= ~stages;
  });
  empty_scope_transitions_.CatchUp(states_.log());
  empty_scope_transitions_.ReleaseStages(stages);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECORD_EVENTS_H_
