// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/memory/image.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "vk/chain.h"

namespace assay::state {
namespace {

// The range of a view. A view of slices of a 3D image counts slices as layers. A 3D view of some slices has them in its
// chain (VK_EXT_image_sliced_view_of_3d).
VkImageSubresourceRange SubresourceRange(const VkImageViewCreateInfo& info) {
  VkImageSubresourceRange range = info.subresourceRange;
  if (const auto* sliced = vk::FindInChain<VkImageViewSlicedCreateInfoEXT>(info.pNext)) {
    range.baseArrayLayer = sliced->sliceOffset;
    range.layerCount = sliced->sliceCount;
  }
  return range;
}

LayerUnit LayerUnitOf(const VkImageViewCreateInfo& info) {
  const bool is_sliced = vk::FindInChain<VkImageViewSlicedCreateInfoEXT>(info.pNext) != nullptr;
  return info.viewType == VK_IMAGE_VIEW_TYPE_3D && !is_sliced ? LayerUnit::kArrayLayers : LayerUnit::kDepthSlices;
}

VkImageUsageFlags UsageOf(const VkImageViewCreateInfo& info, const Image& image) {
  const auto* usage = vk::FindInChain<VkImageViewUsageCreateInfo>(info.pNext);
  return usage != nullptr ? usage->usage : image.create_info.usage;
}

}  // namespace

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

ImageView::ImageView(uint64_t handle, const VkImageViewCreateInfo& info, Ref<Image> of)
    : Object(kType, handle),
      image(std::move(of)),
      flags(info.flags),
      view_type(info.viewType),
      format(info.format),
      components(info.components),
      subresource_range(info.subresourceRange),
      usage(UsageOf(info, *image)),
      is_converting(vk::FindInChain<VkSamplerYcbcrConversionInfo>(info.pNext) != nullptr),
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
  // VK_REMAINING_ARRAY_LAYERS needs no special case, since it is the largest number.
  const auto append = [&](uint32_t first, uint32_t count) {
    if (first >= layers_.layerCount) return;
    range.baseArrayLayer = layers_.baseArrayLayer + first;
    range.layerCount = std::min(count, layers_.layerCount - first);
    image->encoder.AppendArea(range, area, found, layer_unit_);
  };
  if (view_mask == 0) append(0, layer_count);
  // Consecutive views are consecutive layers.
  while (view_mask != 0) {
    const auto first = static_cast<uint32_t>(std::countr_zero(view_mask));
    const auto count = static_cast<uint32_t>(std::countr_one(view_mask >> first));
    append(first, count);
    view_mask &= ~static_cast<uint32_t>(((uint64_t{1} << count) - 1) << first);
  }
  for (const ByteRange& part : found) out.push_back({image->address + part.begin, image->address + part.end});
}

}  // namespace assay::state
