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
HalfBarriers MakeHalf(const EventCommand& command, Make&& make) {
  HalfBarriers half;
  ForEachDependency(command, [&](const Barrier& whole) { half.barriers.push_back(make(whole, half.barriers.size())); });
  for (size_t i = 0; i < command.globals.size(); ++i) half.globals.push_back(&half.barriers[i]);
  size_t next = command.globals.size();
  for (size_t i = 0; i < command.ranges.size(); ++i) {
    RangeBarrier range = command.ranges[i];
    const bool is_new = i == 0 || range.barrier != command.ranges[i - 1].barrier;
    range.barrier = is_new ? &half.barriers[next++] : half.ranges.back().barrier;
    half.ranges.push_back(range);
  }
  return half;
}

template <Fault kFault>
void BasicAccessContext<kFault>::SetEvent(uint64_t event, const EventCommand& command, Tag tag) {
  std::vector<SyncAccessMask> accesses;
  ForEachDependency(command, [&](const Barrier& whole) { accesses.push_back(whole.src.accesses.outside); });
  const EventTable::Event& set =
      events_.Set(event, tag, std::move(accesses), [this](VkPipelineStageFlags2 stages) { ReleaseStages(stages); });
  HalfBarriers half = MakeHalf(command, [&](const Barrier& whole, size_t number) {
    return Barrier{whole.src, {StageSet(set.StageOf(number)), {}}};
  });
  // Layouts change at the wait.
  for (RangeBarrier& range : half.ranges) range.layout_transition = false;
  ApplyEvent(EventStep::Kind::kSet, {&event, 1}, command, half, tag);
}

template <Fault kFault>
void BasicAccessContext<kFault>::ResetEvent(uint64_t event) {
  events_.Reset(event);
  NoteEvent(EventStep::Kind::kReset, {&event, 1}, {}, Tag());
}

template <Fault kFault>
HalfBarriers BasicAccessContext<kFault>::WaitHalf(absl::Span<const uint64_t> events,
                                                  const EventCommand& command) const {
  return MakeHalf(command, [&](const Barrier& whole, size_t number) {
    VkPipelineStageFlags2 stages = 0;
    for (const uint64_t event : events) {
      const EventTable::Event* const set = events_.Find(event);
      if (set == nullptr) continue;
      stages |= command.goes_by_access ? set->StagesFor(whole.src.accesses.outside) : set->StageOf(number);
    }
    if (kFault == Fault::kEventCoversLaterWork && stages != 0) return whole;
    return Barrier{{StageSet(stages), {}}, whole.dst, whole.flags};
  });
}

template <Fault kFault>
void BasicAccessContext<kFault>::WaitEvents(absl::Span<const uint64_t> events, const EventCommand& command, Tag tag) {
  HalfBarriers half = WaitHalf(events, command);
  // Its second scope is all that follows, in the subpass and after it.
  if (scope_.is_inside()) {
    for (Barrier& barrier : half.barriers) {
      const BarrierScope inside = barrier.dst.Inside();
      barrier.id = 0;
      barrier.dst.stages |= inside.stages;
      barrier.dst.accesses |= inside.accesses;
    }
  }
  ApplyEvent(EventStep::Kind::kWait, events, command, half, tag);
}

// The barriers are of this context's stages, so it is the event that the journal has, not they.
template <Fault kFault>
void BasicAccessContext<kFault>::ApplyEvent(EventStep::Kind kind, absl::Span<const uint64_t> events,
                                            const EventCommand& command, const HalfBarriers& half, Tag tag) {
  const uint32_t epoch = log_.epoch();
  is_in_event_ = true;
  if (!half.barriers.empty()) ApplyAllInScope(half.globals, half.ranges, tag);
  is_in_event_ = false;
  BeginCommand(epoch, log_.epoch());
  NoteEvent(kind, events, command, tag);
}

template <Fault kFault>
void BasicAccessContext<kFault>::NoteEvent(EventStep::Kind kind, absl::Span<const uint64_t> events,
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
template <Fault kFault>
void BasicAccessContext<kFault>::ReleaseStages(VkPipelineStageFlags2 stages) {
  stage_map_.Remove(stages);
  FlushAll();
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    AccessState& state = pool_[map_.At(cursor).state];
    CatchUp(state);
    state.available_stages.outside &= ~stages;
    state.after_read_stages.outside &= ~stages;
    for (ReadRecord& read : pool_.Reads(state)) read.ordered_stages.outside &= ~stages;
  }
  bare_.CatchUp(log_);
  bare_.ReleaseStages(stages);
}

template <Fault kFault>
void BasicAccessContext<kFault>::ReplayEvent(const EventStep& step, Tag tag, Tag base, OnHazard on_hazard) {
  const EventCommand command = step.command();
  if (step.kind() == EventStep::Kind::kReset) return ResetEvent(step.event());
  if (step.kind() == EventStep::Kind::kSet) {
    SetEvent(step.event(), command, Later(tag, base));
    const std::vector<VkPipelineStageFlags2>& stages = events_.Find(step.event())->stages;
    for (size_t i = 0; i < stages.size(); ++i) stage_map_.Replace(step.stages()[i], stages[i]);
    return;
  }
  const HalfBarriers half = WaitHalf(step.events(), command);
  for (const RangeBarrier& range : half.ranges) {
    if (range.layout_transition) CollectHazards(range, tag, base, step.events(), command.goes_by_access);
  }
  ReportHazards(on_hazard);
  WaitEvents(step.events(), command, Later(tag, base));
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_EVENT_IMPL_H_
