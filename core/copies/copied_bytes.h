// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_COPIED_BYTES_H_
#define ASSAY_CORE_COPIES_COPIED_BYTES_H_

#include <cstdint>

#include "absl/numeric/int128.h"
#include "core/copies/copied_image.h"
#include "vk/format_info.h"
#include "vk/vulkan.h"

// Private to the package: the bytes of texels in a buffer or in the host's memory ("Buffer and Image Addressing").
namespace assay::core {

// The texels of a region. Lengths are in texels, 0 for those of the extent.
struct CopiedTexels {
  const VkImageSubresourceLayers& layers;
  const VkExtent3D& extent;
  uint32_t row_length;
  uint32_t image_height;
};

// Bytes of a texel block; 0 where they are not known.
uint32_t BlockBytes(const CopiedImage& image, VkImageAspectFlags aspects);
// The bytes from the first texel to the end of the last row of the last layer; 0 where there are no texels, and where
// the lengths are less than the extent, which is another rule. `block_bytes` are those of BlockBytes.
absl::uint128 BytesOf(const CopiedImage& image, const CopiedTexels& texels, const vk::FormatInfo& format,
                      uint32_t block_bytes);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_COPIED_BYTES_H_
