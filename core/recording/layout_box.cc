// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_box.h"

namespace assay::core {

LayoutBoxes Without(const LayoutBox& box, const LayoutBox& part) {
  LayoutBoxes pieces;
  const auto add = [&](uint16_t levels_from, uint16_t levels_to, uint32_t layers_from, uint32_t layers_to) {
    const LayoutBox piece = {box.aspect, levels_from, levels_to, layers_from, layers_to};
    if (!piece.is_empty()) pieces.push_back(piece);
  };
  add(box.level_begin, part.level_begin, box.layer_begin, box.layer_end);
  add(part.level_end, box.level_end, box.layer_begin, box.layer_end);
  add(part.level_begin, part.level_end, box.layer_begin, part.layer_begin);
  add(part.level_begin, part.level_end, part.layer_end, box.layer_end);
  return pieces;
}

VkImageLayout LayoutOfAspect(LayoutAspect aspect, bool is_color, VkImageLayout layout) {
  const bool is_stencil = aspect == LayoutAspect::kStencil;
  switch (layout) {
    case VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL:
      if (is_color) return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
      if (is_color) return VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL:
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
      return is_stencil ? VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    default:
      return layout;
  }
}

}  // namespace assay::core
