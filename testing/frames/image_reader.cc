// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/frames/image_reader.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "vk/format_info.h"

namespace assay::test {
namespace {

constexpr VkMemoryPropertyFlags kHostMemory =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

}  // namespace

void RequireSuccess(VkResult result, const char* command) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "frames: %s() returned %d\n", command, static_cast<int>(result));
  std::abort();
}

ImageReader::ImageReader(VkDevice device, const Functions& functions, const VkPhysicalDeviceMemoryProperties& memory)
    : device_(device), functions_(functions), memory_(memory) {}

uint32_t ImageReader::FindMemoryType(uint32_t allowed_types) const {
  for (uint32_t type = 0; type < memory_.memoryTypeCount; ++type) {
    if ((allowed_types & 1u << type) == 0) continue;
    if ((memory_.memoryTypes[type].propertyFlags & kHostMemory) == kHostMemory) return type;
  }
  std::fprintf(stderr, "frames: no memory type of a buffer is host-visible and host-coherent\n");
  std::abort();
}

ImageReader::HostBuffer ImageReader::MakeBuffer(VkDeviceSize size) const {
  HostBuffer host;
  const VkBufferCreateInfo buffer_info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  RequireSuccess(functions_.CreateBuffer(device_, &buffer_info, nullptr, &host.buffer), "vkCreateBuffer");
  VkMemoryRequirements requirements = {};
  functions_.GetBufferMemoryRequirements(device_, host.buffer, &requirements);
  const VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                            .allocationSize = requirements.size,
                                            .memoryTypeIndex = FindMemoryType(requirements.memoryTypeBits)};
  RequireSuccess(functions_.AllocateMemory(device_, &memory_info, nullptr, &host.memory), "vkAllocateMemory");
  RequireSuccess(functions_.BindBufferMemory(device_, host.buffer, host.memory, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  RequireSuccess(functions_.MapMemory(device_, host.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  host.mapped = static_cast<const uint8_t*>(mapped);
  return host;
}

// The device is idle before and after, so that nothing but the layout matters.
void ImageReader::RecordTransition(VkCommandBuffer commands, VkImage image, VkImageLayout from,
                                   VkImageLayout to) const {
  const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                        .oldLayout = from,
                                        .newLayout = to,
                                        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .image = image,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  functions_.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                                nullptr, 0, nullptr, 1, &barrier);
}

void ImageReader::RecordCopy(VkCommandBuffer commands, VkImage image, VkExtent2D extent, VkBuffer buffer) const {
  RecordTransition(commands, image, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {extent.width, extent.height, 1}};
  functions_.CmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &region);
  RecordTransition(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
  const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  functions_.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0,
                                nullptr, 0, nullptr);
}

std::vector<uint8_t> ImageReader::Read(VkQueue queue, uint32_t queue_family, VkImage image, VkFormat format,
                                       VkExtent2D extent) const {
  RequireSuccess(functions_.DeviceWaitIdle(device_), "vkDeviceWaitIdle");
  const size_t size = size_t{extent.width} * extent.height * vk::GetFormatInfo(format)->block_size;
  const HostBuffer host = MakeBuffer(size);
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                             .queueFamilyIndex = queue_family};
  VkCommandPool pool = VK_NULL_HANDLE;
  RequireSuccess(functions_.CreateCommandPool(device_, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo allocate_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                     .commandPool = pool,
                                                     .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                     .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  RequireSuccess(functions_.AllocateCommandBuffers(device_, &allocate_info, &commands), "vkAllocateCommandBuffers");
  // As the loader does with those of the application: a layer below may look for the device there.
  std::memcpy(static_cast<void*>(commands), static_cast<const void*>(device_), sizeof(void*));
  const VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  RequireSuccess(functions_.BeginCommandBuffer(commands, &begin_info), "vkBeginCommandBuffer");
  RecordCopy(commands, image, extent, host.buffer);
  RequireSuccess(functions_.EndCommandBuffer(commands), "vkEndCommandBuffer");
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  RequireSuccess(functions_.QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  RequireSuccess(functions_.QueueWaitIdle(queue), "vkQueueWaitIdle");
  std::vector<uint8_t> texels(host.mapped, host.mapped + size);
  functions_.DestroyCommandPool(device_, pool, nullptr);
  functions_.DestroyBuffer(device_, host.buffer, nullptr);
  functions_.FreeMemory(device_, host.memory, nullptr);
  return texels;
}

}  // namespace assay::test
