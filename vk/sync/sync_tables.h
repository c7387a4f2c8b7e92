// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SYNC_SYNC_TABLES_H_
#define ASSAY_VK_SYNC_SYNC_TABLES_H_

#include <cstddef>

#include "vk/sync/sync_info.h"

// The generated tables behind sync_info.h.
namespace assay::vk::tables {

// The stages that are logically earlier and later than a stage, itself included.
struct SyncOrder {
  VkPipelineStageFlags2 stage;
  VkPipelineStageFlags2 earlier;
  VkPipelineStageFlags2 later;
};
extern const SyncStageInfo kSyncStages[];
extern const size_t kSyncStageCount;
extern const SyncAccessInfo kSyncAccesses[];
extern const size_t kSyncAccessInfoCount;
extern const SyncStageAccessInfo kSyncStageAccesses[];
extern const SyncOrder kSyncOrders[];
extern const size_t kSyncOrderCount;

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_SYNC_SYNC_TABLES_H_
