// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/memory/swapchain.h"

#include "vk/chain.h"

namespace assay::state {
namespace {

std::vector<VkPresentModeKHR> PresentModesOf(const VkSwapchainCreateInfoKHR& info) {
  const auto* modes = vk::FindInChain<VkSwapchainPresentModesCreateInfoEXT>(info.pNext);
  if (modes == nullptr || modes->pPresentModes == nullptr) return {};
  return {modes->pPresentModes, modes->pPresentModes + modes->presentModeCount};
}

VkImageCreateInfo ImpliedImage(const VkSwapchainCreateInfoKHR& info) {
  VkImageCreateInfo image{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  if ((info.flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR) != 0) image.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  if ((info.flags & VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR) != 0) image.flags |= VK_IMAGE_CREATE_PROTECTED_BIT;
  image.imageType = VK_IMAGE_TYPE_2D;
  image.format = info.imageFormat;
  image.extent = {info.imageExtent.width, info.imageExtent.height, 1};
  image.mipLevels = 1;
  image.arrayLayers = info.imageArrayLayers;
  image.samples = VK_SAMPLE_COUNT_1_BIT;
  image.tiling = VK_IMAGE_TILING_OPTIMAL;
  image.usage = info.imageUsage;
  image.sharingMode = info.imageSharingMode;
  image.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  return image;
}

}  // namespace

Swapchain::Swapchain(uint64_t handle, const VkSwapchainCreateInfoKHR& info)
    : Object(kType, handle),
      image_create_info(ImpliedImage(info)),
      present_mode(info.presentMode),
      present_modes(PresentModesOf(info)) {}

}  // namespace assay::state
