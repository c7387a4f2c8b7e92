// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_IMAGE_SUBRESOURCE_ENCODER_TEST_H_
#define ASSAY_STATE_IMAGE_SUBRESOURCE_ENCODER_TEST_H_

#include "state/image/subresource_encoder.h"
#include "vk/vulkan.h"

// Images for the tests of ImageSubresourceEncoder, and its ranges by value.
namespace assay::state {

inline constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
inline constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
inline constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;

inline VkImageCreateInfo ImageInfo(VkImageType type, VkFormat format, VkExtent3D extent, uint32_t levels,
                                   uint32_t layers) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
          .imageType = type,
          .format = format,
          .extent = extent,
          .mipLevels = levels,
          .arrayLayers = layers,
          .samples = VK_SAMPLE_COUNT_1_BIT};
}

inline VkImageCreateInfo Image2d(VkFormat format, uint32_t width, uint32_t height, uint32_t levels = 1,
                                 uint32_t layers = 1) {
  return ImageInfo(VK_IMAGE_TYPE_2D, format, {width, height, 1}, levels, layers);
}

inline constexpr VkImageSubresourceRange kAll = {
    .aspectMask = VK_IMAGE_ASPECT_FLAG_BITS_MAX_ENUM,
    .levelCount = VK_REMAINING_MIP_LEVELS,
    .layerCount = VK_REMAINING_ARRAY_LAYERS,
};

inline ByteRanges Ranges(const ImageSubresourceEncoder& map, const VkImageSubresourceRange& range,
                         LayerUnit unit = LayerUnit::kArrayLayers) {
  ByteRanges ranges;
  map.AppendRanges(range, ranges, unit);
  return ranges;
}

inline ByteRanges Region(const ImageSubresourceEncoder& map, const VkImageSubresourceLayers& layers,
                         const VkOffset3D& offset, const VkExtent3D& extent) {
  ByteRanges ranges;
  map.AppendRegion(layers, offset, extent, ranges);
  return ranges;
}

inline ByteRanges Area(const ImageSubresourceEncoder& map, const VkImageSubresourceRange& range, const VkRect2D& area,
                       LayerUnit unit = LayerUnit::kArrayLayers) {
  ByteRanges ranges;
  map.AppendArea(range, area, ranges, unit);
  return ranges;
}

}  // namespace assay::state

#endif  // ASSAY_STATE_IMAGE_SUBRESOURCE_ENCODER_TEST_H_
