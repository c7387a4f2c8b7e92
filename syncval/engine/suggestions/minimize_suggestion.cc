// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestions/minimize_suggestion.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

std::vector<uint64_t> SingleBits(uint64_t bits) {
  std::vector<uint64_t> single;
  for (; bits != 0; bits &= bits - 1) single.push_back(bits & (~bits + 1));
  return single;
}

// Removes every bit of bits, a part of flags, without which solves() still holds. Tries them in this order.
void DropBits(uint64_t& bits, const std::vector<uint64_t>& order, absl::FunctionRef<bool()> solves) {
  for (const uint64_t bit : order) {
    bits &= ~bit;
    if (!solves()) bits |= bit;
  }
}

// Calls visit with each way to take a bit out of a suggestion.
void ForEachWithoutOneBit(const Suggestion& suggestion, absl::FunctionRef<void(const Suggestion&)> visit) {
  for (size_t i = 0; i < suggestion.semaphores.size(); ++i) {
    for (uint64_t rest = suggestion.semaphores[i].signal_stages; rest != 0; rest &= rest - 1) {
      Suggestion smaller = suggestion;
      smaller.semaphores[i].signal_stages &= ~(rest & (~rest + 1));
      if (smaller.semaphores[i].signal_stages == 0)
        smaller.semaphores.erase(smaller.semaphores.begin() + static_cast<ptrdiff_t>(i));
      visit(smaller);
    }
  }
  for (uint64_t BarrierFlags::* member :
       {&BarrierFlags::src_stages, &BarrierFlags::src_access, &BarrierFlags::dst_stages, &BarrierFlags::dst_access}) {
    for (uint64_t rest = suggestion.flags.*member; rest != 0; rest &= rest - 1) {
      Suggestion smaller = suggestion;
      smaller.flags.*member &= ~(rest & (~rest + 1));
      visit(smaller);
    }
  }
}

}  // namespace

std::vector<VkPipelineStageFlags2> StagePreference::InOrder(VkPipelineStageFlags2 stages) const {
  std::vector<VkPipelineStageFlags2> order = SingleBits(stages);
  std::ranges::sort(order, {}, [this](VkPipelineStageFlags2 stage) {
    return std::tuple((stages_ & stage) != 0, (waited_ & stage) != 0, (named_ & stage) != 0,
                      -std::popcount(vk::LogicallyEarlierStages(stage)), stage);
  });
  return order;
}

bool IsMinimal(const HazardsToSolve& hazards, const Suggestion& suggestion, Chains chains) {
  bool result = true;
  ForEachWithoutOneBit(suggestion, [&](const Suggestion& smaller) { result &= !hazards.IsSolvedBy(smaller, chains); });
  return result;
}

// More bits never bring a hazard back, so a bit that is needed now is still needed once others are gone: one pass is
// enough.
void Minimize(BarrierFlags& flags, const StagePreference& preference, absl::FunctionRef<bool()> solves) {
  DropBits(flags.src_access, SingleBits(flags.src_access), solves);
  DropBits(flags.dst_access, SingleBits(flags.dst_access), solves);
  DropBits(flags.src_stages, preference.InOrder(flags.src_stages), solves);
  DropBits(flags.dst_stages, preference.InOrder(flags.dst_stages), solves);
}

void Minimize(const HazardsToSolve& hazards, Chains chains, Suggestion& suggestion) {
  std::vector<Suggestion::Semaphore>& semaphores = suggestion.semaphores;
  const auto solves = [&] { return hazards.IsSolvedBy(suggestion, chains); };
  for (size_t i = 0; i < semaphores.size();) {
    const Suggestion::Semaphore dropped = semaphores[i];
    semaphores.erase(semaphores.begin() + static_cast<ptrdiff_t>(i));
    if (!solves()) semaphores.insert(semaphores.begin() + static_cast<ptrdiff_t>(i++), dropped);
  }
  for (Suggestion::Semaphore& semaphore : semaphores) {
    // One after nothing may seem to solve a hazard, where what it tells of is a later access that is not in conflict.
    const auto solves_with_stages = [&] { return semaphore.signal_stages != 0 && solves(); };
    DropBits(semaphore.signal_stages, hazards.preference().InOrder(semaphore.signal_stages), solves_with_stages);
  }
  Minimize(suggestion.flags, hazards.preference(), solves);
}

// What is minimal by the chains that are certain may have a bit too many where there are others. Of a semaphore that is
// signalled now all of them are known.
void MinimizeWithAllChains(const HazardsToSolve& hazards, const SuggestionDevice& device, Suggestion& suggestion) {
  Minimize(hazards, Chains::kCertain, suggestion);
  std::vector<Suggestion::Semaphore>& semaphores = suggestion.semaphores;
  if (!semaphores.empty() && !IsMinimal(hazards, suggestion, Chains::kPossible)) {
    for (Suggestion::Semaphore& semaphore : semaphores) semaphore.after = device.now();
    Minimize(hazards, Chains::kPossible, suggestion);
  }
  if (suggestion.flags == BarrierFlags() && !semaphores.empty()) suggestion.kind = Suggestion::Kind::kAddSemaphores;
}

}  // namespace assay::syncval
