// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RENDER_PASSES_SUBPASS_STRUCTURES_H_
#define ASSAY_CORE_RENDER_PASSES_SUBPASS_STRUCTURES_H_

#include <algorithm>
#include <initializer_list>

#include "core/render_passes/render_pass_rules.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vulkan.h"

// What is in the chains of VkSubpassDescription2: resolves of depth and stencil, layouts of stencil, shading rates.
// Private to the package.
namespace assay::core {

inline constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
inline constexpr auto kDepthLayouts = {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                                       VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL};
inline constexpr auto kStencilLayouts = {VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL,
                                         VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL};
inline bool IsOneOf(VkImageLayout layout, std::initializer_list<VkImageLayout> layouts) {
  return std::ranges::find(layouts, layout) != layouts.end();
}

// `at`: where the subpass is.
void CheckSubpassStructures(const PassFeatures& features, const state::RenderPass& pass, const state::Subpass& subpass,
                            const VkSubpassDescription2& info, const messages::Location& at, messages::Report& report);

// What extensions say of the render pass.
void CheckPassExtensions(const PassFeatures& features, const state::RenderPass& pass,
                         const VkRenderPassCreateInfo& info, messages::Report& report);
void CheckPassExtensions(const PassFeatures& features, const state::RenderPass& pass,
                         const VkRenderPassCreateInfo2& info, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_RENDER_PASSES_SUBPASS_STRUCTURES_H_
