// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestion.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/functional/function_ref.h"
#include "syncval/engine/event.h"
#include "syncval/engine/fault.h"
#include "syncval/engine/hazard.h"

namespace assay::syncval {
namespace {

// Suggestions name single stages, which need no queue to say what they stand for.
constexpr VkQueueFlags kAnyQueue = ~VkQueueFlags{0};

const vk::SyncStageAccessInfo& PairOf(vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index]; }

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

bool IsHazard(const Encounter& encounter) {
  Hazard hazard;
  return DetectUse(encounter.prior.state, encounter.prior.reads, encounter.use, Range(), hazard);
}

bool IsSolvedBy(const Encounter& encounter, const Barrier& barrier) {
  Encounter copy = encounter;
  ApplyBarrier<Fault::kNone>(copy.prior.state, absl::MakeSpan(copy.prior.reads), barrier);
  return !IsHazard(copy);
}

// What the access conflicts with, or would once it no longer conflicts with reads: the reads of the command that wrote
// last keep nobody from conflicting with the write too.
SyncAccessMask PriorsOf(const AccessState& state, const Hazard& hazard) {
  SyncAccessMask priors = hazard.all_prior_accesses;
  if (state.HasWrite()) priors.Set(state.write_index);
  return priors;
}

// Those that a barrier can follow upon.
VkPipelineStageFlags2 AllNamed(const StageSet& stages) {
  return NamedStages(stages, false) | NamedStages(stages, true) | stages.ended;
}

// What happens in no stage, like a layout transition, and what another queue did, can be followed upon only through
// what has followed upon it.
VkPipelineStageFlags2 StagesToFollow(const StateCopy& prior, vk::SyncAccessIndex index) {
  StageSet stages;
  if (index == prior.state.write_index) {
    const bool is_own = prior.state.source_index == index && PairOf(index).stage != 0;
    stages |= is_own ? StageSet(PairOf(index).stage) : prior.state.available_stages;
  }
  for (const ReadRecord& read : prior.reads) {
    if (read.index == index) stages |= read.stage.is_none() ? read.ordered_stages : read.stage.ToSet();
  }
  return AllNamed(stages);
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

// Takes out every bit of bits, a part of flags, without which solves(flags) still holds; logically later stages first,
// so that what is left is what one would write.
void DropBits(uint64_t& bits, bool are_stages, absl::FunctionRef<bool()> solves) {
  std::vector<uint64_t> order;
  for (uint64_t rest = bits; rest != 0; rest &= rest - 1) order.push_back(rest & (~rest + 1));
  if (are_stages) {
    std::ranges::stable_sort(order, [](uint64_t a, uint64_t b) {
      return std::popcount(vk::LogicallyEarlierStages(a)) > std::popcount(vk::LogicallyEarlierStages(b));
    });
  }
  for (const uint64_t bit : order) {
    bits &= ~bit;
    if (!solves()) bits |= bit;
  }
}

// More bits never bring a hazard back, so a bit that is needed now is still needed once others are gone: one pass is
// enough.
void Minimize(BarrierFlags& flags, absl::FunctionRef<bool()> solves) {
  DropBits(flags.src_access, false, solves);
  DropBits(flags.dst_access, false, solves);
  DropBits(flags.src_stages, true, solves);
  DropBits(flags.dst_stages, true, solves);
}

// ---- Semaphores

VkPipelineStageFlags2 SignalStages(vk::SyncAccessIndex prior) {
  return PairOf(prior).stage != 0 ? PairOf(prior).stage : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

// Where an access or layout transition of a queue would wait for a semaphore.
struct Waiter {
  QueueIndex queue;
  vk::SyncAccessIndex index;
  VkPipelineStageFlags2 stages;
  // What waits outside is in order before what is inside a subpass that begins later.
  bool is_inside;
};

// Changes prior as a semaphore does, for that which happens up to its signal.
void ApplySemaphore(const Suggestion::Semaphore& semaphore, const Waiter& waiter, StateCopy& prior) {
  const Barrier barrier = MakeBarrier({semaphore.signal_stages, 0, semaphore.wait_stages, 0}, kAnyQueue);
  const VkPipelineStageFlags2 src = barrier.src.stages.outside;
  StageSet dst = barrier.dst.stages;
  if (waiter.is_inside) dst |= barrier.dst.Inside().stages;
  const bool everything = (semaphore.signal_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0;
  const auto is_before = [&](QueueIndex queue, Tag tag) { return queue == semaphore.queue && tag <= semaphore.after; };
  AccessState& state = prior.state;
  for (ReadRecord& read : prior.reads) {
    const bool is_in_scope = everything || (PairOf(read.index).stage & src) != 0;
    if (!is_before(read.queue, read.tag) || !is_in_scope) continue;
    read.ordered_stages |= dst;
    if (read.tag != state.write_tag) state.after_read_stages |= dst;
  }
  const bool is_in_scope = everything || (PairOf(state.write_index).stage & semaphore.signal_stages) != 0;
  if (!state.HasWrite() || !is_before(state.write_queue, state.write_tag) || !is_in_scope) return;
  if ((PairOf(waiter.index).stage & semaphore.wait_stages) != 0) {
    state.visible_to.outside.Set(waiter.index);
    if (waiter.is_inside) state.visible_to.inside.Set(waiter.index);
  }
  state.available_stages |= dst;
}

// Adds the semaphores for what the waiter conflicts with of other queues and cannot be followed upon, and changes prior
// as they would. conflicts(read) and write_conflicts() say what that is of reads and of the last write.
void SolveBySemaphores(const Waiter& waiter, absl::FunctionRef<bool(const ReadRecord&)> conflicts,
                       absl::FunctionRef<bool()> write_conflicts, StateCopy& prior,
                       std::vector<Suggestion::Semaphore>& semaphores) {
  const AccessState& state = prior.state;
  const auto solve = [&](QueueIndex queue, Tag tag, vk::SyncAccessIndex index) {
    const Suggestion::Semaphore semaphore{queue, tag, SignalStages(index), waiter.stages};
    if (std::ranges::find(semaphores, semaphore) == semaphores.end()) semaphores.push_back(semaphore);
    ApplySemaphore(semaphore, waiter, prior);
  };
  bool carries = false;
  for (const ReadRecord& read : prior.reads) {
    if (!conflicts(read)) continue;
    carries |= read.tag != state.write_tag;
    if (read.queue == waiter.queue || AllNamed(read.ordered_stages) != 0) continue;
    solve(read.queue, read.tag, read.index);
  }
  // A read that comes to be in order hands the write on.
  const bool is_foreign = state.HasWrite() && state.source_index == vk::kSyncNone;
  if (carries || !is_foreign || AllNamed(state.available_stages) != 0 || !write_conflicts()) return;
  solve(state.write_queue, state.write_tag, state.write_index);
}

void SolveBySemaphores(Encounter& encounter, std::vector<Suggestion::Semaphore>& semaphores) {
  const Use& use = encounter.use;
  StateCopy& prior = encounter.prior;
  SolveBySemaphores(
      {use.queue, use.index, use.stage.outside | use.stage.inside, use.is_inside},
      [&](const ReadRecord& read) { return use.is_write && read.tag < use.before && !HappensBefore(read, use); },
      [&] { return !IsVisible(prior.state, prior.reads, use); }, prior, semaphores);
}

// ---- Layout transitions

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
// scope comes to be before the stage of the event.
void ApplyToSet(const TransitionUse& use, const BarrierScope& src, StateCopy& prior) {
  AccessState& state = prior.state;
  if (state.write_tag < use.set_at && src.accesses.Has(state.source_index, state.is_write_inside)) {
    state.available_stages |= *use.event_stages;
  }
  for (ReadRecord& read : prior.reads) {
    if (read.tag >= use.set_at || !read.stage.ToSet().IsInSource(src.stages)) continue;
    read.ordered_stages |= *use.event_stages;
    if (read.tag != state.write_tag) state.after_read_stages |= *use.event_stages;
  }
}

bool Conflicts(const StateCopy& prior, const TransitionUse& use, const BarrierFlags& addition, Hazard& hazard) {
  const BarrierScope src = WithBits(use, addition);
  if (!use.event_stages.has_value()) {
    return DetectTransition(prior.state, prior.reads, src, use.before, Range(), hazard);
  }
  StateCopy copy = prior;
  if (addition != BarrierFlags()) ApplyToSet(use, src, copy);
  return DetectTransition(copy.state, copy.reads, BarrierScope{*use.event_stages, {}}, use.before, Range(), hazard);
}

// What semaphores may order.
VkPipelineStageFlags2 FirstScope(const TransitionUse& use) { return NamedStages(WithBits(use, {}).stages, false); }
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
      {use.queue, vk::kSyncImageLayoutTransition, StageToWaitWith(use), false},
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
  if (use.event_stages.has_value()) return rest;
  for (StateCopy& copy : rest) SolveBySemaphores(use, copy, semaphores);
  return rest;
}

void AddNeeds(const StateCopy& prior, const Hazard& hazard, BarrierFlags& addition) {
  PriorsOf(prior.state, hazard).ForEach([&](vk::SyncAccessIndex index) {
    addition.src_stages |= StagesToFollow(prior, index);
    if (PairOf(index).is_write) addition.src_access |= PairOf(index).access;
  });
}

// The bits of the second scope of earlier layout transitions that the encounters lack.
BarrierFlags BitsForPriorTransitions(absl::Span<const Encounter> encounters) {
  BarrierFlags flags;
  for (const Encounter& encounter : encounters) {
    flags.dst_stages |= encounter.use.stage.outside | encounter.use.stage.inside;
    flags.dst_access |= PairOf(encounter.use.index).access;
  }
  Minimize(flags, [&] {
    const BarrierScope outside = MakeBarrier(flags, kAnyQueue).dst;
    return std::ranges::all_of(encounters, [&](Encounter encounter) {
      const BarrierScope dst = encounter.use.is_inside ? outside.Inside() : outside;
      encounter.prior.state.visible_to |= dst.accesses;
      encounter.prior.state.available_stages |= dst.stages;
      return !IsHazard(encounter);
    });
  });
  return flags;
}

}  // namespace

Suggestion SuggestBefore(absl::Span<const Encounter> encounters) {
  Suggestion suggestion;
  BarrierFlags& flags = suggestion.flags;
  std::vector<Encounter> rest;
  for (Encounter encounter : encounters) {
    SolveBySemaphores(encounter, suggestion.semaphores);
    Hazard hazard;
    const Use& use = encounter.use;
    if (DetectUse(encounter.prior.state, encounter.prior.reads, use, Range(), hazard))
      AddNeeds(encounter, hazard, flags);
    rest.push_back(std::move(encounter));
  }
  if (std::ranges::none_of(rest, IsHazard)) {
    suggestion.where = Suggestion::Where::kSemaphores;
    return suggestion;
  }
  const auto is_solved = [&](const Encounter& encounter) {
    return IsSolvedBy(encounter, BarrierFor(flags, encounter.use.is_inside));
  };
  const auto solves = [&] { return std::ranges::all_of(rest, is_solved); };
  if (solves()) {
    Minimize(flags, solves);
    return suggestion;
  }
  std::erase_if(rest, is_solved);
  return {.where = Suggestion::Where::kAddToPriorTransition, .flags = BitsForPriorTransitions(rest), .semaphores = {}};
}

Suggestion SuggestAddition(absl::Span<const StateCopy> states, const TransitionUse& use) {
  Suggestion suggestion{.where = Suggestion::Where::kAddToTransition, .flags = {}, .semaphores = {}};
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
  for (const StateCopy& copy : rest) {
    Hazard hazard;
    if (Conflicts(copy, use, {}, hazard)) AddNeeds(copy, hazard, flags);
  }
  const auto solves = [&] {
    return std::ranges::none_of(rest, [&](const StateCopy& copy) {
      Hazard hazard;
      return Conflicts(copy, use, flags, hazard);
    });
  };
  if (!solves()) return {.where = Suggestion::Where::kSetEventLater, .flags = {}, .semaphores = {}};
  Minimize(flags, solves);
  if (flags == BarrierFlags()) suggestion.where = Suggestion::Where::kSemaphores;
  return suggestion;
}

Suggestion SuggestForRace(const Hazard& race, VkPipelineStageFlags2 stage) {
  return {.where = Suggestion::Where::kSemaphores,
          .flags = {},
          .semaphores = {{race.prior_queue, race.prior_tag, SignalStages(race.prior_access), stage}}};
}

Suggestion SuggestForRaceOfTransition(const Hazard& race, const TransitionUse& use) {
  if (use.event_stages.has_value()) {
    return {.where = Suggestion::Where::kSetEventLater, .flags = {}, .semaphores = {}};
  }
  Suggestion suggestion = SuggestForRace(race, StageToWaitWith(use));
  if (!HasFirstScope(use)) {
    suggestion.where = Suggestion::Where::kAddToTransition;
    suggestion.flags.src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  }
  return suggestion;
}

}  // namespace assay::syncval
