// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The attachments of shading rates and fragment densities.

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "core/render_passes/attachment_views.h"
#include "core/rendering/rendering_rules.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using state::ImageView;
using vk::Vuid;
using vk::VuidIndex;

struct Side {
  uint32_t VkExtent2D::* of;
  std::string_view name;
};
constexpr Side kSides[] = {{&VkExtent2D::width, "width"}, {&VkExtent2D::height, "height"}};

// The texels that an area needs, where each texel stands for a number of pixels.
uint32_t TexelsFor(uint32_t pixels, uint32_t texel) { return pixels / texel + (pixels % texel != 0 ? 1 : 0); }

}  // namespace

void RenderingCheck::CheckShadingRate() {
  const auto* const rate = vk::FindInChain<VkRenderingFragmentShadingRateAttachmentInfoKHR>(info_.pNext);
  if (rate == nullptr || rate->imageView == VK_NULL_HANDLE) return;
  const Location where = where_.Next("VkRenderingFragmentShadingRateAttachmentInfoKHR", "imageView");
  const auto require = [&](bool is_right, VuidIndex rule, std::string text) {
    RequireAt(is_right, rule, rate->imageView, where, std::move(text));
  };
  const VkImageLayout layout = rate->imageLayout;
  require(layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
          Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06147"),
          absl::StrCat("has imageLayout ", vk::EnumName(vk::EnumId::kImageLayout, layout), "."));
  ForEach([&](AttachmentKind, const VkRenderingAttachmentInfo& attachment, const Location&) {
    require(rate->imageView != attachment.imageView && rate->imageView != attachment.resolveImageView,
            Vuid("VUID-VkRenderingInfo-imageView-06125"), "is another attachment, too.");
    require(attachment.resolveMode != VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID,
            Vuid("VUID-VkRenderingInfo-resolveMode-09322"),
            "is there, but an attachment has VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID.");
  });
  const VkExtent2D texel = rate->shadingRateAttachmentTexelSize;
  constexpr VuidIndex kTexelIds[][5] = {
      {Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06149"),
       Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06150"),
       Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06151"),
       Vuid("VUID-VkRenderingInfo-pNext-06119"), Vuid("VUID-VkRenderingInfo-pNext-06120")},
      {Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06152"),
       Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06153"),
       Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06154"),
       Vuid("VUID-VkRenderingInfo-pNext-06121"), Vuid("VUID-VkRenderingInfo-pNext-06122")}};
  const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>();
  const ImageView* const view = Find(rate->imageView);
  const bool may_be_small =
      device_.HasFeature(vk::FeatureId::kMaintenance7) && view != nullptr && view->subresource_range.baseMipLevel == 0;
  for (size_t i = 0; i < std::size(kSides); ++i) {
    const Side& side = kSides[i];
    const uint32_t size = texel.*side.of;
    const std::string has = absl::StrCat("has shadingRateAttachmentTexelSize.", side.name, " ", size);
    require(std::has_single_bit(size), kTexelIds[i][0], absl::StrCat(has, ", which is not a power of two."));
    if (limits == nullptr || size == 0) continue;
    const uint32_t most = limits->maxFragmentShadingRateAttachmentTexelSize.*side.of;
    const uint32_t least = limits->minFragmentShadingRateAttachmentTexelSize.*side.of;
    require(size <= most || most == 0, kTexelIds[i][1], absl::StrCat(has, ", which is more than ", most, "."));
    require(size >= least, kTexelIds[i][2], absl::StrCat(has, ", which is less than ", least, "."));
    const uint32_t other = texel.*kSides[1 - i].of;
    const uint32_t ratio = limits->maxFragmentShadingRateAttachmentTexelSizeAspectRatio;
    require(other == 0 || ratio == 0 || size / other <= ratio,
            i == 0 ? Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06155")
                   : Vuid("VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06156"),
            absl::StrCat(has, ", which is more than ", ratio, " times the other side."));
    if (view == nullptr || may_be_small) continue;
    const uint32_t needed = TexelsFor(NeededExtent().*side.of, size);
    require((ExtentOf(*view).*side.of) >= needed, kTexelIds[i][group_ != nullptr ? 4 : 3],
            absl::StrCat("has the ", side.name, " ", (ExtentOf(*view).*side.of), ", but the render area needs ", needed,
                         "."));
  }
  if (view == nullptr) return;
  require(IsIdentity(view->components), Vuid("VUID-VkRenderingInfo-imageView-09485"),
          "has components that are not the identity.");
  const uint32_t layers = LayersOf(*view);
  const uint32_t needed =
      info_.viewMask == 0 ? info_.layerCount : static_cast<uint32_t>(std::bit_width(info_.viewMask)) - 1;
  require(
      layers == 1 || layers >= needed,
      info_.viewMask == 0 ? Vuid("VUID-VkRenderingInfo-imageView-06123") : Vuid("VUID-VkRenderingInfo-imageView-06124"),
      absl::StrCat("has ", layers, " layers, but the rendering needs ", needed, "."));
}

void RenderingCheck::CheckDensityMap() {
  const auto* const map = vk::FindInChain<VkRenderingFragmentDensityMapAttachmentInfoEXT>(info_.pNext);
  if (map == nullptr || map->imageView == VK_NULL_HANDLE) return;
  const Location where = where_.Next("VkRenderingFragmentDensityMapAttachmentInfoEXT", "imageView");
  const auto require = [&](bool is_right, VuidIndex rule, std::string text) {
    RequireAt(is_right, rule, map->imageView, where, std::move(text));
  };
  const auto* const rate = vk::FindInChain<VkRenderingFragmentShadingRateAttachmentInfoKHR>(info_.pNext);
  require(rate == nullptr || rate->imageView != map->imageView, Vuid("VUID-VkRenderingInfo-imageView-06126"),
          "is the shading rate attachment, too.");
  const bool needs_subsampled = !device_.HasFeature(vk::FeatureId::kFragmentDensityMapNonSubsampledImages);
  ForEach([&](AttachmentKind, const VkRenderingAttachmentInfo& attachment, const Location& at) {
    require(map->imageView != attachment.imageView && map->imageView != attachment.resolveImageView,
            Vuid("VUID-VkRenderingInfo-imageView-06116"), "is another attachment, too.");
    require(attachment.resolveMode != VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID,
            Vuid("VUID-VkRenderingInfo-resolveMode-09321"),
            "is there, but an attachment has VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID.");
    const ImageView* const view = Find(attachment.imageView);
    if (!needs_subsampled || view == nullptr) return;
    RequireAt((view->image->create_info.flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT) != 0,
              Vuid("VUID-VkRenderingInfo-imageView-06107"), attachment.imageView, at.Dot("imageView"),
              "is of an image without VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT, but there is a fragment density map.");
  });
  const ImageView* const view = Find(map->imageView);
  if (view == nullptr) return;
  const uint32_t layers = LayersOf(*view);
  require(IsIdentity(view->components), Vuid("VUID-VkRenderingInfo-imageView-09486"),
          "has components that are not the identity.");
  if (info_.viewMask == 0) {
    require(layers == 1, Vuid("VUID-VkRenderingInfo-imageView-06109"), absl::StrCat("has ", layers, " layers."));
  } else {
    const auto needed = static_cast<uint32_t>(std::bit_width(info_.viewMask)) - 1;
    require(layers >= needed, Vuid("VUID-VkRenderingInfo-imageView-06108"),
            absl::StrCat("has ", layers, " layers, but viewMask needs ", needed, "."));
  }
  const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceFragmentDensityMapPropertiesEXT>();
  constexpr VuidIndex kSizeIds[][2] = {
      {Vuid("VUID-VkRenderingInfo-pNext-06112"), Vuid("VUID-VkRenderingInfo-pNext-06113")},
      {Vuid("VUID-VkRenderingInfo-pNext-06114"), Vuid("VUID-VkRenderingInfo-pNext-06115")}};
  for (size_t i = 0; limits != nullptr && i < std::size(kSides); ++i) {
    const uint32_t texel = limits->maxFragmentDensityTexelSize.*kSides[i].of;
    if (texel == 0) continue;
    const uint32_t needed = TexelsFor(NeededExtent().*kSides[i].of, texel);
    const uint32_t size = ExtentOf(*view).*kSides[i].of;
    require(size >= needed, kSizeIds[i][group_ != nullptr ? 1 : 0],
            absl::StrCat("has the ", kSides[i].name, " ", size, ", but the render area needs ", needed, "."));
  }
}

}  // namespace assay::core
