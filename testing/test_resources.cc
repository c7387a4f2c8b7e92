// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Buffers, images, synchronization objects, command buffers and swapchains of a TestDevice.

#include <bit>

#include "gtest/gtest.h"
#include "testing/test_device.h"
#include "vk/format_info.h"

namespace assay::test {
namespace {

constexpr VkBufferUsageFlags kCommonBufferUsage =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
    VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
    VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;

bool IsDepthOrStencil(VkFormat format) {
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  return info != nullptr && (info->aspects & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)) != 0;
}

VkImageUsageFlags CommonImageUsage(VkFormat format) {
  constexpr VkImageUsageFlags kAny = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  if (IsDepthOrStencil(format)) return kAny | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  return kAny | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
}

VkImageAspectFlags AspectsOf(VkFormat format) {
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  if (info == nullptr || !info->planes.empty()) return VK_IMAGE_ASPECT_COLOR_BIT;
  return info->aspects;
}

}  // namespace

VkImageSubresourceRange Image::Range() const {
  return {AspectsOf(info.format), 0, info.mipLevels, 0, info.arrayLayers};
}

VkImageSubresourceLayers Image::Layers(uint32_t mip_level) const {
  return {AspectsOf(info.format), mip_level, 0, info.arrayLayers};
}

VkBuffer TestDevice::MakeUnboundBuffer(const VkBufferCreateInfo& info) {
  return MakeFrom(info, vk.CreateBuffer, vk.DestroyBuffer);
}

VkDeviceMemory TestDevice::MakeMemory(VkDeviceSize size, uint32_t type, const void* next) {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next, size, type};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  EXPECT_EQ(vk.AllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
  Defer(memory, [=, this] { vk.FreeMemory(device, memory, nullptr); });
  return memory;
}

VkDeviceMemory TestDevice::MakeMemory(const VkMemoryRequirements& requirements, const void* next) {
  constexpr VkMemoryPropertyFlags kWanted = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
  VkPhysicalDeviceMemoryProperties properties = {};
  vk.GetPhysicalDeviceMemoryProperties(physical_device, &properties);
  uint32_t type = static_cast<uint32_t>(std::countr_zero(requirements.memoryTypeBits));
  for (uint32_t i = properties.memoryTypeCount; i-- > 0;) {
    bool allowed = (requirements.memoryTypeBits >> i & 1) != 0;
    if (allowed && (properties.memoryTypes[i].propertyFlags & kWanted) == kWanted) type = i;
  }
  return MakeMemory(requirements.size, type, next);
}

VkMemoryRequirements TestDevice::RequirementsOf(VkBuffer buffer) {
  VkMemoryRequirements requirements = {};
  vk.GetBufferMemoryRequirements(device, buffer, &requirements);
  return requirements;
}

VkMemoryRequirements TestDevice::RequirementsOf(VkImage image) {
  VkMemoryRequirements requirements = {};
  vk.GetImageMemoryRequirements(device, image, &requirements);
  return requirements;
}

Buffer TestDevice::MakeBuffer(const VkBufferCreateInfo& info) {
  VkBuffer buffer = MakeUnboundBuffer(info);
  VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                     .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  bool has_address = (info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
  VkDeviceMemory memory = MakeMemory(RequirementsOf(buffer), has_address ? &flags : nullptr);
  EXPECT_EQ(vk.BindBufferMemory(device, buffer, memory, 0), VK_SUCCESS);
  return {buffer, memory, info.size};
}

Buffer TestDevice::MakeBuffer(VkDeviceSize size, VkBufferUsageFlags usage) {
  return MakeBuffer(VkBufferCreateInfo{.size = size, .usage = usage != 0 ? usage : kCommonBufferUsage});
}

VkDeviceAddress TestDevice::AddressOf(VkBuffer buffer) {
  const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return vk.GetBufferDeviceAddress(device, &info);
}

VkImage TestDevice::MakeUnboundImage(const VkImageCreateInfo& info) {
  return MakeFrom(info, vk.CreateImage, vk.DestroyImage);
}

Image TestDevice::MakeImage(const VkImageCreateInfo& info) {
  VkImage image = MakeUnboundImage(info);
  VkDeviceMemory memory = MakeMemory(RequirementsOf(image));
  EXPECT_EQ(vk.BindImageMemory(device, image, memory, 0), VK_SUCCESS);
  return {image, memory, info};
}

Image TestDevice::MakeImage(VkFormat format, uint32_t width, uint32_t height, VkImageUsageFlags usage, uint32_t levels,
                            uint32_t layers) {
  return MakeImage(VkImageCreateInfo{
      .imageType = VK_IMAGE_TYPE_2D,
      .format = format,
      .extent = {width, height, 1},
      .mipLevels = levels,
      .arrayLayers = layers,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = usage != 0 ? usage : CommonImageUsage(format),
  });
}

VkImageView TestDevice::MakeView(const VkImageViewCreateInfo& info) {
  return MakeFrom(info, vk.CreateImageView, vk.DestroyImageView);
}

VkImageView TestDevice::MakeView(const Image& image) {
  return MakeView(VkImageViewCreateInfo{
      .image = image,
      .viewType = image.info.imageType == VK_IMAGE_TYPE_3D ? VK_IMAGE_VIEW_TYPE_3D
                  : image.info.arrayLayers > 1             ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                                           : VK_IMAGE_VIEW_TYPE_2D,
      .format = image.info.format,
      .subresourceRange = image.Range(),
  });
}

VkImageView TestDevice::MakeView(VkImage image, VkFormat format, const VkImageSubresourceRange& range,
                                 VkImageViewType type, const void* next) {
  return MakeView(VkImageViewCreateInfo{
      .pNext = next, .image = image, .viewType = type, .format = format, .subresourceRange = range});
}

VkFence TestDevice::MakeFence(VkFenceCreateFlags flags) {
  return MakeFrom(VkFenceCreateInfo{.flags = flags}, vk.CreateFence, vk.DestroyFence);
}

VkSemaphore TestDevice::MakeSemaphore() {
  return MakeFrom(VkSemaphoreCreateInfo{}, vk.CreateSemaphore, vk.DestroySemaphore);
}

VkSemaphore TestDevice::MakeTimeline(uint64_t initial_value) {
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, VK_SEMAPHORE_TYPE_TIMELINE,
                                    initial_value};
  return MakeFrom(VkSemaphoreCreateInfo{.pNext = &type}, vk.CreateSemaphore, vk.DestroySemaphore);
}

VkEvent TestDevice::MakeEvent(VkEventCreateFlags flags) {
  return MakeFrom(VkEventCreateInfo{.flags = flags}, vk.CreateEvent, vk.DestroyEvent);
}

VkQueryPool TestDevice::MakeQueryPool(VkQueryType type, uint32_t count, VkQueryPipelineStatisticFlags statistics) {
  VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, type, count, statistics};
  VkQueryPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [=, this] { vk.DestroyQueryPool(device, pool, nullptr); });
  return pool;
}

VkCommandPool TestDevice::MakeCommandPool(uint32_t family, VkCommandPoolCreateFlags flags) {
  VkCommandPoolCreateInfo info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, flags, family};
  VkCommandPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateCommandPool(device, &info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [=, this] { vk.DestroyCommandPool(device, pool, nullptr); });
  return pool;
}

VkCommandBuffer TestDevice::MakeCommandBuffer(uint32_t family, VkCommandBufferLevel level,
                                              VkCommandPoolCreateFlags pool_flags) {
  VkCommandPool pool = MakeCommandPool(family, pool_flags);
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool, level, 1};
  VkCommandBuffer command_buffer = VK_NULL_HANDLE;
  EXPECT_EQ(vk.AllocateCommandBuffers(device, &info, &command_buffer), VK_SUCCESS);
  return command_buffer;
}

void TestDevice::Begin(VkCommandBuffer command_buffer, VkCommandBufferUsageFlags flags) {
  VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, flags, &inheritance};
  EXPECT_EQ(vk.BeginCommandBuffer(command_buffer, &info), VK_SUCCESS);
}

void TestDevice::End(VkCommandBuffer command_buffer) { EXPECT_EQ(vk.EndCommandBuffer(command_buffer), VK_SUCCESS); }

VkCommandBuffer TestDevice::Record(const std::function<void(VkCommandBuffer)>& commands, uint32_t family,
                                   VkCommandBufferLevel level) {
  VkCommandBuffer command_buffer = MakeCommandBuffer(family, level);
  Begin(command_buffer);
  commands(command_buffer);
  End(command_buffer);
  return command_buffer;
}

VkResult TestDevice::Submit(VkQueue queue, std::vector<VkCommandBuffer> command_buffers, const SubmitOptions& options) {
  std::vector<VkCommandBufferSubmitInfo> infos;
  infos.reserve(command_buffers.size());
  for (VkCommandBuffer command_buffer : command_buffers) {
    infos.push_back({.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = command_buffer});
  }
  VkSubmitInfo2 submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
      .waitSemaphoreInfoCount = static_cast<uint32_t>(options.waits.size()),
      .pWaitSemaphoreInfos = options.waits.data(),
      .commandBufferInfoCount = static_cast<uint32_t>(infos.size()),
      .pCommandBufferInfos = infos.data(),
      .signalSemaphoreInfoCount = static_cast<uint32_t>(options.signals.size()),
      .pSignalSemaphoreInfos = options.signals.data(),
  };
  return vk.QueueSubmit2(queue, 1, &submit, options.fence);
}

VkSurfaceKHR TestDevice::MakeSurface() {
  VkHeadlessSurfaceCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateHeadlessSurfaceEXT(instance, &info, nullptr, &surface), VK_SUCCESS);
  Defer(surface, [=, this] { vk.DestroySurfaceKHR(instance, surface, nullptr); });
  return surface;
}

VkSwapchainKHR TestDevice::MakeSwapchain(VkSurfaceKHR surface, uint32_t image_count, VkSwapchainKHR old,
                                         const void* next) {
  VkBool32 supported = VK_FALSE;
  EXPECT_EQ(vk.GetPhysicalDeviceSurfaceSupportKHR(physical_device, 0, surface, &supported), VK_SUCCESS);
  VkSurfaceCapabilitiesKHR capabilities = {};
  EXPECT_EQ(vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(physical_device, surface, &capabilities), VK_SUCCESS);
  VkSwapchainCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .pNext = next,
      .surface = surface,
      .minImageCount = image_count,
      .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
      .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
      .imageExtent = capabilities.currentExtent,
      .imageArrayLayers = 1,
      .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
      .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = VK_PRESENT_MODE_FIFO_KHR,
      .clipped = VK_TRUE,
      .oldSwapchain = old,
  };
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateSwapchainKHR(device, &info, nullptr, &swapchain), VK_SUCCESS);
  Defer(swapchain, [=, this] { vk.DestroySwapchainKHR(device, swapchain, nullptr); });
  return swapchain;
}

std::vector<VkImage> TestDevice::SwapchainImages(VkSwapchainKHR swapchain) {
  uint32_t count = 0;
  EXPECT_EQ(vk.GetSwapchainImagesKHR(device, swapchain, &count, nullptr), VK_SUCCESS);
  std::vector<VkImage> images(count);
  EXPECT_EQ(vk.GetSwapchainImagesKHR(device, swapchain, &count, images.data()), VK_SUCCESS);
  return images;
}

}  // namespace assay::test
