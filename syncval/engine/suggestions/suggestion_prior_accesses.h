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

// What the prior accesses of a hazard ask of whoever is to be in order after them: the stages that a barrier has to
// be ordered after or, where none can, the semaphores. Private to suggestions.
namespace assay::syncval {

// Suggestions name single stages, whose meaning depends on no queue.
inline constexpr VkQueueFlags kAnyQueue = ~VkQueueFlags{0};

inline const vk::SyncStageAccessInfo& PairOf(vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index]; }

// What the access conflicts with, or would once it no longer conflicts with reads: the reads of the command that wrote
// last keep nobody from conflicting with the write too.
SyncAccessMask PriorAccessesOf(const AccessState& state, const Hazard& hazard);

// What happens in no stage, like a layout transition, and what another queue did, can be followed upon only through
// what has followed upon it.
VkPipelineStageFlags2 SourceStagesFor(const StateCopy& prior, vk::SyncAccessIndex index);

// Of a signal that has the prior access in its first scope.
VkPipelineStageFlags2 SignalStages(vk::SyncAccessIndex prior);

// Where an access or layout transition of a queue would wait for a semaphore.
struct SemaphoreWait {
  QueueIndex queue;
  vk::SyncAccessIndex index;
  VkPipelineStageFlags2 stages;
  // What waits outside is in order before what is inside a subpass that begins later.
  bool is_inside;
};

// Changes prior as a semaphore does, for that which happens up to its signal.
void ApplySemaphore(const Suggestion::Semaphore& semaphore, const SemaphoreWait& wait, StateCopy& prior);

// Adds the semaphores for what the wait conflicts with of other queues and cannot be followed upon, and changes prior
// as they would. conflicts(read) and write_conflicts() say what that is of reads and of the last write.
void SolveBySemaphores(const SemaphoreWait& wait, absl::FunctionRef<bool(const ReadRecord&)> conflicts,
                       absl::FunctionRef<bool()> write_conflicts, StateCopy& prior,
                       std::vector<Suggestion::Semaphore>& semaphores);

// Of what another queue did, the last and its stages, or less.
Suggestion::Semaphore SemaphoreFor(const Race& race, VkPipelineStageFlags2 wait_stages);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_PRIOR_ACCESSES_H_
