// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_STREAMS_STREAM_SUGGESTIONS_H_
#define ASSAY_SYNCVAL_ENGINE_STREAMS_STREAM_SUGGESTIONS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/contexts/device_context_bodies.h"
#include "syncval/engine/model/reference_model.h"
#include "syncval/engine/streams/compare_stream.h"
#include "syncval/engine/streams/device_stream.h"
#include "syncval/engine/suggestions/suggestion.h"

// The engine's suggestions for the hazards of a stream. A test applies them to the model.
namespace assay::syncval {

// A hazard of one byte, and its suggestion.
struct HazardSuggestion {
  // Tags of the device. `base` is the first tag of the replay that found the hazard.
  Tag tag;
  Tag base;
  ReplayHazard hazard;
  // The range of the whole hazard, which has this byte in it.
  Range range;
  // For a hazard of a layout transition: the barrier that does it, or the automatic transition of a command that begins
  // or ends a subpass.
  ReferenceModel::ModelBarrier barrier;
  std::optional<ReferenceModel::AutomaticTransition> automatic_transition;
  bool is_in_subpass = false;
  Suggestion suggestion;
};
// Receives the model as it is before the command.
using SuggestionCallback = std::function<void(const HazardSuggestion&, const ReferenceModel&, ReferenceModel::Where)>;

// The suggestion for the first byte of a hazard. A test can skip a single byte if it has raced before.
template <Mutation kMutation>
HazardSuggestion SuggestFor(const ReplayHazard& found, Tag base, BasicAccessContext<kMutation>& context) {
  HazardSuggestion suggested{.tag = Tag{base.value + found.tag.value},
                             .base = base,
                             .hazard = found,
                             .range = found.access.range,
                             .barrier = {},
                             .automatic_transition = std::nullopt,
                             .is_in_subpass = context.is_in_subpass(),
                             .suggestion = {}};
  Range& range = suggested.hazard.access.range;
  range.end = range.begin + 1;
  if (found.transition != nullptr) suggested.barrier = {found.transition->flags, false, range, true};
  suggested.suggestion = context.SuggestForReplay(suggested.hazard, base, kStreamQueue);
  return suggested;
}

// Asks for suggestions while a command buffer is recorded, byte by byte.
template <Mutation kMutation>
class RecordingSuggestions {
 public:
  RecordingSuggestions(BasicAccessContext<kMutation>& context, const ReferenceModel& model,
                       const SuggestionCallback& check)
      : context_(context), model_(model), check_(check) {}

  void Check(const StreamCommand& command, Tag tag) {
    if (!check_) return;
    for (const Access& access : command.accesses) {
      ForEachByte(access.range, [&](const Range& byte) { Check(access, byte, tag); });
    }
    std::deque<Barrier> own;
    std::vector<RangeBarrier> transitions;
    for (const StreamBarrier& barrier : command.barriers) {
      if (!barrier.layout_transition) continue;
      own.push_back(MakeBarrier(barrier.flags, kStreamQueue));
      transitions.push_back({barrier.range, &own.back(), true, barrier.region});
    }
    const uint64_t number = command.event_number;
    absl::Span<const uint64_t> events;
    EventBarriers event_barriers;
    if (command.event == StreamEvent::kSet) return;
    if (command.event == StreamEvent::kWait) {
      events = {&number, 1};
      event_barriers = WaitBarriersOf(command, own, events);
      transitions = event_barriers.ranges;
      std::erase_if(transitions, [](const RangeBarrier& range) { return !range.layout_transition; });
    }
    for (const RangeBarrier& transition : transitions) {
      ForEachByte(transition.range, [&](const Range& byte) {
        HazardSuggestion suggested = MakeSuggested(byte, vk::kSyncImageLayoutTransition, tag);
        const Barrier& barrier = *transition.barrier;
        suggested.barrier = {barrier.flags, false, byte, true};
        suggested.hazard.transition = &barrier;
        suggested.hazard.events = events;
        if (!context_.DetectTransitionOf({byte, &barrier, true, transition.region}, suggested.hazard.hazard)) return;
        suggested.suggestion =
            events.empty() ? context_.SuggestForLayoutTransition({byte}, barrier.flags, kStreamQueue)
                           : context_.SuggestForWait({byte}, barrier, events, command.is_sync1_event, kStreamQueue);
        check_(suggested, model_, {});
      });
    }
  }
  // A layout transition by a command that begins or ends a subpass.
  void Check(const StreamCommand& command, const StreamTransition& automatic_transition, const RangeBarrier& transition,
             Tag tag) {
    if (!check_) return;
    ReferenceModel model = model_;
    StepInModel(command, tag, {}, model);
    ForEachByte(automatic_transition.range, [&](const Range& byte) {
      HazardSuggestion suggested = MakeSuggested(byte, vk::kSyncImageLayoutTransition, tag);
      suggested.hazard.transition = transition.barrier;
      suggested.automatic_transition = ToModel(automatic_transition);
      if (!context_.DetectTransitionOf({byte, transition.barrier, true, transition.region}, suggested.hazard.hazard))
        return;
      suggested.suggestion = context_.SuggestForTransition({byte}, transition.barrier->src, {}, kStreamQueue);
      check_(suggested, model, {});
    });
  }

 private:
  template <typename Visit>
  static void ForEachByte(const Range& range, Visit&& visit) {
    for (uint64_t address = range.begin; address < range.end; ++address) visit(Range{address, address + 1});
  }
  HazardSuggestion MakeSuggested(const Range& byte, vk::SyncAccessIndex index, Tag tag) const {
    return {.tag = tag,
            .base = Tag{0},
            .hazard = {.access = {.range = byte, .index = index}, .tag = tag, .hazard = {}},
            .range = byte,
            .barrier = {},
            .automatic_transition = std::nullopt,
            .is_in_subpass = context_.is_in_subpass(),
            .suggestion = {}};
  }
  void Check(const Access& access, const Range& byte, Tag tag) {
    HazardSuggestion suggested = MakeSuggested(byte, access.index, tag);
    suggested.hazard.access = access;
    suggested.hazard.access.range = byte;
    if (!context_.DetectHazard(suggested.hazard.access, tag, suggested.hazard.hazard)) return;
    suggested.suggestion = context_.SuggestBarrier({&suggested.hazard.access, 1}, tag);
    check_(suggested, model_, {});
  }
  EventBarriers WaitBarriersOf(const StreamCommand& command, std::deque<Barrier>& own,
                               absl::Span<const uint64_t> events) {
    std::vector<const Barrier*> globals;
    std::vector<RangeBarrier> ranges;
    for (const StreamBarrier& barrier : command.barriers) {
      own.push_back(MakeBarrier(barrier.flags, kStreamQueue));
      if (barrier.global) {
        globals.push_back(&own.back());
      } else {
        ranges.push_back({barrier.range, &own.back(), barrier.layout_transition, barrier.region});
      }
    }
    return context_.WaitBarriers(events, {globals, ranges, command.is_sync1_event});
  }

  BasicAccessContext<kMutation>& context_;
  const ReferenceModel& model_;
  const SuggestionCallback& check_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_STREAMS_STREAM_SUGGESTIONS_H_
