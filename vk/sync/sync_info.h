// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SYNC_SYNC_INFO_H_
#define ASSAY_VK_SYNC_SYNC_INFO_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "vk/sync_access_index.h"
#include "vk/vulkan.h"

// Pipeline stages, access types and the pairs of both that are possible, from the registry's sync section.
//
// A stage is *single* (VK_PIPELINE_STAGE_2_COPY_BIT) or stands for several (ALL_TRANSFER, ALL_GRAPHICS, VERTEX_INPUT,
// PRE_RASTERIZATION_SHADERS, ALL_COMMANDS, ...). So is an access: SHADER_READ stands for SHADER_SAMPLED_READ |
// SHADER_STORAGE_READ | ..., MEMORY_READ and MEMORY_WRITE for all reads and writes.
//
// A *sync access* is a single stage with a single access that it supports, such as COPY/TRANSFER_WRITE. Each has a
// SyncAccessIndex (kSyncCopyTransferWrite), in the order of the registry's stages; kSyncNone is 0. Three accesses that
// the registry does not have are added after them. kSyncImageLayoutTransition and kSyncQueueFamilyOwnershipTransfer are
// a read and a write each. kSyncPresentEnginePresented is the presentation engine's read.
namespace assay::vk {

struct SyncStageInfo {
  std::string_view name;
  VkPipelineStageFlags2 stage;
  // Queue types that support the stage; ~0u when all do.
  VkQueueFlags queues;
  // The single stages that this one stands for; itself when it is single. ALL_COMMANDS stands for every single stage at
  // which a queue works: not HOST, TOP_OF_PIPE or BOTTOM_OF_PIPE.
  VkPipelineStageFlags2 expands_to;
  bool single;
};
std::span<const SyncStageInfo> SyncStages();

struct SyncAccessInfo {
  std::string_view name;
  VkAccessFlags2 access;
  // Single stages that can perform the access.
  VkPipelineStageFlags2 stages;
  // The single accesses that this one stands for; itself if it is single. SHADER_READ stands for its parts and for
  // itself: building acceleration structures and micromaps performs a SHADER_READ that is none of the parts
  // (kSyncAccelerationStructureBuildShaderRead).
  VkAccessFlags2 expands_to;
  bool single;
  bool is_read;
  bool is_write;
};
std::span<const SyncAccessInfo> SyncAccesses();

// One stage with one access.
struct SyncStageAccessInfo {
  // "COPY_TRANSFER_WRITE", as the field's messages have it ("SYNC_COPY_TRANSFER_WRITE" without the prefix).
  std::string_view name;
  VkPipelineStageFlags2 stage;
  VkAccessFlags2 access;
  bool is_read;
  bool is_write;
};
// Indexed by SyncAccessIndex; entry 0 is kSyncNone. At most 191 entries.
std::span<const SyncStageAccessInfo> SyncStageAccesses();

// The order of single stages in a pipeline of the registry (graphics, compute, ...): the stages that are logically
// earlier than (all) or later than any bit of stages, itself included, over all pipelines.
VkPipelineStageFlags2 LogicallyEarlierStages(VkPipelineStageFlags2 single_stages);
VkPipelineStageFlags2 LogicallyLaterStages(VkPipelineStageFlags2 single_stages);

// Replaces each stage that stands for several by those that queues supports. TOP_OF_PIPE, BOTTOM_OF_PIPE and the single
// stages in stages remain, whether queues supports them or not.
VkPipelineStageFlags2 ExpandStages(VkPipelineStageFlags2 stages, VkQueueFlags queues);
// Replaces each access that stands for several by those.
VkAccessFlags2 ExpandAccesses(VkAccessFlags2 accesses);

}  // namespace assay::vk

#endif  // ASSAY_VK_SYNC_SYNC_INFO_H_
