// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_RENDER_PASS_DYNAMIC_RENDERING_H_
#define ASSAY_STATE_RENDER_PASS_DYNAMIC_RENDERING_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "state/memory/image.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

// Dynamic rendering (VK_KHR_dynamic_rendering): its attachments, and the numbers by which shaders name them.
namespace assay::state {

// Color attachments with this index or a larger one are not tracked; no device has as many.
inline constexpr size_t kMaxColorAttachments = 16;

// A number for each color attachment.
using ColorAttachmentMap = std::array<uint32_t, kMaxColorAttachments>;

// Maps each attachment to its own index.
constexpr ColorAttachmentMap IdentityMap() {
  ColorAttachmentMap map = {};
  for (uint32_t i = 0; i < map.size(); ++i) map[i] = i;
  return map;
}

// An attachment of dynamic rendering.
struct RenderingAttachment {
  // Null if there is none, and in a secondary command buffer that inherits the rendering and knows only its formats.
  Ref<ImageView> view;
  // Of the view, or inherited; VK_FORMAT_UNDEFINED if there is no attachment.
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkResolveModeFlagBits resolve_mode = VK_RESOLVE_MODE_NONE;
  // Null if resolve_mode is VK_RESOLVE_MODE_NONE.
  Ref<ImageView> resolve_view;
  VkImageLayout resolve_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkAttachmentLoadOp load_op = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkAttachmentStoreOp store_op = VK_ATTACHMENT_STORE_OP_DONT_CARE;
};

// The attachments of dynamic rendering.
struct DynamicRendering {
  VkRenderingFlags flags = 0;
  // By index. An attachment has no view if the application gave VK_NULL_HANDLE.
  absl::InlinedVector<RenderingAttachment, 4> colors;
  RenderingAttachment depth;
  RenderingAttachment stencil;
  Ref<ImageView> fragment_shading_rate;
  VkImageLayout shading_rate_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  // Texels of the render area that one texel of the fragment shading rate attachment stands for.
  VkExtent2D shading_rate_texel_size = {0, 0};
  Ref<ImageView> fragment_density_map;
  VkImageLayout density_map_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  // Of VkMultisampledRenderToSingleSampledInfoEXT, if that enables the feature; else 0.
  VkSampleCountFlags single_sampled_rasterization_samples = 0;
  // Samples of the pipelines in an inherited rendering; 0 if it is not inherited.
  VkSampleCountFlags inherited_samples = 0;

  // By color attachment: the fragment shader's location for it (vkCmdSetRenderingAttachmentLocations), and the
  // InputAttachmentIndex that reads it (vkCmdSetRenderingInputAttachmentIndices). VK_ATTACHMENT_UNUSED for none.
  ColorAttachmentMap color_locations = IdentityMap();
  ColorAttachmentMap color_input_indices = IdentityMap();
  // VK_ATTACHMENT_UNUSED if variables without an InputAttachmentIndex, or none, read the attachment.
  uint32_t depth_input_index = VK_ATTACHMENT_UNUSED;
  uint32_t stencil_input_index = VK_ATTACHMENT_UNUSED;
  // Whether variables without an InputAttachmentIndex read depth and stencil. They do until indices are set.
  bool depth_input_has_no_index = true;
  bool stencil_input_has_no_index = true;

  // The color attachment of the fragment shader's output at a location; VK_ATTACHMENT_UNUSED if none.
  uint32_t ColorAtLocation(uint32_t location) const {
    const size_t count = std::min(colors.size(), color_locations.size());
    for (uint32_t i = 0; i < count; ++i) {
      if (color_locations[i] == location) return i;
    }
    return VK_ATTACHMENT_UNUSED;
  }

  // Makes everything as it is without attachments. The memory of colors is kept.
  void Reset() {
    colors.erase(colors.begin(), colors.end());
    auto kept = std::move(colors);
    *this = DynamicRendering();
    colors = std::move(kept);
  }
};

}  // namespace assay::state

#endif  // ASSAY_STATE_RENDER_PASS_DYNAMIC_RENDERING_H_
