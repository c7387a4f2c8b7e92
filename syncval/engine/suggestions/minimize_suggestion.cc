// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestions/minimize_suggestion.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

// Removes every bit of `bits`, a part of flags, without which solves(flags) still holds. Logically later stages go
// first. The rest is then as a programmer would write it.
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

bool IsMinimal(const HazardsToSolve& hazards, const Suggestion& suggestion, Chains chains) {
  bool result = true;
  ForEachWithoutOneBit(suggestion, [&](const Suggestion& smaller) { result &= !hazards.IsSolvedBy(smaller, chains); });
  return result;
}

// More bits never bring a hazard back, so a bit that is needed now is still needed once others are gone: one pass is
// enough.
void Minimize(BarrierFlags& flags, absl::FunctionRef<bool()> solves) {
  DropBits(flags.src_access, false, solves);
  DropBits(flags.dst_access, false, solves);
  DropBits(flags.src_stages, true, solves);
  DropBits(flags.dst_stages, true, solves);
}

void Minimize(const HazardsToSolve& hazards, Chains chains, Suggestion& suggestion) {
  std::vector<Suggestion::Semaphore>& semaphores = suggestion.semaphores;
  const auto solves = [&] { return hazards.IsSolvedBy(suggestion, chains); };
  for (size_t i = 0; i < semaphores.size();) {
    const Suggestion::Semaphore dropped = semaphores[i];
    semaphores.erase(semaphores.begin() + static_cast<ptrdiff_t>(i));
    if (!solves()) semaphores.insert(semaphores.begin() + static_cast<ptrdiff_t>(i++), dropped);
  }
  for (Suggestion::Semaphore& semaphore : semaphores) DropBits(semaphore.signal_stages, true, solves);
  Minimize(suggestion.flags, solves);
}

// A suggestion that is minimal by the certain chains may have a bit too many if there are other chains. For a semaphore
// that is signalled now, all chains are known.
void MinimizeWithAllChains(const HazardsToSolve& hazards, const OtherQueues& queues, Suggestion& suggestion) {
  Minimize(hazards, Chains::kCertain, suggestion);
  std::vector<Suggestion::Semaphore>& semaphores = suggestion.semaphores;
  if (!semaphores.empty() && !IsMinimal(hazards, suggestion, Chains::kPossible)) {
    for (Suggestion::Semaphore& semaphore : semaphores) semaphore.after = queues.now();
    Minimize(hazards, Chains::kPossible, suggestion);
  }
  if (suggestion.flags == BarrierFlags() && !semaphores.empty()) suggestion.kind = Suggestion::Kind::kAddSemaphores;
}

}  // namespace assay::syncval
