// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestions/suggestion_prior_accesses.h"

#include <algorithm>

#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/events/event.h"

namespace assay::syncval {
namespace {

// The stages that a barrier can be ordered after.
VkPipelineStageFlags2 AllCommandStages(const StageSet& stages) {
  return CommandStages(stages, false) | CommandStages(stages, true) | stages.ended_stages();
}

}  // namespace

SyncAccessMask PriorAccessesOf(const AccessState& state, const Hazard& hazard) {
  SyncAccessMask prior_accesses = hazard.all_prior_accesses;
  if (state.HasWrite()) prior_accesses.Set(state.write_index);
  return prior_accesses;
}

VkPipelineStageFlags2 SourceStagesFor(const StateCopy& prior, vk::SyncAccessIndex index) {
  StageSet stages;
  if (index == prior.state.write_index) {
    const bool is_own = prior.state.source_index == index && PairOf(index).stage != 0;
    stages |= is_own ? StageSet(PairOf(index).stage) : prior.state.available_stages;
  }
  for (const ReadRecord& read : prior.reads) {
    if (read.index == index) stages |= read.stage.is_none() ? read.ordered_stages : read.stage.ToSet();
  }
  return AllCommandStages(stages);
}

VkPipelineStageFlags2 SignalStages(vk::SyncAccessIndex prior) {
  return PairOf(prior).stage != 0 ? PairOf(prior).stage : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

void ApplySemaphore(const Suggestion::Semaphore& semaphore, const SemaphoreWait& wait, StateCopy& prior) {
  const Barrier barrier = MakeBarrier({semaphore.signal_stages, 0, semaphore.wait_stages, 0}, kAnyQueue);
  const VkPipelineStageFlags2 src = barrier.src.stages.outside;
  StageSet dst = barrier.dst.stages;
  if (wait.is_inside) dst |= barrier.dst.Inside().stages;
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
  if ((PairOf(wait.index).stage & semaphore.wait_stages) != 0) {
    state.visible_to.outside.Set(wait.index);
    if (wait.is_inside) state.visible_to.inside.Set(wait.index);
  }
  state.available_stages |= dst;
}

void SolveBySemaphores(const SemaphoreWait& wait, absl::FunctionRef<bool(const ReadRecord&)> conflicts,
                       absl::FunctionRef<bool()> write_conflicts, StateCopy& prior,
                       std::vector<Suggestion::Semaphore>& semaphores) {
  const AccessState& state = prior.state;
  const auto solve = [&](QueueIndex queue, Tag tag, vk::SyncAccessIndex index) {
    const Suggestion::Semaphore semaphore{queue, tag, SignalStages(index), wait.stages};
    if (std::ranges::find(semaphores, semaphore) == semaphores.end()) semaphores.push_back(semaphore);
    ApplySemaphore(semaphore, wait, prior);
  };
  bool carries = false;
  for (const ReadRecord& read : prior.reads) {
    if (!conflicts(read)) continue;
    carries |= read.tag != state.write_tag;
    if (read.queue == wait.queue || AllCommandStages(read.ordered_stages) != 0) continue;
    solve(read.queue, read.tag, read.index);
  }
  // Once a read is in order, the write before it is in order too.
  const bool is_foreign = state.HasWrite() && state.source_index == vk::kSyncNone;
  if (carries || !is_foreign || AllCommandStages(state.available_stages) != 0 || !write_conflicts()) return;
  solve(state.write_queue, state.write_tag, state.write_index);
}

Suggestion::Semaphore SemaphoreFor(const Race& race, VkPipelineStageFlags2 wait_stages) {
  Suggestion::Semaphore semaphore{.queue = race.queue, .after = Tag{0}, .signal_stages = 0, .wait_stages = wait_stages};
  for (const RacingAccess& prior : race.prior_accesses) {
    semaphore.after = std::max(semaphore.after, prior.tag);
    semaphore.signal_stages |= SignalStages(prior.index);
  }
  return semaphore;
}

}  // namespace assay::syncval
