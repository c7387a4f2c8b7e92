// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_PRESENTABLE_IMAGES_H_
#define ASSAY_CORE_RECORDING_PRESENTABLE_IMAGES_H_

#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::core {

// Calls visit(image) for each image that is destroyed with the swapchain. Call this before the swapchain's state is
// gone, in the hook for vkDestroySwapchainKHR, which no other use of the swapchain may overlap.
template <class F>
void ForEachPresentableImage(VkSwapchainKHR handle, const F& visit) {
  const auto* swapchain = state::DeviceState::Get<state::Swapchain>(handle);
  if (swapchain == nullptr) return;
  for (const state::SwapchainProgress::Image& each : swapchain->progress.images) {
    if (const auto* image = state::DeviceState::Get<state::Image>(each.image)) visit(*image);
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_PRESENTABLE_IMAGES_H_
