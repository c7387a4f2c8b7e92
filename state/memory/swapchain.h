// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_SWAPCHAIN_H_
#define ASSAY_STATE_MEMORY_SWAPCHAIN_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "state/objects/object.h"
#include "state/objects/queue.h"
#include "vk/vulkan.h"

namespace assay::state {

// The progress of a swapchain's images and presents. QueueTracker keeps it, and its mutex guards it.
struct SwapchainProgress {
  struct Image {
    VkImage image = VK_NULL_HANDLE;
    // The batch that presented the image last, and the batches that this waited for.
    QueuePoint presented;
    QueuePoints after;
    // Acquired by the application, and neither presented nor released since.
    bool is_acquired = false;
  };
  struct Present {
    uint64_t id;
    QueuePoints after;
    // The first present whose points are among them: only a limited number of presents is kept.
    uint64_t first_id = id;
  };
  std::vector<Image> images;
  // Whether `images` has all images of the swapchain.
  bool is_complete = false;
  // Presents with an id, as long as the host does not know that they are shown.
  std::deque<Present> presents;
};

class Swapchain : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SWAPCHAIN_KHR;
  Swapchain(uint64_t handle, const VkSwapchainCreateInfoKHR& info);

  // The parameters of vkCreateImage that its images correspond to ("VkSwapchainKHR", table of implied image
  // parameters).
  const VkImageCreateInfo image_create_info;
  const VkPresentModeKHR present_mode;
  // The modes among which presents may choose (VkSwapchainPresentModesCreateInfoEXT); empty without that structure.
  const std::vector<VkPresentModeKHR> present_modes;
  // Whether application and presentation engine access the one image at the same time
  // (VK_KHR_shared_presentable_image).
  bool is_shared() const {
    return present_mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
           present_mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
  }
  SwapchainProgress progress;
  // Was VkSwapchainCreateInfoKHR::oldSwapchain.
  bool is_retired = false;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_SWAPCHAIN_H_
