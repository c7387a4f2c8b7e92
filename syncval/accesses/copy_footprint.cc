// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/accesses/copy_footprint.h"

#include <algorithm>

#include "vk/format_info.h"

namespace assay::syncval {
namespace {

struct Block {
  // Texels: x, y, z.
  std::array<uint64_t, 3> extent = {1, 1, 1};
  uint64_t bytes = 0;

  uint64_t Count(uint64_t texels, size_t axis) const { return (texels + extent[axis] - 1) / extent[axis]; }
};

// The texel block of one aspect of a format, as copies use it. 0 bytes if there is no such format.
Block BlockOf(VkFormat format, VkImageAspectFlags aspect) {
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  if (info != nullptr && !info->planes.empty()) {
    const size_t plane = aspect == VK_IMAGE_ASPECT_PLANE_2_BIT ? 2 : aspect == VK_IMAGE_ASPECT_PLANE_1_BIT ? 1 : 0;
    if (plane < info->planes.size()) info = vk::GetFormatInfo(info->planes[plane].compatible);
  }
  if (info == nullptr) return {};
  Block block;
  for (size_t i = 0; i < block.extent.size(); ++i) block.extent[i] = std::max<uint64_t>(info->block_extent[i], 1);
  block.bytes = info->block_size;
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) block.bytes = 1;
  if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) {
    // Depth is packed into 2 or 4 bytes.
    block.bytes = format == VK_FORMAT_D16_UNORM || format == VK_FORMAT_D16_UNORM_S8_UINT ? 2 : 4;
  }
  return block;
}

}  // namespace

template <class Region>
Footprint BufferFootprint(const Region& region, const VkImageCreateInfo& image) {
  const VkImageSubresourceLayers& layers = region.imageSubresource;
  const Block block = BlockOf(image.format, layers.aspectMask);
  const uint32_t width = region.imageExtent.width;
  const uint32_t height = region.imageExtent.height;
  const uint64_t row_blocks = block.Count(region.bufferRowLength != 0 ? region.bufferRowLength : width, 0);
  const uint64_t slice_rows = block.Count(region.bufferImageHeight != 0 ? region.bufferImageHeight : height, 1);
  uint64_t layer_count = layers.layerCount;
  if (layers.layerCount == VK_REMAINING_ARRAY_LAYERS) {
    layer_count = image.arrayLayers - std::min(image.arrayLayers, layers.baseArrayLayer);
  }
  return {.offset = region.bufferOffset,
          .length = block.Count(width, 0) * block.bytes,
          .count = block.Count(height, 1),
          .stride = row_blocks * block.bytes,
          .repeats = block.Count(region.imageExtent.depth, 2) * layer_count,
          .repeat_stride = slice_rows * row_blocks * block.bytes};
}

template Footprint BufferFootprint(const VkBufferImageCopy& region, const VkImageCreateInfo& image);
template Footprint BufferFootprint(const VkBufferImageCopy2& region, const VkImageCreateInfo& image);

VkExtent3D TargetExtent(const VkExtent3D& extent, VkFormat source, VkImageAspectFlags source_aspect, VkFormat target,
                        VkImageAspectFlags target_aspect) {
  const Block from = BlockOf(source, source_aspect);
  const Block to = BlockOf(target, target_aspect);
  if (from.extent == to.extent) return extent;
  const auto scale = [&](uint32_t texels, size_t axis) {
    return static_cast<uint32_t>(std::min<uint64_t>(from.Count(texels, axis) * to.extent[axis], ~0u));
  };
  return {scale(extent.width, 0), scale(extent.height, 1), scale(extent.depth, 2)};
}

}  // namespace assay::syncval
