// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_EVENT_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_EVENT_IMPL_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// Events: the bodies of BasicAccessContext for them. See access_context_impl.h.
namespace assay::syncval {

// Calls visit(Barrier) on each dependency, by where they are given; the parts of an image are one.
template <typename Visit>
void ForEachDependency(const EventCommand& command, Visit&& visit) {
  for (const Barrier* barrier : command.globals) visit(*barrier);
  for (size_t i = 0; i < command.ranges.size(); ++i) {
    if (i == 0 || command.ranges[i].barrier != command.ranges[i - 1].barrier) visit(*command.ranges[i].barrier);
  }
}

// make(Barrier, its number) gives one half of a barrier.
template <typename Make>
EventBarriers MakeEventBarriers(const EventCommand& command, Make&& make) {
  EventBarriers event_barriers;
  ForEachDependency(command, [&](const Barrier& dependency) {
    event_barriers.barriers.push_back(make(dependency, event_barriers.barriers.size()));
  });
  for (size_t i = 0; i < command.globals.size(); ++i) event_barriers.globals.push_back(&event_barriers.barriers[i]);
  size_t next = command.globals.size();
  for (size_t i = 0; i < command.ranges.size(); ++i) {
    RangeBarrier range = command.ranges[i];
    const bool is_new = i == 0 || range.barrier != command.ranges[i - 1].barrier;
    range.barrier = is_new ? &event_barriers.barriers[next++] : event_barriers.ranges.back().barrier;
    event_barriers.ranges.push_back(range);
  }
  return event_barriers;
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::SetEvent(uint64_t event, const EventCommand& command, Tag tag) {
  std::vector<SyncAccessMask> accesses;
  ForEachDependency(command, [&](const Barrier& dependency) { accesses.push_back(dependency.src.accesses.outside); });
  const EventTable::Event& set =
      events_.Set(event, tag, std::move(accesses), [this](VkPipelineStageFlags2 stages) { ReleaseStages(stages); });
  EventBarriers event_barriers = MakeEventBarriers(command, [&](const Barrier& dependency, size_t number) {
    return Barrier{dependency.src, {StageSet(set.StageOf(number)), {}}};
  });
  // Layouts change at the wait.
  for (RangeBarrier& range : event_barriers.ranges) range.layout_transition = false;
  ApplyEvent(EventStep::Kind::kSet, {&event, 1}, command, event_barriers, tag);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ResetEvent(uint64_t event) {
  events_.Reset(event);
  JournalEvent(EventStep::Kind::kReset, {&event, 1}, {}, Tag());
}

template <Mutation kMutation>
EventBarriers BasicAccessContext<kMutation>::WaitBarriers(absl::Span<const uint64_t> events,
                                                          const EventCommand& command) const {
  return MakeEventBarriers(command, [&](const Barrier& dependency, size_t number) {
    VkPipelineStageFlags2 stages = 0;
    for (const uint64_t event : events) {
      const EventTable::Event* const set = events_.Find(event);
      if (set == nullptr) continue;
      stages |= command.matches_by_access ? set->StagesFor(dependency.src.accesses.outside) : set->StageOf(number);
    }
    if (kMutation == Mutation::kEventCoversLaterWork && stages != 0) return dependency;
    return Barrier{{StageSet(stages), {}}, dependency.dst, dependency.flags};
  });
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::WaitEvents(absl::Span<const uint64_t> events, const EventCommand& command,
                                               Tag tag) {
  EventBarriers event_barriers = WaitBarriers(events, command);
  // Its second scope is all that follows, in the subpass and after it.
  if (phase_.is_inside()) {
    for (Barrier& barrier : event_barriers.barriers) {
      const BarrierScope inside = barrier.dst.Inside();
      barrier.id = 0;
      barrier.dst.stages |= inside.stages;
      barrier.dst.accesses |= inside.accesses;
    }
  }
  ApplyEvent(EventStep::Kind::kWait, events, command, event_barriers, tag);
}

// The barriers are of this context's stages, so it is the event that the journal has, not they.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ApplyEvent(EventStep::Kind kind, absl::Span<const uint64_t> events,
                                               const EventCommand& command, const EventBarriers& event_barriers,
                                               Tag tag) {
  const uint32_t epoch = log_.epoch();
  is_in_event_ = true;
  if (!event_barriers.barriers.empty()) ApplyAllLimited(event_barriers.globals, event_barriers.ranges, tag);
  is_in_event_ = false;
  BeginCommand(epoch, log_.epoch());
  JournalEvent(kind, events, command, tag);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::JournalEvent(EventStep::Kind kind, absl::Span<const uint64_t> events,
                                                 const EventCommand& command, Tag tag) {
  if (!keeps_journal_) return;
  if (kind == EventStep::Kind::kReset) BeginCommand(log_.epoch(), log_.epoch());
  const EventTable::Event* const set = kind == EventStep::Kind::kSet ? events_.Find(events.front()) : nullptr;
  event_journal_.emplace_back(kind, events, command,
                              set != nullptr ? set->stages : std::vector<VkPipelineStageFlags2>());
  range_journal_.push_back({.tag = tag,
                            .journal_size = static_cast<uint32_t>(journal_.size()),
                            .epoch = command_epoch_,
                            .has_step = command_has_step_,
                            .begins_command = true,
                            .event = static_cast<uint32_t>(event_journal_.size() - 1)});
}

// Once every state has seen the whole log, nothing brings the stages back.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::ReleaseStages(VkPipelineStageFlags2 stages) {
  stage_map_.Remove(stages);
  FlushAll();
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    AccessState& state = pool_[map_.At(cursor).state];
    CatchUp(state);
    state.available_stages.outside &= ~stages;
    state.after_read_stages.outside &= ~stages;
    for (ReadRecord& read : pool_.Reads(state)) read.ordered_stages.outside &= ~stages;
  }
  empty_scope_transitions_.CatchUp(log_);
  empty_scope_transitions_.ReleaseStages(stages);
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ReplayEvent(const EventStep& step, Tag tag, Tag base, OnHazard on_hazard) {
  const EventCommand command = step.command();
  if (step.kind() == EventStep::Kind::kReset) return ResetEvent(step.event());
  if (step.kind() == EventStep::Kind::kSet) {
    SetEvent(step.event(), command, OffsetTag(tag, base));
    const std::vector<VkPipelineStageFlags2>& stages = events_.Find(step.event())->stages;
    for (size_t i = 0; i < stages.size(); ++i) stage_map_.Replace(step.stages()[i], stages[i]);
    return;
  }
  const EventBarriers event_barriers = WaitBarriers(step.events(), command);
  for (const RangeBarrier& range : event_barriers.ranges) {
    if (range.layout_transition) CollectHazards(range, tag, base, step.events(), command.matches_by_access);
  }
  ReportHazards(on_hazard);
  WaitEvents(step.events(), command, OffsetTag(tag, base));
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_EVENT_IMPL_H_
