// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/events/event.h"
#include "syncval/engine/suggestions/minimize_suggestion.h"
#include "syncval/engine/suggestions/suggestion.h"
#include "syncval/engine/suggestions/suggestion_prior_accesses.h"

// What is suggested for layout transitions.
namespace assay::syncval {
namespace {

// The first scope of a transition with more bits. Of an automatic one that is of a dependency, from outside or from a
// subpass.
BarrierScope WithBits(const CurrentTransition& transition, const BarrierFlags& addition) {
  BarrierFlags sum = transition.flags;
  sum.src_stages |= addition.src_stages;
  sum.src_access |= addition.src_access;
  const BarrierScope outside = MakeBarrier(sum, transition.queue_flags).src;
  const BarrierScope inside = outside.Inside();
  return {transition.src.stages | outside.stages | inside.stages,
          transition.src.accesses | outside.accesses | inside.accesses};
}

// The bits of the wait for an event are those of its set too. They affect accesses before the set: those in their scope
// become ordered before the stage of the event. The state does not record whether more bits would let chains end there
// that have formed since.
void ApplyToSet(const CurrentTransition& transition, const BarrierScope& src, Chains chains, StateCopy& prior) {
  const CurrentTransition::WaitedEvent& event = *transition.event;
  AccessState& state = prior.state;
  StageSet more = src.stages;
  more.outside &= ~transition.src.stages.outside;
  more.inside &= ~transition.src.stages.inside;
  const auto may_end = [&](const StageSet& stages) {
    return chains == Chains::kPossible && stages.IsInFirstScope(more);
  };
  if (state.write_tag < event.set_at &&
      (src.accesses.Has(state.source_index, state.is_write_inside) || may_end(state.available_stages))) {
    state.available_stages |= event.stages;
  }
  if (may_end(state.read_stages | state.after_read_stages)) state.after_read_stages |= event.stages;
  for (ReadRecord& read : prior.reads) {
    if (read.tag >= event.set_at) continue;
    if (!read.stage.ToSet().IsInFirstScope(src.stages) && !may_end(read.ordered_stages)) continue;
    read.ordered_stages |= event.stages;
    if (read.tag != state.write_tag) state.after_read_stages |= event.stages;
  }
}

// The first scope that the transition has in prior, with more bits.
BarrierScope ScopeIn(const CurrentTransition& transition, const BarrierFlags& addition, Chains chains,
                     StateCopy& prior) {
  BarrierScope src = WithBits(transition, addition);
  if (!transition.event.has_value()) return src;
  if (addition != BarrierFlags()) ApplyToSet(transition, src, chains, prior);
  VkPipelineStageFlags2 stages = transition.event->stages;
  for (const auto& [accesses, of_accesses] : transition.event->by_access) {
    if (src.accesses.outside.Intersects(accesses)) stages |= of_accesses;
  }
  return {stages, {}};
}

class TransitionHazards final : public HazardsToSolve {
 public:
  TransitionHazards(absl::Span<const StateCopy> states, const CurrentTransition& transition,
                    const SuggestionDevice& device, const Race* race = nullptr)
      : HazardsToSolve(device, transition.flags.dst_stages), states_(states), transition_(transition) {
    SetRace(race);
  }

 private:
  size_t size() const override { return states_.size(); }
  const StateCopy& StateAt(size_t i) const override { return states_[i]; }
  SemaphoreWait SemaphoreWaitAt(size_t /*i*/) const override {
    return {transition_.queue, vk::kSyncImageLayoutTransition, 0, transition_.is_inside};
  }
  bool Conflicts(size_t /*i*/, StateCopy prior, const BarrierFlags& flags, Chains chains) const override {
    const BarrierScope src = ScopeIn(transition_, flags, chains, prior);
    Hazard hazard;
    if (!is_race()) return DetectTransition(prior.state, prior.reads, src, transition_.before, Range(), hazard);
    return RaceConflicts(
        prior, [&](const ReadRecord& read) { return !HappensBefore(read, src); },
        [&] { return DetectTransition(prior.state, {}, src, transition_.before, Range(), hazard); });
  }

  absl::Span<const StateCopy> states_;
  const CurrentTransition& transition_;
};

// What semaphores may order.
VkPipelineStageFlags2 FirstScope(const CurrentTransition& transition) {
  const StageSet stages = WithBits(transition, {}).stages;
  return CommandStages(stages, false) | (transition.is_inside ? CommandStages(stages, true) : 0);
}
bool HasFirstScope(const CurrentTransition& transition) { return FirstScope(transition) != 0; }

// A stage by which a wait leads to the transition, once that has a first scope.
VkPipelineStageFlags2 StageToWaitWith(const CurrentTransition& transition, const SuggestionDevice& device) {
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  if (!HasFirstScope(transition) || (transition.flags.src_stages & kAll) != 0) return kAll;
  const VkPipelineStageFlags2 stages = FirstScope(transition);
  const VkPipelineStageFlags2 of_device = stages & device.stages();
  const VkPipelineStageFlags2 choice = of_device != 0 ? of_device : stages;
  return choice & (~choice + 1);
}

void SolveBySemaphores(const CurrentTransition& transition, const SuggestionDevice& device, StateCopy& prior,
                       std::vector<Suggestion::Semaphore>& semaphores) {
  const BarrierScope src = WithBits(transition, {});
  const StateCopy original = prior;
  SolveBySemaphores(
      {transition.queue, vk::kSyncImageLayoutTransition, StageToWaitWith(transition, device), transition.is_inside},
      [&](const ReadRecord& read) { return read.tag < transition.before && !HappensBefore(read, src); },
      [&] {
        Hazard hazard;
        return DetectTransition(original.state, {}, src, transition.before, Range(), hazard);
      },
      prior, semaphores);
}

std::vector<StateCopy> SolveBySemaphores(absl::Span<const StateCopy> states, const CurrentTransition& transition,
                                         const SuggestionDevice& device,
                                         std::vector<Suggestion::Semaphore>& semaphores) {
  std::vector<StateCopy> rest(states.begin(), states.end());
  for (StateCopy& copy : rest) SolveBySemaphores(transition, device, copy, semaphores);
  return rest;
}

void AddNeeds(const StateCopy& prior, const Hazard& hazard, BarrierFlags& addition) {
  PriorAccessesOf(prior.state, hazard).ForEach([&](vk::SyncAccessIndex index) {
    addition.src_stages |= SourceStagesFor(prior, index);
    if (PairOf(index).is_write) addition.src_access |= PairOf(index).access;
  });
}

// Bits for what is in the first scope of no semaphore.
void AddNeeds(absl::Span<const StateCopy> states, const CurrentTransition& transition, BarrierFlags& flags) {
  for (StateCopy copy : states) {
    const BarrierScope src = ScopeIn(transition, {}, Chains::kCertain, copy);
    Hazard hazard;
    if (DetectTransition(copy.state, copy.reads, src, transition.before, Range(), hazard))
      AddNeeds(copy, hazard, flags);
  }
}

// The same transition in a barrier.
CurrentTransition InBarrier(const CurrentTransition& transition) {
  CurrentTransition result = transition;
  result.event.reset();
  return result;
}

// The bits for a wait and its set, if it is certain that they solve the hazard and none is too many.
std::optional<Suggestion> AdditionToEvent(absl::Span<const StateCopy> states, const CurrentTransition& transition,
                                          const SuggestionDevice& device) {
  const TransitionHazards hazards(states, transition, device);
  Suggestion suggestion{.kind = Suggestion::Kind::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  AddNeeds(states, transition, suggestion.flags);
  if (!hazards.IsSolvedBy(suggestion, Chains::kCertain)) return std::nullopt;
  Minimize(hazards, Chains::kCertain, suggestion);
  if (!IsMinimal(hazards, suggestion, Chains::kPossible)) return std::nullopt;
  return suggestion;
}

Suggestion AdditionToBarrier(absl::Span<const StateCopy> states, const CurrentTransition& transition,
                             const SuggestionDevice& device) {
  Suggestion suggestion{.kind = Suggestion::Kind::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  BarrierFlags& flags = suggestion.flags;
  std::vector<StateCopy> rest = SolveBySemaphores(states, transition, device, suggestion.semaphores);
  if (!suggestion.semaphores.empty() && !HasFirstScope(transition)) {
    // With a first scope, reads of this queue may hand on what semaphores seemed to be needed for.
    flags.src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    CurrentTransition wider = transition;
    wider.flags.src_stages |= flags.src_stages;
    suggestion.semaphores.clear();
    rest = SolveBySemaphores(states, wider, device, suggestion.semaphores);
  }
  AddNeeds(rest, transition, flags);
  MinimizeWithAllChains(TransitionHazards(states, transition, device), device, suggestion);
  return suggestion;
}

}  // namespace

Suggestion SuggestAddition(absl::Span<const StateCopy> states, const CurrentTransition& transition,
                           const SuggestionDevice& device) {
  Suggestion suggestion;
  if (!transition.event.has_value()) {
    suggestion = AdditionToBarrier(states, transition, device);
  } else if (std::optional<Suggestion> addition = AdditionToEvent(states, transition, device)) {
    suggestion = *std::move(addition);
  } else {
    suggestion = AdditionToBarrier(states, InBarrier(transition), device);
    suggestion.kind = Suggestion::Kind::kSetEventLater;
  }
  suggestion.existing = transition.flags;
  return suggestion;
}

Suggestion SuggestForRaceOfTransition(const Race& race, absl::Span<const StateCopy> states,
                                      const CurrentTransition& transition, const SuggestionDevice& device) {
  const CurrentTransition in_barrier = InBarrier(transition);
  Suggestion suggestion{.kind = Suggestion::Kind::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  suggestion.semaphores.push_back(SemaphoreFor(race, StageToWaitWith(in_barrier, device)));
  if (!HasFirstScope(in_barrier)) suggestion.flags.src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  MinimizeWithAllChains(TransitionHazards(states, in_barrier, device, &race), device, suggestion);
  if (transition.event.has_value()) suggestion.kind = Suggestion::Kind::kSetEventLater;
  suggestion.existing = transition.flags;
  return suggestion;
}

}  // namespace assay::syncval
