// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/layouts/tracked_images.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

uint32_t End(uint32_t begin, uint32_t count, uint32_t size) {
  return begin >= size ? begin : begin + std::min(count, size - begin);
}

}  // namespace

const state::Image* TrackedImage(const state::Image* image) {
  constexpr VkImageCreateFlags kApart = VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_ALIAS_BIT;
  if (image == nullptr || image->is_sparse() || (image->create_info.flags & kApart) != 0) return nullptr;
  if (image->aliases.load(std::memory_order_relaxed)) return nullptr;
  if (image->memory && (image->memory->is_imported || image->memory->is_exportable)) return nullptr;
  return image;
}
const state::Image* TrackedImage(VkImage image) { return TrackedImage(state::DeviceState::Get<state::Image>(image)); }

LayoutBox BoxOf(const state::Image& image, LayoutAspect aspect, const VkImageSubresourceRange& range) {
  const VkImageCreateInfo& info = image.create_info;
  const bool is_3d = info.imageType == VK_IMAGE_TYPE_3D;
  return {aspect, static_cast<uint16_t>(range.baseMipLevel),
          static_cast<uint16_t>(End(range.baseMipLevel, range.levelCount, info.mipLevels)),
          is_3d ? 0 : range.baseArrayLayer, is_3d ? 1 : End(range.baseArrayLayer, range.layerCount, info.arrayLayers)};
}

void InitializeLayouts(const state::Image& image, LayoutEntries& entries) {
  const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0,
                                       VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  const vk::CommandId maker = image.is_presentable ? vk::CommandId::kCreateSwapchainKHR : vk::CommandId::kCreateImage;
  ForEachBox(image, all, [&](const LayoutBox& box, bool) {
    entries.Access(box, {.left = image.create_info.initialLayout, .left_by = maker}, [](const LayoutMismatch&) {});
  });
}

std::string LayoutText(VkImageLayout layout) { return std::string(vk::EnumName(vk::EnumId::kImageLayout, layout)); }

std::string CommandText(vk::CommandId command) { return absl::StrCat(vk::GetCommandInfo(command).name, "()"); }

std::string SubresourceText(const LayoutBox& box, messages::ObjectRef image, const messages::Reporter& reporter) {
  return absl::StrCat(box.aspect == LayoutAspect::kStencil ? "the stencil aspect of " : "", "mip level ",
                      box.level_begin, ", array layer ", box.layer_begin, " of ", reporter.Describe(image));
}

std::string FixText(const LayoutMismatch& mismatch) {
  return absl::StrCat("Record an image memory barrier from ", LayoutText(mismatch.actual), " to ",
                      LayoutText(mismatch.access.expected), " in between, or name the layout that the image is in.");
}

}  // namespace assay::core
