// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_MODEL_MODEL_SCOPES_H_
#define ASSAY_SYNCVAL_ENGINE_MODEL_MODEL_SCOPES_H_

#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

// Scopes of the reference model, straight from the tables of the registry.
namespace assay::syncval {

inline const vk::SyncStageAccessInfo& PairInModel(vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index]; }

// The single stages of a scope on a queue with these capabilities. TOP_OF_PIPE and BOTTOM_OF_PIPE have none.
VkPipelineStageFlags2 ExpandInModel(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags);

// The stages of a first, or second, synchronization scope: single stages with all that are logically earlier, or later.
VkPipelineStageFlags2 FirstScopeInModel(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags);
VkPipelineStageFlags2 SecondScopeInModel(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags);

// Whether an access scope of these single stages and accesses has the pair.
bool IsInModelScope(vk::SyncAccessIndex index, VkPipelineStageFlags2 single_stages, VkAccessFlags2 accesses);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_MODEL_MODEL_SCOPES_H_
