// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_ATTACHMENT_OPERATIONS_H_
#define ASSAY_SYNCVAL_ACCESSES_ATTACHMENT_OPERATIONS_H_

#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

// Accesses of load, store and resolve operations to attachments, of dynamic rendering and of render pass objects alike.
// Private to the package.
namespace assay::syncval {

struct ReadAndWrite {
  vk::SyncAccessIndex read;
  vk::SyncAccessIndex write;
};

inline constexpr ReadAndWrite kAtColorOutput = {vk::kSyncColorAttachmentOutputColorAttachmentRead,
                                                vk::kSyncColorAttachmentOutputColorAttachmentWrite};
inline constexpr ReadAndWrite kAtEarlyTests = {vk::kSyncEarlyFragmentTestsDepthStencilAttachmentRead,
                                               vk::kSyncEarlyFragmentTestsDepthStencilAttachmentWrite};
inline constexpr ReadAndWrite kAtLateTests = {vk::kSyncLateFragmentTestsDepthStencilAttachmentRead,
                                              vk::kSyncLateFragmentTestsDepthStencilAttachmentWrite};

// Whether the layout makes the aspect read-only. An attachment that is not written is not stored either.
constexpr bool IsReadOnly(VkImageLayout layout, VkImageAspectFlags aspect) {
  switch (layout) {
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
      return true;
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
      return aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
      return aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
      return false;
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_ATTACHMENT_OPERATIONS_H_
