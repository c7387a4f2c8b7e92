// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Resolves of images.

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "core/copies/copied_image.h"
#include "core/copies/copied_image_ids.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::FamilyVuid;

template <class C>
void CheckResolvedImages(const CopyCheck& check, const CopiedImage& source, const CopiedImage& target,
                         const Location& parameter) {
  const ImageReports reports(check, source, parameter);
  reports.Must(source.info().samples != VK_SAMPLE_COUNT_1_BIT, FamilyVuid<C>("srcImage-00257"), "srcImage", [&] {
    return absl::StrCat(check.report().reporter().Describe(source.object), " has VK_SAMPLE_COUNT_1_BIT.");
  });
  // Linear images are not multisampled; the texels of others are anywhere in their memory.
  const state::ByteRange from = source.state->SharedBytes(0), to = target.state->SharedBytes(0);
  reports.Must(from.begin >= to.end || to.begin >= from.end, FamilyVuid<C>("pRegions-00255"), "dstImage", [&] {
    return absl::StrCat(check.report().reporter().Describe(target.object), " has the memory of ", reports.Describe(),
                        ".");
  });
  if (source.format == nullptr || target.format == nullptr) return;
  reports.Must(source.format == target.format, FamilyVuid<C>("srcImage-01386"), "srcImage", [&] {
    return absl::StrCat(check.report().reporter().Describe(source.object), " has the format ", source.format->name,
                        ", but dstImage has ", target.format->name, ".");
  });
  const auto features = check.facts().features.Of(*target.format, target.info().tiling);
  const bool is_linear = target.info().tiling == VK_IMAGE_TILING_LINEAR;
  if (is_linear && check.facts().device.HasFeature(vk::FeatureId::kLinearColorAttachment)) {
    constexpr auto kNeeded = VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV;
    reports.Must(!features.has_value() || !check.facts().features.Know(kNeeded) || (*features & kNeeded) != 0,
                 FamilyVuid<C>("linearColorAttachment-06519"), "dstImage", [&] {
                   return absl::StrCat(
                       check.report().reporter().Describe(target.object), " has the format ", target.format->name,
                       ", whose features are without VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV.");
                 });
  }
  const bool is_attachment = !features.has_value() || (*features & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) != 0;
  reports.Must(is_attachment, FamilyVuid<C>("dstImage-02003"), "dstImage", [&] {
    return absl::StrCat(check.report().reporter().Describe(target.object), " has the format ", target.format->name,
                        ", whose features are without VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT.");
  });
}

template <class C, class Region>
void CheckResolvedRegion(const CopyCheck& check, const CopiedImage& source, const CopiedImage& target,
                         const Region& region, const Location& where) {
  const ImageReports reports(check, source, where);
  const VkImageAspectFlags aspects = region.srcSubresource.aspectMask | region.dstSubresource.aspectMask;
  reports.Must((aspects & ~VK_IMAGE_ASPECT_COLOR_BIT) == 0, FamilyVuid<C>("aspectMask-00266"), "srcSubresource",
               [] { return "and dstSubresource have other aspects than VK_IMAGE_ASPECT_COLOR_BIT."; });
  const bool has_source = CheckSubresource(check, source, region.srcSubresource, where);
  const bool has_target = CheckSubresource(check, target, region.dstSubresource, where);
  if (has_source) CheckBox(check, source, region.srcSubresource, {region.srcOffset, region.extent}, where);
  if (has_target) CheckBox(check, target, region.dstSubresource, {region.dstOffset, region.extent}, where);
  if (!has_source || !has_target) return;
  const uint32_t from = source.LayerCount(region.srcSubresource);
  const uint32_t to = target.LayerCount(region.dstSubresource);
  const auto layers = [&] {
    return absl::StrCat("has ", from, " layers, but dstSubresource has ", to, ", in ", reports.Describe(), " and ",
                        ImageReports(check, target, where).Describe(), ".");
  };
  if (target.info().imageType == VK_IMAGE_TYPE_3D)
    return reports.Must(from == 1, FamilyVuid<C>("srcImage-04446"), "srcSubresource", layers);
  const bool is_rest = region.srcSubresource.layerCount == VK_REMAINING_ARRAY_LAYERS ||
                       region.dstSubresource.layerCount == VK_REMAINING_ARRAY_LAYERS;
  reports.Must(from == to, is_rest ? FamilyVuid<C>("layerCount-08804") : FamilyVuid<C>("layerCount-08803"),
               "srcSubresource", layers);
}

template <class C, class Info>
void CheckResolve(const CopyCheck& check, const Info& info, const Location& parameter) {
  const CopiedImage source(info.srcImage, kSourceImageIds<C>, kSourceNames,
                           {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT});
  const CopiedImage target(info.dstImage, kTargetImageIds<C>, kTargetNames,
                           {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_TRANSFER_DST_BIT});
  CheckCopiedImage(check, source, VK_IMAGE_ASPECT_COLOR_BIT, parameter);
  CheckCopiedImage(check, target, VK_IMAGE_ASPECT_COLOR_BIT, parameter);
  if (!source.is_known() || !target.is_known()) return;
  CheckResolvedImages<C>(check, source, target, parameter);
  for (uint32_t i = 0; info.pRegions != nullptr && i < info.regionCount; ++i)
    CheckResolvedRegion<C>(check, source, target, info.pRegions[i], parameter.Dot("pRegions", i));
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdResolveImage& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr) return;
  CheckResolve<vk::CmdResolveImage>({*buffer, facts_, report}, call, report.location());
}
void CopyRules::PreCallValidate(const vk::CmdResolveImage2& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer == nullptr || call.pResolveImageInfo == nullptr) return;
  const Location command = report.location();
  CheckResolve<vk::CmdResolveImage2>({*buffer, facts_, report}, *call.pResolveImageInfo,
                                     command.Dot("pResolveImageInfo"));
}

}  // namespace assay::core
