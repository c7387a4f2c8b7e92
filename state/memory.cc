// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/memory.h"

#include <algorithm>

#include "vk/chain.h"

namespace assay::state {
namespace {

// A view of slices of a 3D image counts those as layers; a 3D view of some of them has them in its chain
// (VK_EXT_image_sliced_view_of_3d).
VkImageSubresourceRange SubresourceRange(const VkImageViewCreateInfo& info) {
  VkImageSubresourceRange range = info.subresourceRange;
  if (const auto* sliced = vk::FindInChain<VkImageViewSlicedCreateInfoEXT>(info.pNext)) {
    range.baseArrayLayer = sliced->sliceOffset;
    range.layerCount = sliced->sliceCount;
  }
  return range;
}

LayerMeaning MeaningOfLayers(const VkImageViewCreateInfo& info) {
  const bool is_sliced = vk::FindInChain<VkImageViewSlicedCreateInfoEXT>(info.pNext) != nullptr;
  return info.viewType == VK_IMAGE_VIEW_TYPE_3D && !is_sliced ? LayerMeaning::kArrayLayers : LayerMeaning::kDepthSlices;
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
    : Object(kType, handle), image_create_info(ImpliedImage(info)), present_mode(info.presentMode) {}

void DeviceMemory::Add(Buffer& buffer) {
  absl::MutexLock lock(&mutex_);
  largest_ = std::max(largest_, buffer.size);
  // Nothing that begins further before than the largest is long reaches here.
  const uint64_t first = buffer.address > largest_ ? buffer.address - largest_ : 0;
  for (auto it = buffers_.lower_bound(first); it != buffers_.end() && it->first < buffer.address + buffer.size; ++it) {
    if (it->first + it->second->size <= buffer.address) continue;
    it->second->shares_memory.store(true, std::memory_order_relaxed);
    buffer.shares_memory.store(true, std::memory_order_relaxed);
  }
  buffers_.emplace(buffer.address, &buffer);
}

void DeviceMemory::Remove(const Buffer& buffer) {
  absl::MutexLock lock(&mutex_);
  auto [begin, end] = buffers_.equal_range(buffer.address);
  for (auto it = begin; it != end; ++it) {
    if (it->second != &buffer) continue;
    buffers_.erase(it);
    return;
  }
}

void Buffer::BindTo(DeviceMemory& target, uint64_t begin) {
  // Binding twice is an error, and must not leave a trace in the first memory.
  if (memory) memory->Remove(*this);
  memory = Ref<DeviceMemory>(&target);
  address = begin;
  target.Add(*this);
}

ImageView::ImageView(uint64_t handle, const VkImageViewCreateInfo& info, Ref<Image> of)
    : Object(kType, handle),
      image(std::move(of)),
      view_type(info.viewType),
      format(info.format),
      subresource_range(info.subresourceRange) {
  image->layout.AppendRanges(SubresourceRange(info), ranges, MeaningOfLayers(info));
  for (ByteRange& range : ranges) {
    range.begin += image->address;
    range.end += image->address;
  }
}

}  // namespace assay::state
