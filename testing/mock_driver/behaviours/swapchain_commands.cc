// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces and swapchains. A swapchain's value counts the images acquired from it so far.

#include "testing/mock_driver/behaviours/implemented_commands.h"
#include "testing/mock_driver/behaviours/memory.h"
#include "testing/mock_driver/behaviours/write_array.h"
#include "testing/mock_driver/generic.h"
#include "testing/mock_driver/mock_driver.h"
#include "testing/mock_driver/objects.h"
#include "testing/mock_driver/pending_work.h"

namespace assay::test {
namespace {

MockConfig& Config() { return MockDriver::Get().config(); }

VkImageCreateInfo ImageOf(const VkSwapchainCreateInfoKHR& info) {
  return {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = info.imageFormat,
      .extent = {info.imageExtent.width, info.imageExtent.height, 1},
      .mipLevels = 1,
      .arrayLayers = info.imageArrayLayers,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = info.imageUsage,
  };
}

void Adjust(void* chain) {
  auto* next = static_cast<VkBaseOutStructure*>(chain);
  for (; next != nullptr && Config().adjust_properties; next = next->pNext) Config().adjust_properties(next);
}

VkSwapchainKHR CreateSwapchain(const VkSwapchainCreateInfoKHR& info) {
  Object* swapchain;
  uint64_t handle = ObjectTable::Get().Create(VK_OBJECT_TYPE_SWAPCHAIN_KHR, &swapchain);
  for (uint32_t i = 0; i < info.minImageCount; ++i) {
    Object* image;
    swapchain->children.push_back(ObjectTable::Get().Create(VK_OBJECT_TYPE_IMAGE, &image));
    image->parent = handle;
    image->image = ImageOf(info);
    image->size = ImageSize(image->image);
  }
  return ToHandle<VkSwapchainKHR>(handle);
}

VkResult Acquire(VkSwapchainKHR swapchain, VkSemaphore semaphore, VkFence fence, uint32_t* index) {
  Object* object = FindObject(swapchain);
  if (object == nullptr || object->children.empty()) return VK_ERROR_OUT_OF_DATE_KHR;
  *index = static_cast<uint32_t>(object->value++ % object->children.size());
  PendingWork::Get().Signal(ToInteger(semaphore), 1);
  PendingWork::Get().Signal(ToInteger(fence), 1);
  return VK_SUCCESS;
}

}  // namespace

VkResult Execute(const vk::GetPhysicalDeviceSurfaceSupportKHR& call) {
  *call.pSupported = (Config().presenting_families >> call.queueFamilyIndex) & 1;
  return VK_SUCCESS;
}

VkResult Execute(const vk::GetPhysicalDeviceSurfaceCapabilitiesKHR& call) {
  *call.pSurfaceCapabilities = Config().surface_capabilities;
  return VK_SUCCESS;
}

VkResult Execute(const vk::GetPhysicalDeviceSurfaceCapabilities2KHR& call) {
  ClearOutputChain(call.pSurfaceCapabilities);
  call.pSurfaceCapabilities->surfaceCapabilities = Config().surface_capabilities;
  Adjust(call.pSurfaceCapabilities);
  return VK_SUCCESS;
}

VkResult Execute(const vk::GetPhysicalDeviceSurfaceFormatsKHR& call) {
  const auto& formats = Config().surface_formats;
  return WriteArray(call.pSurfaceFormatCount, call.pSurfaceFormats, formats.size(),
                    [&](VkSurfaceFormatKHR& format, uint32_t i) { format = formats[i]; });
}

VkResult Execute(const vk::GetPhysicalDeviceSurfaceFormats2KHR& call) {
  const auto& formats = Config().surface_formats;
  return WriteArray(call.pSurfaceFormatCount, call.pSurfaceFormats, formats.size(),
                    [&](VkSurfaceFormat2KHR& format, uint32_t i) { format.surfaceFormat = formats[i]; });
}

VkResult Execute(const vk::GetPhysicalDeviceSurfacePresentModesKHR& call) {
  const auto& modes = Config().present_modes;
  return WriteArray(call.pPresentModeCount, call.pPresentModes, modes.size(),
                    [&](VkPresentModeKHR& mode, uint32_t i) { mode = modes[i]; });
}

VkResult Execute(const vk::GetPhysicalDeviceDisplayPropertiesKHR& call) {
  VkDisplayPropertiesKHR& display = Config().display;
  if (display.display == VK_NULL_HANDLE)
    display.display = ToHandle<VkDisplayKHR>(ObjectTable::Get().Create(VK_OBJECT_TYPE_DISPLAY_KHR));
  return WriteArray(call.pPropertyCount, call.pProperties, Config().display_planes.empty() ? 0 : 1,
                    [&](VkDisplayPropertiesKHR& properties, uint32_t) { properties = display; });
}

VkResult Execute(const vk::GetPhysicalDeviceDisplayPlanePropertiesKHR& call) {
  const auto& planes = Config().display_planes;
  return WriteArray(call.pPropertyCount, call.pProperties, planes.size(),
                    [&](VkDisplayPlanePropertiesKHR& plane, uint32_t i) { plane = planes[i]; });
}

VkResult Execute(const vk::GetDisplayModeProperties2KHR& call) {
  return WriteArray(call.pPropertyCount, call.pProperties, Config().display_planes.empty() ? 0 : 1,
                    [](VkDisplayModeProperties2KHR& properties, uint32_t) {
                      const uint64_t mode = ObjectTable::Get().Create(VK_OBJECT_TYPE_DISPLAY_MODE_KHR);
                      properties.displayModeProperties = {ToHandle<VkDisplayModeKHR>(mode), {{640, 480}, 60000}};
                    });
}

VkResult Execute(const vk::GetDisplayPlaneCapabilitiesKHR& call) {
  *call.pCapabilities = Config().display_plane_capabilities;
  return VK_SUCCESS;
}

VkResult Execute(const vk::GetDeviceGroupPresentCapabilitiesKHR& call) {
  ClearOutputChain(call.pDeviceGroupPresentCapabilities);
  Adjust(call.pDeviceGroupPresentCapabilities);
  return VK_SUCCESS;
}

VkResult Execute(const vk::CreateSwapchainKHR& call) {
  *call.pSwapchain = CreateSwapchain(*call.pCreateInfo);
  return VK_SUCCESS;
}

VkResult Execute(const vk::CreateSharedSwapchainsKHR& call) {
  for (uint32_t i = 0; i < call.swapchainCount; ++i) call.pSwapchains[i] = CreateSwapchain(call.pCreateInfos[i]);
  return VK_SUCCESS;
}

VkResult Execute(const vk::GetSwapchainImagesKHR& call) {
  const Object* swapchain = FindObject(call.swapchain);
  if (swapchain == nullptr) return VK_ERROR_SURFACE_LOST_KHR;
  return WriteArray(call.pSwapchainImageCount, call.pSwapchainImages, swapchain->children.size(),
                    [&](VkImage& image, uint32_t i) { image = ToHandle<VkImage>(swapchain->children[i]); });
}

VkResult Execute(const vk::AcquireNextImageKHR& call) {
  return Acquire(call.swapchain, call.semaphore, call.fence, call.pImageIndex);
}

VkResult Execute(const vk::AcquireNextImage2KHR& call) {
  const VkAcquireNextImageInfoKHR& info = *call.pAcquireInfo;
  return Acquire(info.swapchain, info.semaphore, info.fence, call.pImageIndex);
}

VkResult Execute(const vk::QueuePresentKHR& call) {
  const VkPresentInfoKHR& info = *call.pPresentInfo;
  for (uint32_t i = 0; info.pResults != nullptr && i < info.swapchainCount; ++i) info.pResults[i] = VK_SUCCESS;
  return VK_SUCCESS;
}

VkBool32 Execute(const vk::GetPhysicalDeviceXcbPresentationSupportKHR&) { return VK_TRUE; }
VkBool32 Execute(const vk::GetPhysicalDeviceXlibPresentationSupportKHR&) { return VK_TRUE; }
VkBool32 Execute(const vk::GetPhysicalDeviceWaylandPresentationSupportKHR&) { return VK_TRUE; }

}  // namespace assay::test
