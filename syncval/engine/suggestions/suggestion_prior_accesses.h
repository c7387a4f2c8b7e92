// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_PRIOR_ACCESSES_H_
#define ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_PRIOR_ACCESSES_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/suggestions/suggestion.h"
#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

// The needs of a barrier or semaphore against the prior accesses of a hazard: the stages that a barrier has to be
// ordered after or, where it cannot be, the semaphores. Private to suggestions.
namespace assay::syncval {

// Suggestions name only single stages. Their meaning does not depend on the queue.
inline constexpr VkQueueFlags kAnyQueue = ~VkQueueFlags{0};

inline const vk::SyncStageAccessInfo& PairOf(vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index]; }

// The accesses that the current access conflicts with, or would once it no longer conflicts with reads. If the command
// of the last write also reads, a conflict with these reads does not rule out one with the write.
SyncAccessMask PriorAccessesOf(const AccessState& state, const Hazard& hazard);

// The stages after which a barrier against the prior access can come. A prior access in no stage, like a layout
// transition, and one of another queue have only the stages that are already ordered after it.
VkPipelineStageFlags2 SourceStagesFor(const StateCopy& prior, vk::SyncAccessIndex index);

// The stages of a signal that has the prior access in its first scope.
VkPipelineStageFlags2 SignalStages(vk::SyncAccessIndex prior);

// The place where an access or layout transition of a queue would wait for a semaphore.
struct SemaphoreWait {
  QueueIndex queue;
  vk::SyncAccessIndex index;
  VkPipelineStageFlags2 stages;
  // A wait outside of a subpass is in order before the commands of a subpass that begins later.
  bool is_inside;
};

// Changes `prior` as a semaphore does, for accesses up to its signal.
void ApplySemaphore(const Suggestion::Semaphore& semaphore, const SemaphoreWait& wait, StateCopy& prior);

// Adds semaphores for the accesses of other queues that the waiting access conflicts with and that no barrier can be
// ordered after. Changes `prior` as these semaphores would. conflicts(read) and write_conflicts() say whether a read or
// the last write conflicts.
void SolveBySemaphores(const SemaphoreWait& wait, absl::FunctionRef<bool(const ReadRecord&)> conflicts,
                       absl::FunctionRef<bool()> write_conflicts, StateCopy& prior,
                       std::vector<Suggestion::Semaphore>& semaphores);

// The semaphore after the last of the racing accesses, with the stages of all. Fewer may do.
Suggestion::Semaphore SemaphoreFor(const Race& race, VkPipelineStageFlags2 wait_stages);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_PRIOR_ACCESSES_H_
