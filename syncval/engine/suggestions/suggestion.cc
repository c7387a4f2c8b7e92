// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestions/suggestion.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/accesses/transition_flags.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/suggestions/minimize_suggestion.h"
#include "syncval/engine/suggestions/suggestion_prior_accesses.h"

namespace assay::syncval {
namespace {

// A barrier before an access, of whatever is before it. Of a subpass that is a dependency, or a barrier in the subpass.
Barrier BarrierFor(const BarrierFlags& flags, bool is_inside) {
  Barrier barrier = MakeBarrier(flags, kAnyQueue);
  if (!is_inside) return barrier;
  const BarrierScope inside = barrier.src.Inside();
  barrier.src.stages |= inside.stages;
  barrier.src.accesses |= inside.accesses;
  barrier.dst = barrier.dst.Inside();
  return barrier;
}

// Everything that a barrier against this hazard may need; too much at times.
void AddNeeds(const StateAccess& state_access, const Hazard& hazard, BarrierFlags& flags) {
  flags.dst_stages |= PairOf(state_access.current.index).stage;
  PriorAccessesOf(state_access.prior.state, hazard).ForEach([&](vk::SyncAccessIndex index) {
    const vk::SyncStageAccessInfo& prior = PairOf(index);
    flags.src_stages |= SourceStagesFor(state_access.prior, index);
    if (!prior.is_write) return;
    flags.src_access |= prior.access;
    flags.dst_access |= PairOf(state_access.current.index).access;
  });
  // A hazard with a certain read does not list possible ones, which its barrier had better order too.
  for (const ReadRecord& read : state_access.prior.reads) {
    if (read.ordering != OrderingRule::kPossible || !state_access.current.is_write) continue;
    if (ConflictsWithRead(read, state_access.current)) {
      flags.src_stages |= SourceStagesFor(state_access.prior, read.index);
    }
  }
}

SemaphoreWait SemaphoreWaitOf(const CurrentAccess& current) {
  return {current.queue, current.index, current.stage.outside | current.stage.inside, current.is_inside};
}

VkPipelineStageFlags2 StagesOf(absl::Span<const StateAccess> state_accesses) {
  VkPipelineStageFlags2 stages = 0;
  for (const StateAccess& state_access : state_accesses) stages |= PairOf(state_access.current.index).stage;
  return stages;
}

// An access, or several of one command.
class AccessHazards final : public HazardsToSolve {
 public:
  AccessHazards(absl::Span<const StateAccess> state_accesses, const SuggestionDevice& device,
                const Race* race = nullptr)
      : HazardsToSolve(device, StagesOf(state_accesses)), state_accesses_(state_accesses) {
    SetRace(race);
  }

 private:
  size_t size() const override { return state_accesses_.size(); }
  const StateCopy& StateAt(size_t i) const override { return state_accesses_[i].prior; }
  SemaphoreWait SemaphoreWaitAt(size_t i) const override { return SemaphoreWaitOf(state_accesses_[i].current); }
  bool Conflicts(size_t i, StateCopy prior, const BarrierFlags& flags, Chains /*chains*/) const override {
    const CurrentAccess& current = state_accesses_[i].current;
    if (flags != BarrierFlags())
      ApplyBarrier<Mutation::kNone>(prior.state, absl::MakeSpan(prior.reads), BarrierFor(flags, current.is_inside));
    Hazard hazard;
    if (!is_race()) return DetectAccessHazard(prior.state, prior.reads, current, Range(), hazard);
    return RaceConflicts(
        prior,
        [&](const ReadRecord& read) {
          return current.is_write && !HappensBefore(read, current) && !AreAtomic(read.ordering, current.ordering);
        },
        [&] { return !IsVisible(prior.state, prior.reads, current); });
  }

  absl::Span<const StateAccess> state_accesses_;
};

void SolveBySemaphores(StateAccess& state_access, std::vector<Suggestion::Semaphore>& semaphores) {
  const CurrentAccess& current = state_access.current;
  StateCopy& prior = state_access.prior;
  SolveBySemaphores(
      SemaphoreWaitOf(current),
      [&](const ReadRecord& read) { return current.is_write && ConflictsWithRead(read, current); },
      [&] { return !IsVisible(prior.state, prior.reads, current); }, prior, semaphores);
}

// Whether what conflicts is a layout transition for a subpass that has ended.
bool IsOfEndedSubpass(const StateAccess& state_access) {
  const bool is_current =
      state_access.current.is_inside && state_access.prior.state.write_tag >= state_access.automatic_transitions_begin;
  return Has(state_access.prior.state.transition_flags(), TransitionFlags::kForSubpass) && !is_current;
}

// Bits of the second scope of earlier layout transitions, which the accesses lack, and of a barrier that is ordered
// after them.
bool IsSolvedAtPriorTransition(StateAccess state_access, const Suggestion& suggestion) {
  const CurrentAccess& current = state_access.current;
  AccessState& state = state_access.prior.state;
  const TransitionFlags transition_flags = state.transition_flags();
  BarrierFlags flags = suggestion.flags;
  if (Has(transition_flags, TransitionFlags::kReadsInNoStage)) flags.dst_access |= VK_ACCESS_2_MEMORY_READ_BIT;
  if (Has(transition_flags, TransitionFlags::kWritesInNoStage)) flags.dst_access |= VK_ACCESS_2_MEMORY_WRITE_BIT;
  const ChainsByStage now(0, true, current.is_inside);
  const ChainsByStage& chains = state_access.chains != nullptr ? *state_access.chains : now;
  const WriteVisibility visibility = chains.Of(MakeBarrier(flags, kAnyQueue).dst);
  state.visible_to |= visibility.visible_to;
  state.available_stages |= visibility.available_stages;
  ApplyBarrier<Mutation::kNone>(state, absl::MakeSpan(state_access.prior.reads),
                                BarrierFor(suggestion.barrier, current.is_inside));
  Hazard hazard;
  return !DetectAccessHazard(state, state_access.prior.reads, current, Range(), hazard);
}

Suggestion SuggestAtPriorTransition(absl::Span<const StateAccess> state_accesses, const SuggestionDevice& device) {
  Suggestion suggestion{.kind = Suggestion::Kind::kAddToPriorTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  BarrierFlags& flags = suggestion.flags;
  const bool are_of_ended = std::ranges::all_of(state_accesses, IsOfEndedSubpass);
  for (const StateAccess& state_access : state_accesses) {
    flags.dst_stages |= state_access.current.stage.outside | state_access.current.stage.inside;
    flags.dst_access |= PairOf(state_access.current.index).access;
  }
  if (are_of_ended) {
    suggestion.barrier = {flags.dst_stages, 0, flags.dst_stages, flags.dst_access};
    flags.dst_access = 0;
  }
  const auto solves = [&] {
    return std::ranges::all_of(state_accesses, [&](const StateAccess& state_access) {
      return IsOfEndedSubpass(state_access) != are_of_ended || IsSolvedAtPriorTransition(state_access, suggestion);
    });
  };
  const StagePreference preference(device, flags.dst_stages);
  Minimize(flags, preference, solves);
  Minimize(suggestion.barrier, preference, solves);
  return suggestion;
}

}  // namespace

Suggestion SuggestBefore(absl::Span<const StateAccess> state_accesses, const SuggestionDevice& device) {
  const AccessHazards hazards(state_accesses, device);
  Suggestion suggestion;
  for (StateAccess state_access : state_accesses) {
    SolveBySemaphores(state_access, suggestion.semaphores);
    Hazard hazard;
    if (DetectAccessHazard(state_access.prior.state, state_access.prior.reads, state_access.current, Range(), hazard))
      AddNeeds(state_access, hazard, suggestion.flags);
  }
  std::vector<StateAccess> rest;
  for (size_t i = 0; i < state_accesses.size(); ++i) {
    if (!hazards.IsSolvedBy(suggestion, i, Chains::kCertain)) rest.push_back(state_accesses[i]);
  }
  if (!rest.empty()) return SuggestAtPriorTransition(rest, device);
  MinimizeWithAllChains(hazards, device, suggestion);
  return suggestion;
}

Suggestion SuggestForRace(const Race& race, absl::Span<const StateAccess> state_accesses,
                          const SuggestionDevice& device) {
  Suggestion suggestion{.kind = Suggestion::Kind::kAddSemaphores, .flags = {}, .barrier = {}, .semaphores = {}};
  suggestion.semaphores.push_back(SemaphoreFor(race, SemaphoreWaitOf(state_accesses.front().current).stages));
  MinimizeWithAllChains(AccessHazards(state_accesses, device, &race), device, suggestion);
  return suggestion;
}

}  // namespace assay::syncval
