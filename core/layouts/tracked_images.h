// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_TRACKED_IMAGES_H_
#define ASSAY_CORE_LAYOUTS_TRACKED_IMAGES_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
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
inline const state::Image* TrackedImage(const state::Image* image) {
  constexpr VkImageCreateFlags kApart =
      VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_ALIAS_BIT;
  if (image == nullptr || (image->create_info.flags & kApart) != 0) return nullptr;
  if (image->aliases.load(std::memory_order_relaxed)) return nullptr;
  if (image->memory && (image->memory->is_imported || image->memory->is_exportable)) return nullptr;
  return image;
}
inline const state::Image* TrackedImage(VkImage image) {
  return TrackedImage(state::DeviceState::Get<state::Image>(image));
}

// Levels and layers of an image. The slices of a 3D image are one layer, even for views that have them as layers.
inline LayoutBox BoxOf(const state::Image& image, LayoutAspect aspect, const VkImageSubresourceRange& range) {
  const auto end = [](uint32_t begin, uint32_t count, uint32_t size) {
    return begin >= size ? begin : begin + std::min(count, size - begin);
  };
  const VkImageCreateInfo& info = image.create_info;
  const bool is_3d = info.imageType == VK_IMAGE_TYPE_3D;
  return {aspect, static_cast<uint16_t>(range.baseMipLevel),
          static_cast<uint16_t>(end(range.baseMipLevel, range.levelCount, info.mipLevels)),
          is_3d ? 0 : range.baseArrayLayer, is_3d ? 1 : end(range.baseArrayLayer, range.layerCount, info.arrayLayers)};
}

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
