// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/model/model_scopes.h"

#include <algorithm>

namespace assay::syncval {
namespace {

constexpr VkPipelineStageFlags2 kTop = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
constexpr VkPipelineStageFlags2 kBottom = VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;

VkPipelineStageFlags2 AllCommands(VkQueueFlags queue_flags) {
  return ExpandInModel(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queue_flags);
}

bool Names(VkAccessFlags2 accesses, VkAccessFlags2 single) {
  return std::ranges::any_of(vk::SyncAccesses(), [&](const vk::SyncAccessInfo& info) {
    return (info.access & accesses) != 0 && (info.expands_to & single) != 0;
  });
}

}  // namespace

VkPipelineStageFlags2 ExpandInModel(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags) {
  VkPipelineStageFlags2 result = 0;
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if ((info.stage & stages & ~(kTop | kBottom)) == 0) continue;
    for (const vk::SyncStageInfo& part : vk::SyncStages()) {
      if (!part.single || (part.stage & info.expands_to) == 0) continue;
      if (info.single || (part.queues & queue_flags) != 0) result |= part.stage;
    }
  }
  return result & ~(kTop | kBottom);
}

VkPipelineStageFlags2 FirstScopeInModel(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags) {
  const VkPipelineStageFlags2 single = ExpandInModel(stages, queue_flags);
  VkPipelineStageFlags2 result = 0;
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if (info.single && (info.stage & single) != 0) result |= vk::LogicallyEarlierStages(info.stage);
  }
  if ((stages & kBottom) != 0) result |= AllCommands(queue_flags);
  return result & ~(kTop | kBottom);
}

VkPipelineStageFlags2 SecondScopeInModel(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags) {
  const VkPipelineStageFlags2 single = ExpandInModel(stages, queue_flags);
  VkPipelineStageFlags2 result = 0;
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if (info.single && (info.stage & single) != 0) result |= vk::LogicallyLaterStages(info.stage);
  }
  if ((stages & kTop) != 0) result |= AllCommands(queue_flags);
  return result & ~(kTop | kBottom);
}

bool IsInModelScope(vk::SyncAccessIndex index, VkPipelineStageFlags2 single_stages, VkAccessFlags2 accesses) {
  return (PairInModel(index).stage & single_stages) != 0 && Names(accesses, PairInModel(index).access);
}

}  // namespace assay::syncval
