// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/image_types.h"

#include <algorithm>

#include "spirv_instrument/corpus/description/formats.h"

namespace assay::spirv_instrument::corpus {
namespace {

struct Row {
  absl::string_view name;
  VkImageViewType type;
  VkImageType image_type;
  bool is_arrayed;
};

constexpr Row kRows[] = {
    {"1d", VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_TYPE_1D, false},
    {"2d", VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_TYPE_2D, false},
    {"3d", VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_TYPE_3D, false},
    {"cube", VK_IMAGE_VIEW_TYPE_CUBE, VK_IMAGE_TYPE_2D, false},
    {"1d_array", VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_IMAGE_TYPE_1D, true},
    {"2d_array", VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_TYPE_2D, true},
    {"cube_array", VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, VK_IMAGE_TYPE_2D, true},
};

}  // namespace

VkImageViewType ImageViewTypeByName(absl::string_view name) {
  const Row* row = std::ranges::find(kRows, name, &Row::name);
  return row == std::end(kRows) ? VK_IMAGE_VIEW_TYPE_MAX_ENUM : row->type;
}

VkImageType ImageTypeOf(VkImageViewType type) {
  const Row* row = std::ranges::find(kRows, type, &Row::type);
  return row == std::end(kRows) ? VK_IMAGE_TYPE_2D : row->image_type;
}

bool IsArrayed(VkImageViewType type) {
  const Row* row = std::ranges::find(kRows, type, &Row::type);
  return row != std::end(kRows) && row->is_arrayed;
}

VkExtent3D LevelExtent(const ImageDescription& image, uint32_t level) {
  return {std::max(image.extent.width >> level, 1u), std::max(image.extent.height >> level, 1u),
          std::max(image.extent.depth >> level, 1u)};
}

uint64_t LevelOffset(const ImageDescription& image, uint32_t level) {
  uint64_t offset = 0;
  for (uint32_t i = 0; i < level; ++i) {
    const VkExtent3D extent = LevelExtent(image, i);
    offset += uint64_t{extent.width} * extent.height * extent.depth * image.layers * TexelSize(image.format);
  }
  return offset;
}

}  // namespace assay::spirv_instrument::corpus
