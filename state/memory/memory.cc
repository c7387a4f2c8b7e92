// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/memory/memory.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <vector>

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

std::vector<VkPresentModeKHR> PresentModesOf(const VkSwapchainCreateInfoKHR& info) {
  const auto* modes = vk::FindInChain<VkSwapchainPresentModesCreateInfoEXT>(info.pNext);
  if (modes == nullptr || modes->pPresentModes == nullptr) return {};
  return {modes->pPresentModes, modes->pPresentModes + modes->presentModeCount};
}

LayerUnit LayerUnitOf(const VkImageViewCreateInfo& info) {
  const bool is_sliced = vk::FindInChain<VkImageViewSlicedCreateInfoEXT>(info.pNext) != nullptr;
  return info.viewType == VK_IMAGE_VIEW_TYPE_3D && !is_sliced ? LayerUnit::kArrayLayers : LayerUnit::kDepthSlices;
}

VkImageUsageFlags UsageOf(const VkImageViewCreateInfo& info, const Image& image) {
  const auto* usage = vk::FindInChain<VkImageViewUsageCreateInfo>(info.pNext);
  return usage != nullptr ? usage->usage : image.create_info.usage;
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

void Set(std::atomic<bool>& flag) { flag.store(true, std::memory_order_relaxed); }

// The region of a sparse buffer is its own whatever memory it has.
void AddSharing(Buffer& buffer, Buffer::Sharing with) {
  if (!buffer.is_sparse()) buffer.AddSharing(with);
}

}  // namespace

Swapchain::Swapchain(uint64_t handle, const VkSwapchainCreateInfoKHR& info)
    : Object(kType, handle),
      image_create_info(ImpliedImage(info)),
      present_mode(info.presentMode),
      present_modes(PresentModesOf(info)) {}

DeviceMemory::DeviceMemory(uint64_t handle, const VkMemoryAllocateInfo& info, VkMemoryPropertyFlags properties_of_type,
                           AddressSpace& space)
    : Object(kType, handle),
      size(std::min(info.allocationSize, AddressSpace::kMaxRegion)),
      memory_type(info.memoryTypeIndex),
      properties(properties_of_type),
      address(space.Allocate(size)),
      is_imported(vk::FindInChain<VkImportMemoryFdInfoKHR>(info.pNext) != nullptr ||
                  vk::FindInChain<VkImportMemoryHostPointerInfoEXT>(info.pNext) != nullptr),
      is_exportable(vk::FindInChain<VkExportMemoryAllocateInfo>(info.pNext) != nullptr) {}

void DeviceMemory::Add(Buffer& buffer, const ByteRange& range) {
  absl::MutexLock lock(&mutex_);
  buffers_.ForEachOverlap(range.begin, range.end, [&](Buffer& other) {
    AddSharing(other, Buffer::kWithBuffers);
    AddSharing(buffer, Buffer::kWithBuffers);
  });
  images_.ForEachOverlap(range.begin, range.end, [&](Image& image) {
    Set(image.aliases);
    Set(image.shares_memory_);
    AddSharing(buffer, Buffer::kWithImages);
  });
  buffers_.Add(range.begin, range.end - range.begin, &buffer);
}

void DeviceMemory::Remove(const Buffer& buffer, uint64_t begin) {
  absl::MutexLock lock(&mutex_);
  buffers_.Remove(begin, &buffer);
}

void DeviceMemory::Add(Image& image, uint64_t begin, VkDeviceSize bytes) {
  absl::MutexLock lock(&mutex_);
  images_.ForEachOverlap(begin, begin + bytes, [&](Image& other) {
    Set(other.aliases);
    Set(image.aliases);
    if (image.HasContentsOf(other)) {
      image.address = other.address;
    } else {
      Set(other.shares_memory_);
      Set(image.shares_memory_);
    }
  });
  buffers_.ForEachOverlap(begin, begin + bytes, [&](Buffer& buffer) {
    AddSharing(buffer, Buffer::kWithImages);
    Set(image.aliases);
    Set(image.shares_memory_);
  });
  images_.Add(begin, bytes, &image);
}

void DeviceMemory::Remove(const Image& image, uint64_t begin) {
  absl::MutexLock lock(&mutex_);
  images_.Remove(begin, &image);
}

std::vector<BoundResource> DeviceMemory::FindBound(const ByteRange& bytes) const {
  std::vector<BoundResource> found;
  absl::MutexLock lock(&mutex_);
  buffers_.ForEachOverlap(bytes.begin, bytes.end, [&](const Buffer& buffer) {
    // A sparse buffer may have any of them.
    const ByteRange own = {buffer.address, buffer.address + buffer.size};
    found.push_back({Buffer::kType, buffer.handle(), buffer.is_sparse() ? bytes : own});
  });
  images_.ForEachOverlap(bytes.begin, bytes.end, [&](const Image& image) {
    for (const Image::Binding& binding : image.bindings_) {
      const bool is_there = binding.bytes.begin < bytes.end && bytes.begin < binding.bytes.end;
      if (binding.memory.get() == this && is_there) found.push_back({Image::kType, image.handle(), binding.bytes});
    }
  });
  return found;
}

void Image::BindTo(DeviceMemory& target, uint64_t begin, VkDeviceSize bytes, const ByteRange& texel_bytes) {
  if (bytes == 0) return;
  bindings_.push_back({Ref<DeviceMemory>(&target), {begin, begin + bytes}});
  texel_bytes_ = texel_bytes;
  target.Add(*this, begin, bytes);
}

bool Image::HasContentsOf(const Image& other) const {
  const VkImageCreateInfo& a = create_info;
  const VkImageCreateInfo& b = other.create_info;
  const auto what = [](const VkImageCreateInfo& info) {
    return std::tuple(info.flags, info.imageType, info.format, info.extent.width, info.extent.height, info.extent.depth,
                      info.mipLevels, info.arrayLayers, info.samples, info.tiling, info.usage, info.sharingMode,
                      info.initialLayout);
  };
  return (a.flags & VK_IMAGE_CREATE_ALIAS_BIT) != 0 && what(a) == what(b) && bindings_.size() == 1 &&
         other.bindings_.size() == 1 && bindings_[0].bytes.begin == other.bindings_[0].bytes.begin;
}

Image::~Image() {
  for (const Binding& binding : bindings_) binding.memory->Remove(*this, binding.bytes.begin);
}

void Buffer::BindTo(DeviceMemory& target, uint64_t begin) {
  // Binding twice is an error, and must not leave a trace in the first memory.
  if (memory) memory->Remove(*this, address);
  memory = Ref<DeviceMemory>(&target);
  address = begin;
  target.Add(*this, {begin, begin + size});
}

ImageView::ImageView(uint64_t handle, const VkImageViewCreateInfo& info, Ref<Image> of)
    : Object(kType, handle),
      image(std::move(of)),
      flags(info.flags),
      view_type(info.viewType),
      format(info.format),
      subresource_range(info.subresourceRange),
      usage(UsageOf(info, *image)),
      layers_(SubresourceRange(info)),
      layer_unit_(LayerUnitOf(info)) {
  image->encoder.AppendRanges(layers_, ranges, layer_unit_);
  for (ByteRange& range : ranges) {
    range.begin += image->address;
    range.end += image->address;
  }
}

void ImageView::AppendAttachment(VkImageAspectFlags aspects, const VkRect2D& area, uint32_t layer_count,
                                 uint32_t view_mask, AddressRanges& out) const {
  constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  VkImageSubresourceRange range = layers_;
  if ((image->encoder.aspects() & kDepthStencil) != 0) range.aspectMask = aspects & kDepthStencil;
  range.levelCount = 1;
  ByteRanges found;
  // VK_REMAINING_ARRAY_LAYERS is the largest number.
  const auto append = [&](uint32_t first, uint32_t count) {
    if (first >= layers_.layerCount) return;
    range.baseArrayLayer = layers_.baseArrayLayer + first;
    range.layerCount = std::min(count, layers_.layerCount - first);
    image->encoder.AppendArea(range, area, found, layer_unit_);
  };
  if (view_mask == 0) append(0, layer_count);
  // Views that follow each other are layers that do.
  while (view_mask != 0) {
    const auto first = static_cast<uint32_t>(std::countr_zero(view_mask));
    const auto count = static_cast<uint32_t>(std::countr_one(view_mask >> first));
    append(first, count);
    view_mask &= ~static_cast<uint32_t>(((uint64_t{1} << count) - 1) << first);
  }
  for (const ByteRange& part : found) out.push_back({image->address + part.begin, image->address + part.end});
}

}  // namespace assay::state
