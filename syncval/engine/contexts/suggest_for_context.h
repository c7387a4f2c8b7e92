// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_FOR_CONTEXT_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_FOR_CONTEXT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/contexts/access_context.h"
#include "syncval/engine/suggestions/suggestion.h"

// Suggestions for the hazards of a context. They are searched for in copies of its states: see suggestion.h.
namespace assay::syncval {

// A scratch context in which a wait for a semaphore is tried, on copies of states.
template <Mutation kMutation>
class ScratchContext {
 public:
  using Context = BasicAccessContext<kMutation>;

  explicit ScratchContext(QueueIndex queue) { context_.queues_.SetOwn(queue); }

  Context& context() { return context_; }

  void Put(const StateCopy& copy) {
    StateMap<kMutation>& states = context_.states_;
    states.ChangeEach(copy.range, true, [&](AccessState& state, const Range&) {
      state = copy.state;
      state.epoch = states.log().epoch();
      state.read_count = 0;
      state.spill = AccessState::kNoSpill;
      for (const ReadRecord& read : copy.reads) states.pool().AddRead(state, read);
    });
  }
  // Adds a state of another queue, as a wait for a semaphore does.
  void Merge(const StateCopy& copy) {
    context_.merger_.incoming_reads = copy.reads;
    context_.states_.ChangeEach(copy.range, true,
                                [&](AccessState& state, const Range&) { context_.MergeState(state, copy.state); });
  }
  // Appends the steps of a log from one on.
  void AppendSteps(const BarrierLog& log, uint32_t from) {
    BarrierLog& own = context_.states_.log();
    for (uint32_t step = from; step < log.epoch(); ++step) {
      if (log.ChangeAt(step) == SubpassChange::kNone) {
        own.Append(log.BarriersAt(step));
      } else {
        own.AppendChange(log.ChangeAt(step), log.BarriersAt(step));
      }
      own.MarkAccessRecorded();
    }
  }

 private:
  Context context_;
};

// The device of a context, for a replay from base on. Semaphores are tried on copies of both queues' contexts.
template <Mutation kMutation>
class ReplayDevice final : public SuggestionDevice {
 public:
  using Context = BasicAccessContext<kMutation>;

  ReplayDevice(const Context& context, Tag base) : context_(context), base_(base) {}

  VkPipelineStageFlags2 stages() const override { return context_.device_stages_; }
  VkPipelineStageFlags2 waited_stages() const override { return context_.queues_.waited_stages(); }
  Tag now() const override { return Tag{base_.value - 1}; }
  void Wait(const Suggestion::Semaphore& semaphore, StateCopy& prior) const override {
    constexpr VkAccessFlags2 kAll = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    Context* const signaller = context_.queues_.FindOther(semaphore.queue);
    if (signaller == nullptr) return;
    const BarrierScope src = MakeBarrier({semaphore.signal_stages, kAll, 0, 0}, ~VkQueueFlags{0}).src;
    const BarrierScope dst = MakeWaitScope(semaphore.wait_stages, ~VkQueueFlags{0});
    ScratchContext<kMutation> theirs(signaller->queue());
    for (const StateCopy& copy : signaller->CopyStates({&prior.range, 1})) theirs.Put(copy);
    Snapshot snapshot;
    theirs.context().AddToSnapshot(src, (semaphore.signal_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0,
                                   snapshot);
    ScratchContext<kMutation> waited(context_.queue());
    waited.context().MergeSnapshot(snapshot, 0, dst, VectorClock());
    waited.AppendSteps(context_.states_.log(), context_.replay_epoch_);
    ScratchContext<kMutation> ours(context_.queue());
    ours.Put(prior);
    for (const StateCopy& copy : waited.context().CopyStates({&prior.range, 1})) ours.Merge(copy);
    prior = ours.context().CopyStates({&prior.range, 1}).front();
  }

 private:
  const Context& context_;
  Tag base_;
};

// Gathers what a suggestion for one context needs.
template <Mutation kMutation>
class SuggestionInput {
 public:
  using Context = BasicAccessContext<kMutation>;

  explicit SuggestionInput(Context& context) : context_(context) {}

  // Adds an access that meets the state: one for each part of the copy whose dependency chains differ.
  void AddStateAccesses(StateCopy copy, const CurrentAccess& current, std::vector<StateAccess>& state_accesses) {
    const Tag automatic_begin = context_.subpass_.automatic_transitions_begin();
    const size_t before = state_accesses.size();
    if (copy.state.write_index == vk::kSyncImageLayoutTransition) {
      context_.empty_scope_transitions_.ForEach(copy.range, copy.state.write_tag, context_.states_.log(),
                                                [&](const Range& part, const ChainsByStage& chains) {
                                                  state_accesses.push_back({copy, current, automatic_begin, &chains});
                                                  state_accesses.back().prior.range = part;
                                                });
    }
    if (state_accesses.size() == before) state_accesses.push_back({std::move(copy), current, automatic_begin});
  }

  std::vector<StateAccess> StateAccessesOf(absl::Span<const Access> accesses, Tag tag) {
    std::vector<StateAccess> state_accesses;
    for (const Access& access : accesses) {
      for (StateCopy& copy : context_.CopyStates({&access.range, 1})) {
        AddStateAccesses(std::move(copy), context_.MakeCurrentAccess(access, tag), state_accesses);
      }
    }
    return state_accesses;
  }

  // The states of a range in pieces, each alike here and on all other queues. A piece without a state here gets an
  // empty one.
  std::vector<StateCopy> CopyPieces(const Range& range) {
    std::vector<uint64_t> bounds = {range.begin, range.end};
    const auto add_bounds = [&](Context& context) {
      for (const StateCopy& copy : context.CopyStates({&range, 1})) {
        bounds.push_back(copy.range.begin);
        bounds.push_back(copy.range.end);
      }
    };
    add_bounds(context_);
    for (Context* other : context_.queues_.others()) add_bounds(*other);
    std::ranges::sort(bounds);
    std::vector<StateCopy> pieces;
    for (size_t i = 1; i < bounds.size(); ++i) {
      const Range piece{bounds[i - 1], bounds[i]};
      if (piece.begin == piece.end) continue;
      std::vector<StateCopy> known = context_.CopyStates({&piece, 1});
      pieces.push_back(known.empty() ? StateCopy{.state = {}, .reads = {}, .range = piece} : std::move(known.front()));
    }
    return pieces;
  }

  CurrentTransition TransitionOf(const BarrierScope& src, const BarrierFlags& flags, Tag before,
                                 VkQueueFlags queue_flags) const {
    return {.src = src,
            .flags = flags,
            .queue_flags = queue_flags,
            .queue = context_.queue(),
            .before = before,
            .is_inside = context_.is_in_subpass(),
            .event = std::nullopt};
  }
  // The same for the layout transition that is found.
  CurrentTransition TransitionOf(const ReplayHazard& found, Tag base, VkQueueFlags queue_flags) const {
    CurrentTransition current = TransitionOf(found.transition->src, found.transition->flags, base, queue_flags);
    if (found.events.empty()) return current;
    current.src = MakeBarrier(current.flags, queue_flags).src;
    CurrentTransition::WaitedEvent& at = current.event.emplace(CurrentTransition::WaitedEvent{});
    at.stages = found.transition->src.stages.outside;
    for (const uint64_t event : found.events) {
      const EventTable::Event* const set = context_.events_.Find(event);
      if (set == nullptr) continue;
      at.set_at = std::max(at.set_at, set->tag);
      for (size_t i = 0; found.matches_by_access && i < set->dependencies.size(); ++i)
        at.by_access.emplace_back(set->dependencies[i].src.accesses.outside, set->StageOf(i));
    }
    return current;
  }

  // The accesses that race: those of another queue itself that did not happen before. Of these, the last write of each
  // byte, and the reads since if the current access is a write.
  Race RaceOf(const ReplayHazard& found, bool is_write) {
    Race race{.queue = found.hazard.prior_queue, .prior_accesses = {}};
    Context* const other = context_.queues_.FindOther(race.queue);
    if (other == nullptr) {
      race.prior_accesses.push_back({found.hazard.prior_tag, found.hazard.prior_access});
      return race;
    }
    const auto add = [&](QueueIndex queue, Tag tag, vk::SyncAccessIndex index, OrderingRule ordering) {
      if (queue != race.queue || context_.queues_.clock().Has(queue, tag)) return;
      if (!AreAtomic(ordering, found.access.ordering)) race.prior_accesses.push_back({tag, index});
    };
    for (const StateCopy& copy : other->CopyStates({&found.access.range, 1})) {
      if (copy.state.HasWrite()) {
        add(copy.state.write_queue, copy.state.write_tag, copy.state.write_index, copy.state.write_ordering);
      }
      if (!is_write) continue;
      for (const ReadRecord& read : copy.reads) add(read.queue, read.tag, read.index, read.ordering);
    }
    return race;
  }

  CurrentAccess CurrentAccessOf(const ReplayHazard& found, Tag base) const {
    CurrentAccess current = context_.MakeCurrentAccess(found.access, OffsetTag(found.tag, base));
    current.before = base;
    return current;
  }

 private:
  Context& context_;
};

template <Mutation kMutation>
std::vector<StateCopy> BasicAccessContext<kMutation>::CopyStates(absl::Span<const Range> ranges) {
  FlushAll();
  std::vector<StateCopy> copies;
  for (const Range& range : ranges) {
    states_.ForEachState(range, [&](const Range& part, AccessState& state) {
      const absl::Span<const ReadRecord> reads = states_.Reads(state);
      copies.push_back({.state = state, .reads = {reads.begin(), reads.end()}, .range = part});
    });
  }
  return copies;
}

template <Mutation kMutation>
Suggestion BasicAccessContext<kMutation>::SuggestBarrier(absl::Span<const Access> accesses, Tag tag) {
  return SuggestBefore(SuggestionInput<kMutation>(*this).StateAccessesOf(accesses, tag),
                       RecordingDevice(device_stages_));
}

template <Mutation kMutation>
Suggestion BasicAccessContext<kMutation>::SuggestForTransition(absl::Span<const Range> ranges, const BarrierScope& src,
                                                               const BarrierFlags& flags, VkQueueFlags queue_flags) {
  const SuggestionInput<kMutation> input(*this);
  return SuggestAddition(CopyStates(ranges), input.TransitionOf(src, flags, Tag(), queue_flags),
                         RecordingDevice(device_stages_));
}

template <Mutation kMutation>
Suggestion BasicAccessContext<kMutation>::SuggestForWait(absl::Span<const Range> ranges, const Barrier& event_barrier,
                                                         absl::Span<const uint64_t> events, bool matches_by_access,
                                                         VkQueueFlags queue_flags) {
  const ReplayHazard wait{.access = {},
                          .transition = &event_barrier,
                          .events = events,
                          .hazard = {},
                          .matches_by_access = matches_by_access};
  const SuggestionInput<kMutation> input(*this);
  return SuggestAddition(CopyStates(ranges), input.TransitionOf(wait, Tag(), queue_flags),
                         RecordingDevice(device_stages_));
}

template <Mutation kMutation>
Suggestion BasicAccessContext<kMutation>::SuggestForReplay(const ReplayHazard& found, Tag base,
                                                           VkQueueFlags queue_flags) {
  const bool is_race = found.hazard.kind >= HazardKind::kReadRacingWrite;
  const ReplayDevice<kMutation> device(*this, base);
  SuggestionInput<kMutation> input(*this);
  std::vector<StateCopy> pieces = input.CopyPieces(found.access.range);
  if (found.transition != nullptr) {
    const CurrentTransition current = input.TransitionOf(found, base, queue_flags);
    if (is_race) return SuggestForRaceOfTransition(input.RaceOf(found, true), pieces, current, device);
    return SuggestAddition(pieces, current, device);
  }
  const CurrentAccess current = input.CurrentAccessOf(found, base);
  std::vector<StateAccess> state_accesses;
  for (StateCopy& piece : pieces) input.AddStateAccesses(std::move(piece), current, state_accesses);
  if (is_race) return SuggestForRace(input.RaceOf(found, current.is_write), state_accesses, device);
  return SuggestBefore(state_accesses, device);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_FOR_CONTEXT_H_
