// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_TRACKED_IMAGES_H_
#define ASSAY_CORE_LAYOUTS_TRACKED_IMAGES_H_

#include <string>

#include "core/recording/layout_box.h"
#include "core/recording/layout_entries.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Images whose layouts are tracked, and the texts of messages about them.
namespace assay::core {

// The image if the layer sees all changes of its layouts, else null.
const state::Image* TrackedImage(const state::Image* image);
const state::Image* TrackedImage(VkImage image);

// Levels and layers of an image. The slices of a 3D image are one layer, even for views that have them as layers.
LayoutBox BoxOf(const state::Image& image, LayoutAspect aspect, const VkImageSubresourceRange& range);

// Sets the layouts of an image that no batch has accessed yet.
void InitializeLayouts(const state::Image& image, LayoutEntries& entries);

// Calls visit(box, is_color) for each aspect.
template <class F>
void ForEachBox(const state::Image& image, const VkImageSubresourceRange& range, F&& visit) {
  constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  const bool is_color = (range.aspectMask & (VK_IMAGE_ASPECT_DEPTH_BIT | kStencil)) == 0;
  if ((range.aspectMask & ~kStencil) != 0) visit(BoxOf(image, LayoutAspect::kFirst, range), is_color);
  if ((range.aspectMask & kStencil) != 0) visit(BoxOf(image, LayoutAspect::kStencil, range), false);
}

std::string LayoutText(VkImageLayout layout);
// "vkCmdCopyImage()".
std::string CommandText(vk::CommandId command);
// "mip level 2, array layer 0 of VkImage 0x…".
std::string SubresourceText(const LayoutBox& box, messages::ObjectRef image, const messages::Reporter& reporter);
// How to fix a mismatch.
std::string FixText(const LayoutMismatch& mismatch);

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_TRACKED_IMAGES_H_
