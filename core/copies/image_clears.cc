// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Clears of images outside of render pass instances.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/copies/copied_image.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "vk/enum_to_string.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using vk::AnyFamilyVuid;
using vk::FamilyVuid;

constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

template <class C>
constexpr CopiedImageIds kClearedImageIds = {
    .resource =
        {
            .usage = AnyFamilyVuid<C>("image-00002", "pRanges-02660"),
            .bound = AnyFamilyVuid<C>("image-00003", "image-00010"),
            .is_protected = AnyFamilyVuid<C>("commandBuffer-01805", "commandBuffer-01807"),
            .is_unprotected = AnyFamilyVuid<C>("commandBuffer-01806", "commandBuffer-01808"),
        },
    .stencil_usage = FamilyVuid<C>("pRanges-02658"),
    .shared_stencil_usage = FamilyVuid<C>("pRanges-02659"),
    .features = AnyFamilyVuid<C>("image-01993", "image-01994"),
};

template <class C>
void CheckClearedRange(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceRange& range,
                       const Location& where) {
  const ImageReports reports(check, image, where);
  CheckRange(reports, image, range,
             {.level = AnyFamilyVuid<C>("baseMipLevel-01470", "baseMipLevel-01474"),
              .level_count = AnyFamilyVuid<C>("pRanges-01692", "pRanges-01694"),
              .layer = AnyFamilyVuid<C>("baseArrayLayer-01472", "baseArrayLayer-01476"),
              .layer_count = AnyFamilyVuid<C>("pRanges-01693", "pRanges-01695")});
  const VkImageAspectFlags aspects = range.aspectMask;
  const auto wrong = [&] {
    return absl::StrCat("does not suit the command and the format of ", reports.Describe(), ".");
  };
  reports.Must((aspects & ~VK_IMAGE_ASPECT_COLOR_BIT) == 0, FamilyVuid<C>("aspectMask-02498"), "aspectMask", wrong);
  reports.Must((aspects & ~kDepthStencil) == 0, FamilyVuid<C>("aspectMask-02824"), "aspectMask", wrong);
  if (!image.has_depth_or_stencil()) return;
  const VkImageAspectFlags missing = aspects & ~image.format->aspects;
  reports.Must((missing & VK_IMAGE_ASPECT_STENCIL_BIT) == 0, FamilyVuid<C>("image-02825"), "aspectMask", wrong);
  reports.Must((missing & VK_IMAGE_ASPECT_DEPTH_BIT) == 0, FamilyVuid<C>("image-02826"), "aspectMask", wrong);
}

template <class C>
void CheckClearedFormat(const CopyCheck& check, const CopiedImage& image, const Location& command) {
  if (image.format == nullptr) return;
  const vk::FormatInfo& format = *image.format;
  const ImageReports reports(check, image, command);
  const auto text = [&] {
    return absl::StrCat(check.report().reporter().Describe(image.object), " has the format ", format.name, ".");
  };
  reports.Must(!format.compressed && !image.has_depth_or_stencil(), FamilyVuid<C>("image-00007"), "image", text);
  reports.Must(image.has_depth_or_stencil(), FamilyVuid<C>("image-00014"), "image", text);
  const bool needs_conversion = image.has_planes() || (!format.compressed && format.block_extent[0] > 1);
  reports.Must(!needs_conversion, FamilyVuid<C>("image-01545"), "image", text);
  const bool is_wide =
      std::ranges::any_of(format.components, [](const auto& component) { return component.bits == 64; });
  const bool has_blue = format.components.size() > 2;
  reports.Must(!is_wide || !has_blue, FamilyVuid<C>("image-09678"), "image", text);
}

template <class C>
void CheckClear(const CopyCheck& check, const C& call, const Location& command) {
  VkImageAspectFlags aspects = 0;
  const uint32_t count = call.pRanges != nullptr ? call.rangeCount : 0;
  for (uint32_t i = 0; i < count; ++i) aspects |= call.pRanges[i].aspectMask;
  const CopiedImage image(call.image, kClearedImageIds<C>, {"image"},
                          {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_TRANSFER_DST_BIT});
  if (!image.is_known()) return;
  CheckCopiedImage(check, image, aspects, command);
  CheckClearedFormat<C>(check, image, command);
  if constexpr (std::is_same_v<C, vk::CmdClearColorImage>) {
    check.Require(call.pColor != nullptr, FamilyVuid<C>("pColor-04961"), image.object, command.Dot("pColor"),
                  [] { return std::pair("is NULL.", ""); });
  } else {
    const bool is_allowed =
        call.imageLayout == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL || call.imageLayout == VK_IMAGE_LAYOUT_GENERAL;
    ImageReports(check, image, command).Must(is_allowed, FamilyVuid<C>("imageLayout-00012"), "imageLayout", [&] {
      return absl::StrCat("(", vk::ToString(call.imageLayout),
                          ") is neither VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL nor VK_IMAGE_LAYOUT_GENERAL.");
    });
    if (call.pDepthStencil != nullptr && (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0)
      CheckClearedDepth(check, image.object, *call.pDepthStencil, command.Dot("pDepthStencil"));
  }
  for (uint32_t i = 0; i < count; ++i) CheckClearedRange<C>(check, image, call.pRanges[i], command.Dot("pRanges", i));
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CmdClearColorImage& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer != nullptr) CheckClear({*buffer, facts_, report}, call, report.location());
}
void CopyRules::PreCallValidate(const vk::CmdClearDepthStencilImage& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* buffer = DeviceState::CommandBufferIn(slot);
  if (buffer != nullptr) CheckClear({*buffer, facts_, report}, call, report.location());
}

}  // namespace assay::core
