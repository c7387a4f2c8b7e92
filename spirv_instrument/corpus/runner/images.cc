// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/images.h"

#include <algorithm>
#include <cstring>

#include "spirv_instrument/corpus/description/formats.h"
#include "spirv_instrument/corpus/description/image_types.h"
#include "spirv_instrument/corpus/runner/device.h"

namespace assay::spirv_instrument::corpus {
namespace {

bool IsCube(VkImageViewType type) { return type == VK_IMAGE_VIEW_TYPE_CUBE || type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY; }

// Every usage that the format has features for.
VkImageUsageFlags UsageOf(const Device& device, const ImageDescription& description) {
  VkFormatProperties properties = {};
  device.vk().GetPhysicalDeviceFormatProperties(device.physical_device(), description.format, &properties);
  const VkFormatFeatureFlags features = properties.optimalTilingFeatures;
  VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if (features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  if (description.type == VK_IMAGE_VIEW_TYPE_3D || description.type == VK_IMAGE_VIEW_TYPE_1D) return usage;
  if (features & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) {
    usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  }
  return usage;
}

void Transition(Objects& objects, VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect,
                VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
  };
  objects.vk().CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                                  0, nullptr, 0, nullptr, 1, &barrier);
}

// A region for each level.
std::vector<VkBufferImageCopy> Regions(const ImageDescription& description) {
  std::vector<VkBufferImageCopy> regions;
  regions.reserve(description.levels);
  for (uint32_t level = 0; level < description.levels; ++level) {
    regions.push_back({.bufferOffset = LevelOffset(description, level),
                       .imageSubresource = {AspectOf(description.format), level, 0, description.layers},
                       .imageExtent = LevelExtent(description, level)});
  }
  return regions;
}

// An image with several samples cannot be copied to. All samples are cleared to one texel, of a format with components
// of 32 bits.
absl::Status ClearImage(Objects& objects, VkImage image, absl::Span<const uint8_t> texel) {
  return objects.Execute([&](VkCommandBuffer commands) {
    VkClearColorValue color = {};
    std::memcpy(&color, texel.data(), std::min(texel.size(), sizeof(color)));
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
    Transition(objects, commands, image, range.aspectMask, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    objects.vk().CmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    Transition(objects, commands, image, range.aspectMask, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
  });
}

}  // namespace

absl::StatusOr<VkImage> MakeImage(Objects& objects, const ImageDescription& description) {
  const test::Functions& vk = objects.vk();
  const VkDevice device = objects.device().handle();
  VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = IsCube(description.type) ? VkImageCreateFlags{VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT} : 0,
      .imageType = ImageTypeOf(description.type),
      .format = description.format,
      .extent = description.extent,
      .mipLevels = description.levels,
      .arrayLayers = description.layers,
      .samples = description.samples,
      .usage = UsageOf(objects.device(), description),
  };
  VkImage image = VK_NULL_HANDLE;
  absl::Status status = Check(vk.CreateImage(device, &info, nullptr, &image), "vkCreateImage");
  if (!status.ok()) return status;
  objects.Defer([&objects, image] { objects.vk().DestroyImage(objects.device().handle(), image, nullptr); });
  VkMemoryRequirements requirements = {};
  vk.GetImageMemoryRequirements(device, image, &requirements);
  VkMemoryAllocateInfo memory_info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = requirements.size,
      .memoryTypeIndex =
          objects.device().FindMemoryType(requirements.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT),
  };
  VkDeviceMemory memory = VK_NULL_HANDLE;
  status = Check(vk.AllocateMemory(device, &memory_info, nullptr, &memory), "vkAllocateMemory");
  if (!status.ok()) return status;
  objects.Defer([&objects, memory] { objects.vk().FreeMemory(objects.device().handle(), memory, nullptr); });
  status = Check(vk.BindImageMemory(device, image, memory, 0), "vkBindImageMemory");
  if (!status.ok()) return status;
  return image;
}

absl::Status FillImage(Objects& objects, const ImageDescription& description, VkImage image,
                       absl::Span<const uint8_t> bytes) {
  if (description.samples != VK_SAMPLE_COUNT_1_BIT) return ClearImage(objects, image, bytes);
  absl::StatusOr<MappedBuffer> staging = objects.MakeBuffer(LevelOffset(description, description.levels));
  if (!staging.ok()) return staging.status();
  std::ranges::copy(bytes, staging->memory);
  return objects.Execute([&](VkCommandBuffer commands) {
    const VkImageAspectFlags aspect = AspectOf(description.format);
    const std::vector<VkBufferImageCopy> regions = Regions(description);
    Transition(objects, commands, image, aspect, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    objects.vk().CmdCopyBufferToImage(commands, staging->handle, image, VK_IMAGE_LAYOUT_GENERAL,
                                      static_cast<uint32_t>(regions.size()), regions.data());
    Transition(objects, commands, image, aspect, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
  });
}

absl::StatusOr<std::vector<uint8_t>> ReadImage(Objects& objects, const ImageDescription& description, VkImage image) {
  const uint64_t size = LevelOffset(description, description.levels);
  absl::StatusOr<MappedBuffer> staging = objects.MakeBuffer(size);
  if (!staging.ok()) return staging.status();
  absl::Status status = objects.Execute([&](VkCommandBuffer commands) {
    const std::vector<VkBufferImageCopy> regions = Regions(description);
    Transition(objects, commands, image, AspectOf(description.format), VK_IMAGE_LAYOUT_GENERAL,
               VK_IMAGE_LAYOUT_GENERAL);
    objects.vk().CmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, staging->handle,
                                      static_cast<uint32_t>(regions.size()), regions.data());
    VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    objects.vk().CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                    &to_host, 0, nullptr, 0, nullptr);
  });
  if (!status.ok()) return status;
  return std::vector<uint8_t>(staging->memory, staging->memory + size);
}

absl::StatusOr<VkImageView> MakeView(Objects& objects, const ImageDescription& description, VkImage image,
                                     const Element& element) {
  const VkDevice device = objects.device().handle();
  const bool one_level = !element.all_levels || element.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  const VkImageViewType type = element.view_type == VK_IMAGE_VIEW_TYPE_MAX_ENUM ? description.type : element.view_type;
  const bool one_layer = !IsArrayed(type) && !IsCube(type);
  VkImageViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image,
      .viewType = type,
      .format = description.format,
      .subresourceRange = {AspectOf(description.format), element.level, one_level ? 1 : VK_REMAINING_MIP_LEVELS, 0,
                           one_layer ? 1 : VK_REMAINING_ARRAY_LAYERS},
  };
  if (type == VK_IMAGE_VIEW_TYPE_CUBE) info.subresourceRange.layerCount = 6;
  VkImageView view = VK_NULL_HANDLE;
  absl::Status status = Check(objects.vk().CreateImageView(device, &info, nullptr, &view), "vkCreateImageView");
  if (!status.ok()) return status;
  objects.Defer([&objects, view] { objects.vk().DestroyImageView(objects.device().handle(), view, nullptr); });
  return view;
}

}  // namespace assay::spirv_instrument::corpus
