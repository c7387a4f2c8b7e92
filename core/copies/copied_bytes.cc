// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/copied_bytes.h"

namespace assay::core {

uint32_t BlockBytes(const CopiedImage& image, VkImageAspectFlags aspects) {
  const vk::FormatInfo* format = image.FormatOf(aspects);
  if (format == nullptr) return 0;
  if (!image.has_depth_or_stencil()) return format->block_size;
  if (aspects == VK_IMAGE_ASPECT_STENCIL_BIT) return 1;
  const bool is_16_bit = format->format == VK_FORMAT_D16_UNORM || format->format == VK_FORMAT_D16_UNORM_S8_UINT;
  return is_16_bit ? 2 : 4;
}

absl::uint128 BytesOf(const CopiedImage& image, const CopiedTexels& texels, const vk::FormatInfo& format,
                      uint32_t block_bytes) {
  const auto blocks = [](uint32_t size, uint32_t block) { return (uint64_t{size} + block - 1) / block; };
  const VkExtent3D& extent = texels.extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0 || image.LayerCount(texels.layers) == 0) return 0;
  const uint32_t row = texels.row_length != 0 ? texels.row_length : extent.width;
  const uint32_t height = texels.image_height != 0 ? texels.image_height : extent.height;
  if (row < extent.width || height < extent.height) return 0;
  const absl::uint128 rows = blocks(height, format.block_extent[1]);
  const absl::uint128 slices =
      absl::uint128(image.LayerCount(texels.layers)) * blocks(extent.depth, format.block_extent[2]);
  const absl::uint128 rows_before = (slices - 1) * rows + blocks(extent.height, format.block_extent[1]) - 1;
  return (rows_before * blocks(row, format.block_extent[0]) + blocks(extent.width, format.block_extent[0])) *
         block_bytes;
}

}  // namespace assay::core
