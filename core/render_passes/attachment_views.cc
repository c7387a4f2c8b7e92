// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/render_passes/attachment_views.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "vk/enum_to_string.h"

namespace assay::core {
namespace {

uint32_t OfLevel(uint32_t size, uint32_t level) { return std::max(level < 32 ? size >> level : 0, 1u); }

}  // namespace

bool IsIdentity(const VkComponentMapping& components) {
  const auto is = [](VkComponentSwizzle swizzle, VkComponentSwizzle itself) {
    return swizzle == VK_COMPONENT_SWIZZLE_IDENTITY || swizzle == itself;
  };
  return is(components.r, VK_COMPONENT_SWIZZLE_R) && is(components.g, VK_COMPONENT_SWIZZLE_G) &&
         is(components.b, VK_COMPONENT_SWIZZLE_B) && is(components.a, VK_COMPONENT_SWIZZLE_A);
}

uint32_t LayersOf(const state::ImageView& view) {
  const VkImageSubresourceRange& range = view.subresource_range;
  if (range.layerCount != VK_REMAINING_ARRAY_LAYERS) return range.layerCount;
  const VkImageCreateInfo& image = view.image->create_info;
  const uint32_t all =
      image.imageType == VK_IMAGE_TYPE_3D ? OfLevel(image.extent.depth, range.baseMipLevel) : image.arrayLayers;
  return all - std::min(all, range.baseArrayLayer);
}

VkExtent2D ExtentOf(const state::ImageView& view) {
  const VkExtent3D& extent = view.image->create_info.extent;
  const uint32_t level = view.subresource_range.baseMipLevel;
  return {OfLevel(extent.width, level), OfLevel(extent.height, level)};
}

VkImageUsageFlags UsagesOf(const state::ImageView& view) { return view.usage | view.image->stencil_usage.value_or(0); }

bool CheckAttachmentView(const state::ImageView& view, const AttachmentViewIds& ids, const messages::Location& where,
                         messages::Report& report) {
  const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE_VIEW, view.handle()};
  const auto error = [&](vk::VuidIndex vuid, std::string_view text) {
    report.Error(vuid, {object}, where, absl::StrCat("(", report.reporter().Describe(object), ") ", text));
  };
  const VkImageSubresourceRange& range = view.subresource_range;
  const uint32_t all_levels = view.image->create_info.mipLevels;
  const uint32_t levels = range.levelCount != VK_REMAINING_MIP_LEVELS
                              ? range.levelCount
                              : all_levels - std::min(all_levels, range.baseMipLevel);
  if (levels > 1) error(ids.levels, absl::StrCat("has ", levels, " mip levels, but an attachment has one."));
  if (!IsIdentity(view.components)) {
    const auto& [r, g, b, a] = view.components;
    error(ids.components, absl::StrCat("has the components ", vk::ToString(r), ", ", vk::ToString(g), ", ",
                                       vk::ToString(b), ", ", vk::ToString(a), ", which is not the identity."));
  }
  if (view.view_type != VK_IMAGE_VIEW_TYPE_3D) return true;
  error(ids.type, "has the type VK_IMAGE_VIEW_TYPE_3D.");
  return false;
}

}  // namespace assay::core
