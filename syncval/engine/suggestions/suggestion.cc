// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestions/suggestion.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/suggestions/suggestion_prior_accesses.h"
#include "syncval/engine/suggestions/minimize_suggestion.h"
#include "syncval/engine/barriers/transition_flags.h"

namespace assay::syncval {
namespace {

// A barrier before a use, of whatever is before it. Of a subpass that is a dependency, or a barrier in the subpass.
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
void AddNeeds(const Encounter& encounter, const Hazard& hazard, BarrierFlags& flags) {
  flags.dst_stages |= PairOf(encounter.use.index).stage;
  PriorsOf(encounter.prior.state, hazard).ForEach([&](vk::SyncAccessIndex index) {
    const vk::SyncStageAccessInfo& prior = PairOf(index);
    flags.src_stages |= StagesToFollow(encounter.prior, index);
    if (!prior.is_write) return;
    flags.src_access |= prior.access;
    flags.dst_access |= PairOf(encounter.use.index).access;
  });
}

Waiter WaiterOf(const Use& use) { return {use.queue, use.index, use.stage.outside | use.stage.inside, use.is_inside}; }

// An access, or several of one command.
class UseQuestion final : public Question {
 public:
  UseQuestion(absl::Span<const Encounter> encounters, const OtherQueues& queues, const Race* race = nullptr)
      : Question(queues), encounters_(encounters) {
    SetRace(race);
  }

 private:
  size_t size() const override { return encounters_.size(); }
  const StateCopy& StateAt(size_t i) const override { return encounters_[i].prior; }
  Waiter WaiterAt(size_t i) const override { return WaiterOf(encounters_[i].use); }
  bool Conflicts(size_t i, StateCopy prior, const BarrierFlags& flags, Chains /*chains*/) const override {
    const Use& use = encounters_[i].use;
    if (flags != BarrierFlags())
      ApplyBarrier<Fault::kNone>(prior.state, absl::MakeSpan(prior.reads), BarrierFor(flags, use.is_inside));
    Hazard hazard;
    if (!is_race()) return DetectUse(prior.state, prior.reads, use, Range(), hazard);
    return RaceConflicts(
        prior, [&](const ReadRecord& read) { return use.is_write && !HappensBefore(read, use); },
        [&] { return !IsVisible(prior.state, prior.reads, use); });
  }

  absl::Span<const Encounter> encounters_;
};

void SolveBySemaphores(Encounter& encounter, std::vector<Suggestion::Semaphore>& semaphores) {
  const Use& use = encounter.use;
  StateCopy& prior = encounter.prior;
  SolveBySemaphores(
      WaiterOf(use),
      [&](const ReadRecord& read) { return use.is_write && read.tag < use.before && !HappensBefore(read, use); },
      [&] { return !IsVisible(prior.state, prior.reads, use); }, prior, semaphores);
}

// Whether what conflicts is a layout transition for a subpass that has ended.
bool IsOfEndedSubpass(const Encounter& encounter) {
  const bool is_current = encounter.use.is_inside && encounter.prior.state.write_tag >= encounter.changes_begin;
  return (encounter.prior.state.available_stages.ended & kForSubpass) != 0 && !is_current;
}

// Bits of the second scope of earlier layout transitions, which the encounters lack, and of a barrier that follows upon
// them.
bool IsSolvedAtPriorTransition(Encounter encounter, const Suggestion& suggestion) {
  const Use& use = encounter.use;
  AccessState& state = encounter.prior.state;
  BarrierFlags flags = suggestion.flags;
  if ((state.available_stages.ended & kReadsInNoStage) != 0) flags.dst_access |= VK_ACCESS_2_MEMORY_READ_BIT;
  if ((state.available_stages.ended & kWritesInNoStage) != 0) flags.dst_access |= VK_ACCESS_2_MEMORY_WRITE_BIT;
  const Outlook now(0, true, use.is_inside);
  const Outlook& outlook = encounter.outlook != nullptr ? *encounter.outlook : now;
  const FollowUp follow_up = outlook.Of(MakeBarrier(flags, kAnyQueue).dst);
  state.visible_to |= follow_up.visible_to;
  state.available_stages |= follow_up.available_stages;
  ApplyBarrier<Fault::kNone>(state, absl::MakeSpan(encounter.prior.reads),
                             BarrierFor(suggestion.barrier, use.is_inside));
  Hazard hazard;
  return !DetectUse(state, encounter.prior.reads, use, Range(), hazard);
}

Suggestion SuggestAtPriorTransition(absl::Span<const Encounter> encounters) {
  Suggestion suggestion{
      .where = Suggestion::Where::kAddToPriorTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  BarrierFlags& flags = suggestion.flags;
  const bool are_of_ended = std::ranges::all_of(encounters, IsOfEndedSubpass);
  for (const Encounter& encounter : encounters) {
    flags.dst_stages |= encounter.use.stage.outside | encounter.use.stage.inside;
    flags.dst_access |= PairOf(encounter.use.index).access;
  }
  if (are_of_ended) {
    suggestion.barrier = {flags.dst_stages, 0, flags.dst_stages, flags.dst_access};
    flags.dst_access = 0;
  }
  const auto solves = [&] {
    return std::ranges::all_of(encounters, [&](const Encounter& encounter) {
      return IsOfEndedSubpass(encounter) != are_of_ended || IsSolvedAtPriorTransition(encounter, suggestion);
    });
  };
  Minimize(flags, solves);
  Minimize(suggestion.barrier, solves);
  return suggestion;
}

class NoQueues final : public OtherQueues {
 public:
  Tag now() const override { return Tag{0}; }
  void Wait(const Suggestion::Semaphore& /*semaphore*/, StateCopy& /*prior*/) const override {}
};

}  // namespace

const OtherQueues& NoOtherQueues() {
  static const NoQueues queues;
  return queues;
}

Suggestion SuggestBefore(absl::Span<const Encounter> encounters, const OtherQueues& queues) {
  const UseQuestion question(encounters, queues);
  Suggestion suggestion;
  for (Encounter encounter : encounters) {
    SolveBySemaphores(encounter, suggestion.semaphores);
    Hazard hazard;
    if (DetectUse(encounter.prior.state, encounter.prior.reads, encounter.use, Range(), hazard))
      AddNeeds(encounter, hazard, suggestion.flags);
  }
  std::vector<Encounter> rest;
  for (size_t i = 0; i < encounters.size(); ++i) {
    if (!question.IsSolvedBy(suggestion, i, Chains::kCertain)) rest.push_back(encounters[i]);
  }
  if (!rest.empty()) return SuggestAtPriorTransition(rest);
  Settle(question, queues, suggestion);
  return suggestion;
}

Suggestion SuggestForRace(const Race& race, absl::Span<const Encounter> encounters, const OtherQueues& queues) {
  Suggestion suggestion{.where = Suggestion::Where::kSemaphores, .flags = {}, .barrier = {}, .semaphores = {}};
  suggestion.semaphores.push_back(SemaphoreFor(race, WaiterOf(encounters.front().use).stages));
  Settle(UseQuestion(encounters, queues, &race), queues, suggestion);
  return suggestion;
}

}  // namespace assay::syncval
