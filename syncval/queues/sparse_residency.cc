// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/queues/sparse_residency.h"

#include "vk/sync/sync_info.h"

namespace assay::syncval {

bool MustBeBound(const RecordedAccess& access, vk::SyncAccessIndex index) {
  constexpr VkPipelineStageFlags2 kExact = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
                                           VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT |
                                           VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
  if ((vk::SyncStageAccesses()[index].stage & kExact) != 0) return true;
  if (access.resource_type == state::Buffer::kType) {
    const auto* buffer = state::DeviceState::Get<state::Buffer>(access.resource);
    return buffer != nullptr && !buffer->is_partially_resident();
  }
  const auto* image = state::DeviceState::Get<state::Image>(access.resource);
  return image != nullptr && !image->is_partially_resident();
}

bool IsBound(const RecordedAccess& access, const ReplayHazard& found) {
  return !MustBeBound(access, found.access.index) ||
         (found.hazard.ordered_stages & vk::SyncStageAccesses()[found.access.index].stage) != 0;
}

bool BindsEntireImage(const state::SparseBinding& binding) {
  return binding.image && binding.bytes.begin < binding.bytes.end && !binding.image->is_partially_resident() &&
         (!binding.memory || !binding.image->sparse->HasAll(binding.bytes));
}

}  // namespace assay::syncval
