// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/sync/sync_info.h"

#include "vk/sync/sync_tables.h"

namespace assay::vk {

std::span<const SyncStageInfo> SyncStages() { return {tables::kSyncStages, tables::kSyncStageCount}; }
std::span<const SyncAccessInfo> SyncAccesses() { return {tables::kSyncAccesses, tables::kSyncAccessInfoCount}; }
std::span<const SyncStageAccessInfo> SyncStageAccesses() { return {tables::kSyncStageAccesses, kSyncAccessCount}; }

namespace {

VkPipelineStageFlags2 Order(VkPipelineStageFlags2 stages, VkPipelineStageFlags2 tables::SyncOrder::* direction) {
  VkPipelineStageFlags2 result = stages;
  for (const tables::SyncOrder& order : std::span(tables::kSyncOrders, tables::kSyncOrderCount)) {
    if (stages & order.stage) result |= order.*direction;
  }
  return result;
}

}  // namespace

VkPipelineStageFlags2 LogicallyEarlierStages(VkPipelineStageFlags2 single_stages) {
  return Order(single_stages, &tables::SyncOrder::earlier);
}

VkPipelineStageFlags2 LogicallyLaterStages(VkPipelineStageFlags2 single_stages) {
  return Order(single_stages, &tables::SyncOrder::later);
}

VkPipelineStageFlags2 ExpandStages(VkPipelineStageFlags2 stages, VkQueueFlags queues) {
  VkPipelineStageFlags2 result = stages;
  VkPipelineStageFlags2 unsupported = 0;
  for (const SyncStageInfo& info : SyncStages()) {
    if (info.single) {
      if (!(info.queues & queues)) unsupported |= info.stage;
    } else if (stages & info.stage) {
      result = (result & ~info.stage) | info.expands_to;
    }
  }
  // A stage that the caller named is kept: whether the queue supports it is not for an expansion to decide.
  return result & ~(unsupported & ~stages);
}

VkAccessFlags2 ExpandAccesses(VkAccessFlags2 accesses) {
  VkAccessFlags2 result = accesses;
  for (const SyncAccessInfo& info : SyncAccesses()) {
    if (!info.single && (accesses & info.access))
      result = (result & ~(info.access & ~info.expands_to)) | info.expands_to;
  }
  return result;
}

}  // namespace assay::vk
