// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/memory/memory_requirements.h"

#include <bit>

#include "vk/format_info.h"

namespace assay::core {
namespace {

template <class First, class Second, class Info, class H>
Requirements Ask(const dispatch::Device& device, const Info& info, H handle) {
  VkMemoryDedicatedRequirements dedicated = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
  VkMemoryRequirements2 found = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  if (device.Includes(vk::ExtensionId::kKhrDedicatedAllocation)) found.pNext = &dedicated;
  if (device.Includes(vk::ExtensionId::kKhrGetMemoryRequirements2)) {
    dispatch::CallNext(device, Second{device.handle, &info, &found});
  } else {
    dispatch::CallNext(device, First{device.handle, handle, &found.memoryRequirements});
  }
  return {found.memoryRequirements, dedicated.requiresDedicatedAllocation == VK_TRUE};
}

}  // namespace

Requirements RequirementsOf(const dispatch::Device& device, VkBuffer buffer) {
  const VkBufferMemoryRequirementsInfo2 info = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2, nullptr,
                                                dispatch::DriverHandle(buffer)};
  return Ask<vk::GetBufferMemoryRequirements, vk::GetBufferMemoryRequirements2>(device, info, info.buffer);
}

Requirements RequirementsOf(const dispatch::Device& device, const state::Image& image, const ResourceFacts& facts,
                            VkImageAspectFlagBits plane) {
  const VkImageCreateInfo& created = image.create_info;
  const bool is_disjoint = (created.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
  if ((facts.external & (kHardwareBuffer | kScreenBuffer)) != 0) return {};
  if (is_disjoint && !(HasPlanes(created) && IsPlane(created, plane))) return {};
  const VkImagePlaneMemoryRequirementsInfo of_plane = {VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, nullptr,
                                                       plane};
  const VkImageMemoryRequirementsInfo2 info = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
                                               is_disjoint ? &of_plane : nullptr,
                                               dispatch::DriverHandle(reinterpret_cast<VkImage>(image.handle()))};
  return Ask<vk::GetImageMemoryRequirements, vk::GetImageMemoryRequirements2>(device, info, info.image);
}

bool HasPlanes(const VkImageCreateInfo& image) {
  const vk::FormatInfo* const format = vk::GetFormatInfo(image.format);
  return image.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT || (format != nullptr && !format->planes.empty());
}

bool IsPlane(const VkImageCreateInfo& image, VkImageAspectFlags aspect) {
  constexpr VkImageAspectFlags kMemoryPlanes =
      VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT |
      VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT;
  if (!HasPlanes(image)) return true;
  const VkImageAspectFlags planes = image.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
                                        ? kMemoryPlanes
                                        : vk::GetFormatInfo(image.format)->aspects & ~VK_IMAGE_ASPECT_COLOR_BIT;
  return std::has_single_bit(aspect) && (aspect & planes) != 0;
}

}  // namespace assay::core
