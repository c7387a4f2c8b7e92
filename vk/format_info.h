// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_FORMAT_INFO_H_
#define ASSAY_VK_FORMAT_INFO_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "vk/vulkan.h"

// Formats as the registry describes them.
namespace assay::vk {

struct FormatPlane {
  uint8_t width_divisor;
  uint8_t height_divisor;
  VkFormat compatible;
};

struct FormatComponent {
  // 'R', 'G', 'B', 'A', 'D' or 'S'.
  char name;
  // Bits; 0 when the format is compressed.
  uint8_t bits;
  // "UNORM", "SFLOAT", ...
  std::string_view numeric_format;
  // -1 when the format is single-plane.
  int8_t plane;
};

struct FormatInfo {
  std::string_view name;
  VkFormat format;
  // The format compatibility class, e.g. "32-bit", "BC1_RGB", "D24S8".
  std::string_view class_name;
  // Bytes of one texel block.
  uint16_t block_size;
  // As in the specification's table, which has 1 for PVRTC and 4:2:2 formats too. block_extent is the number of texels
  // that a block covers.
  uint16_t texels_per_block;
  // Texels.
  std::array<uint8_t, 3> block_extent;
  bool compressed;
  // Every aspect an image of the format has: COLOR, DEPTH, STENCIL, or PLANE_0.. (with COLOR) for multi-planar ones.
  VkImageAspectFlags aspects;
  std::span<const FormatComponent> components;
  // Empty for single-plane formats.
  std::span<const FormatPlane> planes;
};

// Null for VK_FORMAT_UNDEFINED and values that the registry does not have. Constant time.
const FormatInfo* GetFormatInfo(VkFormat format);
std::span<const FormatInfo> Formats();

}  // namespace assay::vk

#endif  // ASSAY_VK_FORMAT_INFO_H_
