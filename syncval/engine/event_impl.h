// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_EVENT_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_EVENT_IMPL_H_

#include <algorithm>

#include "syncval/engine/access_context.h"

// Events: the bodies of BasicAccessContext for them. See access_context_impl.h.
namespace assay::syncval {

// Dependencies by where they are given; the parts of an image are one.
inline size_t CountDependencies(const EventCommand& command) {
  size_t count = command.globals.size();
  for (size_t i = 0; i < command.ranges.size(); ++i) {
    count += i == 0 || command.ranges[i].barrier != command.ranges[i - 1].barrier;
  }
  return count;
}

// The half of a command's barriers that is done at the set or at the wait.
struct HalfBarriers {
  std::vector<Barrier> barriers;
  std::vector<const Barrier*> globals;
  std::vector<RangeBarrier> ranges;
};

// make(Barrier, stage of the event) gives one half of a barrier.
template <typename Make>
HalfBarriers MakeHalf(const EventCommand& command, const EventTable::Event& event, Make&& make) {
  HalfBarriers half;
  half.barriers.reserve(CountDependencies(command));
  const auto next = [&](const Barrier& whole) {
    const size_t number = std::min(half.barriers.size(), event.stages.size() - 1);
    half.barriers.push_back(make(whole, event.stages[number]));
    return &half.barriers.back();
  };
  for (const Barrier* barrier : command.globals) half.globals.push_back(next(*barrier));
  for (size_t i = 0; i < command.ranges.size(); ++i) {
    const bool is_new = i == 0 || command.ranges[i].barrier != command.ranges[i - 1].barrier;
    RangeBarrier range = command.ranges[i];
    range.barrier = is_new ? next(*range.barrier) : half.ranges.back().barrier;
    half.ranges.push_back(range);
  }
  return half;
}

template <Fault kFault>
void BasicAccessContext<kFault>::SetEvent(uint64_t event, const EventCommand& command, Tag tag) {
  const EventTable::Event& set = events_.Set(event, tag, CountDependencies(command),
                                             [this](VkPipelineStageFlags2 stages) { ReleaseStages(stages); });
  HalfBarriers half = MakeHalf(command, set, [](const Barrier& whole, VkPipelineStageFlags2 stage) {
    return Barrier{whole.src, {stage, {}}};
  });
  // Layouts change at the wait.
  for (RangeBarrier& range : half.ranges) range.layout_transition = false;
  ApplyEvent(EventStep::Kind::kSet, event, command, half.globals, half.ranges, tag);
}

template <Fault kFault>
void BasicAccessContext<kFault>::ResetEvent(uint64_t event) {
  events_.Reset(event);
  NoteEvent(EventStep::Kind::kReset, event, {}, Tag());
}

template <Fault kFault>
HalfBarriers BasicAccessContext<kFault>::WaitHalf(uint64_t event, const EventCommand& command) const {
  const EventTable::Event unknown{.event = event, .stages = {0}};
  const EventTable::Event* const set = events_.Find(event);
  return MakeHalf(command, set != nullptr ? *set : unknown, [](const Barrier& whole, VkPipelineStageFlags2 stage) {
    if (kFault == Fault::kEventCoversLaterWork && stage != 0) return whole;
    return Barrier{{stage, {}}, whole.dst, whole.flags};
  });
}

template <Fault kFault>
bool BasicAccessContext<kFault>::DetectEventTransitions(uint64_t event, const EventCommand& command, Hazard& hazard) {
  bool found = false;
  for (const RangeBarrier& range : WaitHalf(event, command).ranges) {
    if (range.layout_transition) found |= DetectLayoutTransition(range.range, *range.barrier, hazard, range.region);
  }
  return found;
}

template <Fault kFault>
void BasicAccessContext<kFault>::WaitEvent(uint64_t event, const EventCommand& command, Tag tag) {
  const HalfBarriers half = WaitHalf(event, command);
  ApplyEvent(EventStep::Kind::kWait, event, command, half.globals, half.ranges, tag);
}

// The barriers are of this context's stages, so it is the event that the journal has, not they.
template <Fault kFault>
void BasicAccessContext<kFault>::ApplyEvent(EventStep::Kind kind, uint64_t event, const EventCommand& command,
                                            absl::Span<const Barrier* const> globals,
                                            absl::Span<const RangeBarrier> ranges, Tag tag) {
  const uint32_t epoch = log_.epoch();
  is_in_event_ = true;
  if (!globals.empty() || !ranges.empty()) ApplyAll(globals, ranges, tag);
  is_in_event_ = false;
  BeginCommand(epoch, log_.epoch());
  NoteEvent(kind, event, command, tag);
}

template <Fault kFault>
void BasicAccessContext<kFault>::NoteEvent(EventStep::Kind kind, uint64_t event, const EventCommand& command, Tag tag) {
  if (!keeps_journal_) return;
  if (kind == EventStep::Kind::kReset) BeginCommand(log_.epoch(), log_.epoch());
  const EventTable::Event* const set = events_.Find(event);
  event_journal_.emplace_back(kind, event, command,
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
    state.available_stages &= ~stages;
    state.after_read_stages &= ~stages;
    for (ReadRecord& read : pool_.Reads(state)) read.ordered_stages &= ~stages;
  }
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
  const HalfBarriers half = WaitHalf(step.event(), command);
  for (const RangeBarrier& range : half.ranges) {
    if (range.layout_transition) CollectHazards(range, tag, base, step.event());
  }
  ReportHazards(on_hazard);
  WaitEvent(step.event(), command, Later(tag, base));
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_EVENT_IMPL_H_
