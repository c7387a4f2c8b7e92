// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/events/event.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/suggestions/suggestion.h"
#include "syncval/engine/suggestions/suggestion_prior_accesses.h"
#include "syncval/engine/suggestions/minimize_suggestion.h"

// What is suggested for layout transitions.
namespace assay::syncval {
namespace {

// The first scope of a transition with more bits. Of an automatic one that is of a dependency, from outside or from a
// subpass.
BarrierScope WithBits(const TransitionUse& use, const BarrierFlags& addition) {
  BarrierFlags sum = use.flags;
  sum.src_stages |= addition.src_stages;
  sum.src_access |= addition.src_access;
  const BarrierScope outside = MakeBarrier(sum, use.queue_flags).src;
  const BarrierScope inside = outside.Inside();
  return {use.src.stages | outside.stages | inside.stages, use.src.accesses | outside.accesses | inside.accesses};
}

// The bits of the wait for an event are those of its set, too, and bear upon what is before that: what is in their
// scope comes to be before the stage of the event. Whether more bits let chains end there that have come about by now
// is not known.
void ApplyToSet(const TransitionUse& use, const BarrierScope& src, Chains chains, StateCopy& prior) {
  const TransitionUse::EventUse& event = *use.event;
  AccessState& state = prior.state;
  StageSet more = src.stages;
  more.outside &= ~use.src.stages.outside;
  more.inside &= ~use.src.stages.inside;
  const auto may_end = [&](const StageSet& stages) { return chains == Chains::kPossible && stages.IsInSource(more); };
  if (state.write_tag < event.set_at &&
      (src.accesses.Has(state.source_index, state.is_write_inside) || may_end(state.available_stages))) {
    state.available_stages |= event.stages;
  }
  if (may_end(state.read_stages | state.after_read_stages)) state.after_read_stages |= event.stages;
  for (ReadRecord& read : prior.reads) {
    if (read.tag >= event.set_at) continue;
    if (!read.stage.ToSet().IsInSource(src.stages) && !may_end(read.ordered_stages)) continue;
    read.ordered_stages |= event.stages;
    if (read.tag != state.write_tag) state.after_read_stages |= event.stages;
  }
}

// The first scope that the transition has in prior, with more bits.
BarrierScope ScopeIn(const TransitionUse& use, const BarrierFlags& addition, Chains chains, StateCopy& prior) {
  BarrierScope src = WithBits(use, addition);
  if (!use.event.has_value()) return src;
  if (addition != BarrierFlags()) ApplyToSet(use, src, chains, prior);
  VkPipelineStageFlags2 stages = use.event->stages;
  for (const auto& [accesses, of_accesses] : use.event->by_access) {
    if (src.accesses.outside.Intersects(accesses)) stages |= of_accesses;
  }
  return {stages, {}};
}

class TransitionQuestion final : public Question {
 public:
  TransitionQuestion(absl::Span<const StateCopy> states, const TransitionUse& use, const OtherQueues& queues,
                     const Race* race = nullptr)
      : Question(queues), states_(states), use_(use) {
    SetRace(race);
  }

 private:
  size_t size() const override { return states_.size(); }
  const StateCopy& StateAt(size_t i) const override { return states_[i]; }
  Waiter WaiterAt(size_t /*i*/) const override {
    return {use_.queue, vk::kSyncImageLayoutTransition, 0, use_.is_inside};
  }
  bool Conflicts(size_t /*i*/, StateCopy prior, const BarrierFlags& flags, Chains chains) const override {
    const BarrierScope src = ScopeIn(use_, flags, chains, prior);
    Hazard hazard;
    if (!is_race()) return DetectTransition(prior.state, prior.reads, src, use_.before, Range(), hazard);
    return RaceConflicts(
        prior, [&](const ReadRecord& read) { return !IsInSource(read, src); },
        [&] { return DetectTransition(prior.state, {}, src, use_.before, Range(), hazard); });
  }

  absl::Span<const StateCopy> states_;
  const TransitionUse& use_;
};

// What semaphores may order.
VkPipelineStageFlags2 FirstScope(const TransitionUse& use) {
  const StageSet stages = WithBits(use, {}).stages;
  return NamedStages(stages, false) | (use.is_inside ? NamedStages(stages, true) : 0);
}
bool HasFirstScope(const TransitionUse& use) { return FirstScope(use) != 0; }

// A stage by which a wait leads to the transition, once that has a first scope.
VkPipelineStageFlags2 StageToWaitWith(const TransitionUse& use) {
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  if (!HasFirstScope(use) || (use.flags.src_stages & kAll) != 0) return kAll;
  const VkPipelineStageFlags2 stages = FirstScope(use);
  return stages & (~stages + 1);
}

void SolveBySemaphores(const TransitionUse& use, StateCopy& prior, std::vector<Suggestion::Semaphore>& semaphores) {
  const BarrierScope src = WithBits(use, {});
  const StateCopy original = prior;
  SolveBySemaphores(
      {use.queue, vk::kSyncImageLayoutTransition, StageToWaitWith(use), use.is_inside},
      [&](const ReadRecord& read) { return read.tag < use.before && !IsInSource(read, src); },
      [&] {
        Hazard hazard;
        return DetectTransition(original.state, {}, src, use.before, Range(), hazard);
      },
      prior, semaphores);
}

std::vector<StateCopy> SolveBySemaphores(absl::Span<const StateCopy> states, const TransitionUse& use,
                                         std::vector<Suggestion::Semaphore>& semaphores) {
  std::vector<StateCopy> rest(states.begin(), states.end());
  for (StateCopy& copy : rest) SolveBySemaphores(use, copy, semaphores);
  return rest;
}

void AddNeeds(const StateCopy& prior, const Hazard& hazard, BarrierFlags& addition) {
  PriorsOf(prior.state, hazard).ForEach([&](vk::SyncAccessIndex index) {
    addition.src_stages |= StagesToFollow(prior, index);
    if (PairOf(index).is_write) addition.src_access |= PairOf(index).access;
  });
}

// Bits for what is in the first scope of no semaphore.
void AddNeeds(absl::Span<const StateCopy> states, const TransitionUse& use, BarrierFlags& flags) {
  for (StateCopy copy : states) {
    const BarrierScope src = ScopeIn(use, {}, Chains::kCertain, copy);
    Hazard hazard;
    if (DetectTransition(copy.state, copy.reads, src, use.before, Range(), hazard)) AddNeeds(copy, hazard, flags);
  }
}

// The same transition in a barrier.
TransitionUse InBarrier(const TransitionUse& use) {
  TransitionUse result = use;
  result.event.reset();
  return result;
}

// The bits for a wait and its set, if it is certain that they solve the hazard and none is too many.
std::optional<Suggestion> AdditionToEvent(absl::Span<const StateCopy> states, const TransitionUse& use,
                                          const OtherQueues& queues) {
  const TransitionQuestion question(states, use, queues);
  Suggestion suggestion{.where = Suggestion::Where::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  AddNeeds(states, use, suggestion.flags);
  if (!question.IsSolvedBy(suggestion, Chains::kCertain)) return std::nullopt;
  Minimize(question, Chains::kCertain, suggestion);
  if (!IsMinimal(question, suggestion, Chains::kPossible)) return std::nullopt;
  return suggestion;
}

Suggestion AdditionToBarrier(absl::Span<const StateCopy> states, const TransitionUse& use, const OtherQueues& queues) {
  Suggestion suggestion{.where = Suggestion::Where::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  BarrierFlags& flags = suggestion.flags;
  std::vector<StateCopy> rest = SolveBySemaphores(states, use, suggestion.semaphores);
  if (!suggestion.semaphores.empty() && !HasFirstScope(use)) {
    // With a first scope, reads of this queue may hand on what semaphores seemed to be needed for.
    flags.src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    TransitionUse wider = use;
    wider.flags.src_stages |= flags.src_stages;
    suggestion.semaphores.clear();
    rest = SolveBySemaphores(states, wider, suggestion.semaphores);
  }
  AddNeeds(rest, use, flags);
  Settle(TransitionQuestion(states, use, queues), queues, suggestion);
  return suggestion;
}

}  // namespace

Suggestion SuggestAddition(absl::Span<const StateCopy> states, const TransitionUse& use, const OtherQueues& queues) {
  if (!use.event.has_value()) return AdditionToBarrier(states, use, queues);
  if (const std::optional<Suggestion> addition = AdditionToEvent(states, use, queues)) return *addition;
  Suggestion suggestion = AdditionToBarrier(states, InBarrier(use), queues);
  suggestion.where = Suggestion::Where::kSetEventLater;
  return suggestion;
}

Suggestion SuggestForRaceOfTransition(const Race& race, absl::Span<const StateCopy> states, const TransitionUse& use,
                                      const OtherQueues& queues) {
  const TransitionUse in_barrier = InBarrier(use);
  Suggestion suggestion{.where = Suggestion::Where::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  suggestion.semaphores.push_back(SemaphoreFor(race, StageToWaitWith(in_barrier)));
  if (!HasFirstScope(in_barrier)) suggestion.flags.src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  Settle(TransitionQuestion(states, in_barrier, queues, &race), queues, suggestion);
  if (use.event.has_value()) suggestion.where = Suggestion::Where::kSetEventLater;
  return suggestion;
}

}  // namespace assay::syncval
