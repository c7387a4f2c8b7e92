// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/layouts/tracked_images.h"

#include "absl/strings/str_cat.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"

namespace assay::core {

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
