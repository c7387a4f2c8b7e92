// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layout transitions that the host makes.

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/copies/copied_image.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::Vuid;

constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
constexpr VkImageAspectFlags kPlanes =
    VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT;
constexpr CopiedImageIds kTransitionIds = {
    .resource = {.usage = Vuid("VUID-VkHostImageLayoutTransitionInfo-image-09055"),
                 .bound = Vuid("VUID-VkHostImageLayoutTransitionInfo-image-01932")}};

// Which rule of the aspects is violated, for a format that is known.
vk::VuidIndex WrongAspects(const CopyCheck& check, const CopiedImage& image, VkImageAspectFlags aspects) {
  const bool is_disjoint = (image.info().flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
  if (!image.has_depth_or_stencil() && aspects != kColor) {
    if (!image.has_planes()) return Vuid("VUID-VkHostImageLayoutTransitionInfo-image-09241");
    if (!is_disjoint) return Vuid("VUID-VkHostImageLayoutTransitionInfo-image-09242");
    if ((aspects & (kColor | kPlanes)) == 0) return Vuid("VUID-VkHostImageLayoutTransitionInfo-image-01672");
  }
  if ((image.format->aspects & (kDepth | kStencil)) == (kDepth | kStencil)) {
    const bool is_separate = check.facts().device.HasFeature(vk::FeatureId::kSeparateDepthStencilLayouts);
    if (is_separate && (aspects & (kDepth | kStencil)) == 0)
      return Vuid("VUID-VkHostImageLayoutTransitionInfo-image-03319");
    if (!is_separate && (aspects & (kDepth | kStencil)) != (kDepth | kStencil))
      return Vuid("VUID-VkHostImageLayoutTransitionInfo-image-03320");
  }
  const VkImageAspectFlags allowed = image.format->aspects | (image.has_planes() ? kColor : 0);
  return (aspects & ~allowed) != 0 ? Vuid("VUID-VkHostImageLayoutTransitionInfo-subresourceRange-09601") : vk::kNoVuid;
}

void CheckTransition(const CopyCheck& check, const VkHostImageLayoutTransitionInfo& info, const Location& where) {
  const CopiedImage image(info.image, kTransitionIds, {"image"},
                          {VK_IMAGE_USAGE_HOST_TRANSFER_BIT, VkFormatFeatureFlagBits{}});
  if (!image.is_known()) return;
  const VkImageAspectFlags aspects = info.subresourceRange.aspectMask;
  CheckCopiedImage(check, image, aspects, where);
  const ImageReports reports(check, image, where);
  const HostCopyLayouts& layouts = check.facts().host_layouts;
  CheckHostLayout(reports, info.newLayout, layouts.targets,
                  Vuid("VUID-VkHostImageLayoutTransitionInfo-newLayout-09057"), "newLayout");
  if (info.oldLayout != VK_IMAGE_LAYOUT_UNDEFINED && info.oldLayout != VK_IMAGE_LAYOUT_PREINITIALIZED)
    CheckHostLayout(reports, info.oldLayout, layouts.sources,
                    Vuid("VUID-VkHostImageLayoutTransitionInfo-oldLayout-09230"), "oldLayout");
  const auto has = [&](VkImageLayout one, VkImageLayout other) {
    return info.oldLayout == one || info.oldLayout == other || info.newLayout == one || info.newLayout == other;
  };
  const auto wrong = [&] {
    return absl::StrCat("(", vk::FlagsToString(vk::EnumId::kImageAspectFlagBits, aspects),
                        ") does not suit the layouts and ", reports.Describe(), ".");
  };
  const Location range = where.Dot("subresourceRange");
  const ImageReports range_reports(check, image, range);
  range_reports.Must((aspects & kDepth) == 0 ||
                         !has(VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL),
                     Vuid("VUID-VkHostImageLayoutTransitionInfo-aspectMask-08702"), "aspectMask", wrong);
  range_reports.Must((aspects & kStencil) == 0 ||
                         !has(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL),
                     Vuid("VUID-VkHostImageLayoutTransitionInfo-aspectMask-08703"), "aspectMask", wrong);
  if (image.format != nullptr) {
    const vk::VuidIndex rule = WrongAspects(check, image, aspects);
    range_reports.Must(rule == vk::kNoVuid, rule, "aspectMask", wrong);
  }
  CheckRange(range_reports, image, info.subresourceRange,
             {.level = Vuid("VUID-VkHostImageLayoutTransitionInfo-subresourceRange-01486"),
              .level_count = Vuid("VUID-VkHostImageLayoutTransitionInfo-subresourceRange-01724"),
              .layer = Vuid("VUID-VkHostImageLayoutTransitionInfo-subresourceRange-01488"),
              .layer_count = Vuid("VUID-VkHostImageLayoutTransitionInfo-subresourceRange-01725")});
}

}  // namespace

void CopyRules::PreCallValidate(const vk::TransitionImageLayout& call, Report& report) const {
  const Location command = report.location();
  for (uint32_t i = 0; call.pTransitions != nullptr && i < call.transitionCount; ++i)
    CheckTransition({facts_, report}, call.pTransitions[i], command.Dot("pTransitions", i));
}

}  // namespace assay::core
