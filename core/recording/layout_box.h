// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_LAYOUT_BOX_H_
#define ASSAY_CORE_RECORDING_LAYOUT_BOX_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "vk/vulkan.h"

// Parts of an image that have one layout.
namespace assay::core {

// Aspects whose layouts may differ: kFirst is color or depth.
enum class LayoutAspect : uint8_t { kFirst, kStencil };

// Levels and layers of one aspect; ends are exclusive.
struct LayoutBox {
  LayoutAspect aspect = LayoutAspect::kFirst;
  uint16_t level_begin = 0, level_end = 0;
  uint32_t layer_begin = 0, layer_end = 0;

  bool operator==(const LayoutBox&) const = default;
  bool is_empty() const { return level_begin >= level_end || layer_begin >= layer_end; }
};
using LayoutBoxes = absl::InlinedVector<LayoutBox, 4>;

// The common part of both; empty where there is none.
inline LayoutBox Intersect(const LayoutBox& a, const LayoutBox& b) {
  if (a.aspect != b.aspect) return {};
  return {a.aspect, std::max(a.level_begin, b.level_begin), std::min(a.level_end, b.level_end),
          std::max(a.layer_begin, b.layer_begin), std::min(a.layer_end, b.layer_end)};
}
// The rest of a box without a part of it, in four pieces at most.
LayoutBoxes Without(const LayoutBox& box, const LayoutBox& part);

// The layout of one aspect, in the form in which layouts are compared: "DEPTH_STENCIL_ATTACHMENT_OPTIMAL" of a depth
// aspect is "DEPTH_ATTACHMENT_OPTIMAL".
VkImageLayout LayoutOfAspect(LayoutAspect aspect, bool is_color, VkImageLayout layout);
inline VkImageLayout LayoutOf(LayoutAspect aspect, bool is_color, VkImageLayout layout) {
  // Most barriers are between layouts that have one form.
  constexpr uint32_t kOneForm = 1u << VK_IMAGE_LAYOUT_UNDEFINED | 1u << VK_IMAGE_LAYOUT_GENERAL |
                                1u << VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL |
                                1u << VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL |
                                1u << VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL | 1u << VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  if (static_cast<uint32_t>(layout) < 32 && (kOneForm >> layout & 1) != 0) return layout;
  return LayoutOfAspect(aspect, is_color, layout);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_LAYOUT_BOX_H_
