// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/formats.h"

#include <algorithm>

namespace assay::spirv_instrument::corpus {
namespace {

struct Row {
  absl::string_view name;
  VkFormat format;
  uint32_t texel_size;
};

constexpr Row kRows[] = {
    {"r8", VK_FORMAT_R8_UNORM, 1},
    {"r8_snorm", VK_FORMAT_R8_SNORM, 1},
    {"r8ui", VK_FORMAT_R8_UINT, 1},
    {"r8i", VK_FORMAT_R8_SINT, 1},
    {"rg8", VK_FORMAT_R8G8_UNORM, 2},
    {"rg8_snorm", VK_FORMAT_R8G8_SNORM, 2},
    {"rg8ui", VK_FORMAT_R8G8_UINT, 2},
    {"rg8i", VK_FORMAT_R8G8_SINT, 2},
    {"rgba8", VK_FORMAT_R8G8B8A8_UNORM, 4},
    {"rgba8_snorm", VK_FORMAT_R8G8B8A8_SNORM, 4},
    {"rgba8ui", VK_FORMAT_R8G8B8A8_UINT, 4},
    {"rgba8i", VK_FORMAT_R8G8B8A8_SINT, 4},
    {"r16f", VK_FORMAT_R16_SFLOAT, 2},
    {"r16", VK_FORMAT_R16_UNORM, 2},
    {"r16_snorm", VK_FORMAT_R16_SNORM, 2},
    {"r16ui", VK_FORMAT_R16_UINT, 2},
    {"r16i", VK_FORMAT_R16_SINT, 2},
    {"rg16f", VK_FORMAT_R16G16_SFLOAT, 4},
    {"rg16", VK_FORMAT_R16G16_UNORM, 4},
    {"rg16_snorm", VK_FORMAT_R16G16_SNORM, 4},
    {"rg16ui", VK_FORMAT_R16G16_UINT, 4},
    {"rg16i", VK_FORMAT_R16G16_SINT, 4},
    {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT, 8},
    {"rgba16", VK_FORMAT_R16G16B16A16_UNORM, 8},
    {"rgba16_snorm", VK_FORMAT_R16G16B16A16_SNORM, 8},
    {"rgba16ui", VK_FORMAT_R16G16B16A16_UINT, 8},
    {"rgba16i", VK_FORMAT_R16G16B16A16_SINT, 8},
    {"r32f", VK_FORMAT_R32_SFLOAT, 4},
    {"r32ui", VK_FORMAT_R32_UINT, 4},
    {"r32i", VK_FORMAT_R32_SINT, 4},
    {"rg32f", VK_FORMAT_R32G32_SFLOAT, 8},
    {"rg32ui", VK_FORMAT_R32G32_UINT, 8},
    {"rg32i", VK_FORMAT_R32G32_SINT, 8},
    {"rgb32f", VK_FORMAT_R32G32B32_SFLOAT, 12},
    {"rgb32ui", VK_FORMAT_R32G32B32_UINT, 12},
    {"rgb32i", VK_FORMAT_R32G32B32_SINT, 12},
    {"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT, 16},
    {"rgba32ui", VK_FORMAT_R32G32B32A32_UINT, 16},
    {"rgba32i", VK_FORMAT_R32G32B32A32_SINT, 16},
    {"r64f", VK_FORMAT_R64_SFLOAT, 8},
    {"r64ui", VK_FORMAT_R64_UINT, 8},
    {"r64i", VK_FORMAT_R64_SINT, 8},
    {"rg64f", VK_FORMAT_R64G64_SFLOAT, 16},
    {"rg64ui", VK_FORMAT_R64G64_UINT, 16},
    {"rg64i", VK_FORMAT_R64G64_SINT, 16},
    {"rgb10_a2", VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4},
    {"rgb10_a2ui", VK_FORMAT_A2B10G10R10_UINT_PACK32, 4},
    {"r11f_g11f_b10f", VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4},
    {"d32f", VK_FORMAT_D32_SFLOAT, 4},
};

}  // namespace

VkFormat FormatByName(absl::string_view name) {
  const Row* row = std::ranges::find(kRows, name, &Row::name);
  return row == std::end(kRows) ? VK_FORMAT_UNDEFINED : row->format;
}

uint32_t TexelSize(VkFormat format) {
  const Row* row = std::ranges::find(kRows, format, &Row::format);
  return row == std::end(kRows) ? 0 : row->texel_size;
}

VkImageAspectFlags AspectOf(VkFormat format) {
  return format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

}  // namespace assay::spirv_instrument::corpus
