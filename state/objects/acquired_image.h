// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_ACQUIRED_IMAGE_H_
#define ASSAY_STATE_OBJECTS_ACQUIRED_IMAGE_H_

#include <cstdint>

#include "state/objects/queue.h"
#include "vk/vulkan.h"

namespace assay::state {

// An image that vkAcquireNextImageKHR returned.
struct AcquiredImage {
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  uint32_t index = 0;
  // Null until the application has called vkGetSwapchainImagesKHR.
  VkImage image = VK_NULL_HANDLE;
  // The batch that presented the image before; its queue is null for none.
  QueuePoint presented;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_ACQUIRED_IMAGE_H_
