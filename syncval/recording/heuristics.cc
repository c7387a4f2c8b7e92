// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/heuristics.h"

#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

VkAccessFlags2 AccessOf(vk::SyncAccessIndex access) { return vk::SyncStageAccesses()[access].access; }

bool IsStorageAccess(vk::SyncAccessIndex access) {
  return (AccessOf(access) & (VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)) != 0;
}
bool IsImageAccessOfShader(vk::SyncAccessIndex access) {
  constexpr VkAccessFlags2 kRead = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
  return IsStorageAccess(access) || (AccessOf(access) & kRead) != 0;
}
bool IsAttachmentAccess(vk::SyncAccessIndex access) {
  constexpr VkAccessFlags2 kAttachment =
      VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
      VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  return (AccessOf(access) & kAttachment) != 0;
}

}  // namespace

bool MayBeInOrder(const SyncRecording& recording, const Hazard& hazard, vk::SyncAccessIndex access) {
  return (UnknownReadMayOrder(hazard, access) && recording.HasUnknownAccessSince(hazard.prior_tag)) ||
         (recording.IsInCurrentInstance(hazard.prior_tag) && MayShareInstance(hazard.prior_access, access));
}

bool UnknownReadMayOrder(const Hazard& hazard, vk::SyncAccessIndex access) {
  return hazard.kind == HazardKind::kWriteAfterWrite && access != vk::kSyncImageLayoutTransition &&
         (hazard.ordered_stages & vk::SyncStageAccesses()[access].stage) != 0;
}

bool MayShareInstance(vk::SyncAccessIndex prior, vk::SyncAccessIndex access) {
  // Transform feedback appends primitives in the order of the draws.
  if (prior == vk::kSyncTransformFeedbackTransformFeedbackWrite && access == prior) return true;
  return (IsStorageAccess(prior) && IsStorageAccess(access)) ||
         (IsAttachmentAccess(prior) && IsImageAccessOfShader(access)) ||
         (IsImageAccessOfShader(prior) && IsAttachmentAccess(access));
}

}  // namespace assay::syncval
