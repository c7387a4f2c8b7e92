// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestion.h"

#include <algorithm>
#include <bit>

#include "absl/functional/function_ref.h"
#include "syncval/engine/event.h"
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

bool IsSolvedBy(const Encounter& encounter, const Barrier& barrier) {
  StateCopy copy = encounter.prior;
  ApplyBarrier<Fault::kNone>(copy.state, absl::MakeSpan(copy.reads), barrier);
  Hazard hazard;
  return !DetectUse(copy.state, copy.reads, encounter.use, Range(), hazard);
}

bool IsSolved(const Encounter& encounter) {
  Hazard hazard;
  return !DetectUse(encounter.prior.state, encounter.prior.reads, encounter.use, Range(), hazard);
}

// What the access conflicts with, or would once it no longer conflicts with reads: the reads of the command that wrote
// last keep nobody from conflicting with the write too.
SyncAccessMask PriorsOf(const AccessState& state, const Hazard& hazard) {
  SyncAccessMask priors = hazard.all_prior_accesses;
  if (state.HasWrite()) priors.Set(state.write_index);
  return priors;
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
  return NamedStages(stages, false) | NamedStages(stages, true);
}

bool IsOfAnotherQueue(const StateCopy& prior) {
  return (prior.state.HasWrite() && prior.state.source_index == vk::kSyncNone) ||
         std::ranges::any_of(prior.reads, [](const ReadRecord& read) { return read.stage.is_none(); });
}

VkPipelineStageFlags2 PriorStagesOf(absl::Span<const Encounter> encounters) {
  VkPipelineStageFlags2 stages = 0;
  for (const Encounter& encounter : encounters) {
    Hazard hazard;
    if (!DetectUse(encounter.prior.state, encounter.prior.reads, encounter.use, Range(), hazard)) continue;
    PriorsOf(encounter.prior.state, hazard).ForEach([&](vk::SyncAccessIndex index) { stages |= PairOf(index).stage; });
  }
  return stages;
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

}  // namespace

Suggestion SuggestBefore(absl::Span<const Encounter> encounters) {
  Suggestion suggestion;
  BarrierFlags& flags = suggestion.flags;
  for (const Encounter& encounter : encounters) {
    Hazard hazard;
    if (DetectUse(encounter.prior.state, encounter.prior.reads, encounter.use, Range(), hazard)) {
      AddNeeds(encounter, hazard, flags);
    }
  }
  const auto solves = [&] {
    const Barrier barrier = BarrierFor(flags, encounters.front().use.is_inside);
    return std::ranges::all_of(encounters, [&](const Encounter& encounter) { return IsSolvedBy(encounter, barrier); });
  };
  if (!solves()) {
    const bool is_foreign = std::ranges::any_of(encounters, [&](const Encounter& encounter) {
      return IsOfAnotherQueue(encounter.prior) && !IsSolved(encounter);
    });
    suggestion.where = is_foreign ? Suggestion::Where::kAddToSemaphores : Suggestion::Where::kAddToPriorTransition;
    flags.src_stages = is_foreign ? PriorStagesOf(encounters) : 0;
    if (!is_foreign) flags.src_access = 0;
    return suggestion;
  }
  Minimize(flags, solves);
  return suggestion;
}

Suggestion SuggestAddition(absl::Span<const StateCopy> states, const BarrierScope& src, const BarrierFlags& flags,
                           VkQueueFlags queue_flags) {
  Suggestion suggestion{.where = Suggestion::Where::kAddToTransition, .flags = {}};
  const auto conflicts = [](const StateCopy& copy, const BarrierScope& scope, Hazard& hazard) {
    return DetectTransition(copy.state, copy.reads, scope, Tag(), Range(), hazard);
  };
  for (const StateCopy& copy : states) {
    Hazard hazard;
    if (!conflicts(copy, src, hazard)) continue;
    PriorsOf(copy.state, hazard).ForEach([&](vk::SyncAccessIndex index) {
      suggestion.flags.src_stages |= PairOf(index).stage;
      if (PairOf(index).is_write) suggestion.flags.src_access |= PairOf(index).access;
    });
  }
  const auto solves = [&] {
    BarrierFlags with = flags;
    with.src_stages |= suggestion.flags.src_stages;
    with.src_access |= suggestion.flags.src_access;
    const BarrierScope outside = MakeBarrier(with, queue_flags).src;
    const BarrierScope inside = outside.Inside();
    const BarrierScope sum{src.stages | outside.stages | inside.stages,
                           src.accesses | outside.accesses | inside.accesses};
    Hazard hazard;
    return std::ranges::none_of(states, [&](const StateCopy& copy) { return conflicts(copy, sum, hazard); });
  };
  Minimize(suggestion.flags, solves);
  return suggestion;
}

}  // namespace assay::syncval
