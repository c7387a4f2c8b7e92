// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies that the host makes (vkCopyMemoryToImage and its like).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/copies/copied_image.h"
#include "core/copies/copied_image_ids.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "vk/enum_to_string.h"
#include "vk/families/vuid_families.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::AnyFamilyVuid;
using vk::FamilyVuid;

constexpr CopiedImageNames kHostSource = {"srcImage", "imageSubresource", "imageOffset", "imageExtent"};
constexpr CopiedImageNames kHostTarget = {"dstImage", "imageSubresource", "imageOffset", "imageExtent"};
constexpr NeededOfImage kHostTransfer = {VK_IMAGE_USAGE_HOST_TRANSFER_BIT, VkFormatFeatureFlagBits{}};

// The rules of an image that only copies by the host have.
struct HostImageIds {
  vk::VuidIndex layout;
  // With VK_HOST_IMAGE_COPY_MEMCPY.
  vk::VuidIndex no_offset;
  vk::VuidIndex whole_level;
};
template <class C>
constexpr HostImageIds kHostSourceIds = {.layout = AnyFamilyVuid<C>("srcImageLayout-09065", "srcImageLayout-09072"),
                                         .no_offset = AnyFamilyVuid<C>("imageOffset-09114", "srcOffset-09114"),
                                         .whole_level = FamilyVuid<C>("srcImage-09115")};
template <class C>
constexpr HostImageIds kHostTargetIds = {.layout = AnyFamilyVuid<C>("dstImageLayout-09060", "dstImageLayout-09073"),
                                         .no_offset = AnyFamilyVuid<C>("imageOffset-09114", "dstOffset-09114"),
                                         .whole_level = FamilyVuid<C>("dstImage-09115")};

template <class C>
constexpr RowIds kMemoryRowIds = {FamilyVuid<C>("memoryRowLength-09106"), FamilyVuid<C>("memoryImageHeight-09107"),
                                  FamilyVuid<C>("memoryRowLength-09108")};

// Whether the subresources are those of the image, the box is inside of them, and the flags allow it.
bool CheckHostRegion(const CopyCheck& check, const CopiedImage& image, const HostImageIds& ids,
                     VkHostImageCopyFlags flags, const VkImageSubresourceLayers& layers, const ImageBox& box,
                     const Location& where) {
  if (!CheckSubresource(check, image, layers, where) || !CheckBox(check, image, layers, box, where)) return false;
  if ((flags & VK_HOST_IMAGE_COPY_MEMCPY) == 0) return true;
  const ImageReports reports(check, image, where);
  const bool has_no_offset = std::ranges::all_of(box.offset, [](int64_t offset) { return offset == 0; });
  reports.Must(has_no_offset, ids.no_offset, image.names.offset,
               [] { return "is not 0 on each axis, but flags has VK_HOST_IMAGE_COPY_MEMCPY."; });
  const auto limit = image.LevelExtent(layers.mipLevel, layers.aspectMask);
  const bool is_whole = box.extent == limit;
  reports.Must(!has_no_offset || is_whole, ids.whole_level, image.names.extent, [&] {
    return absl::StrCat("(", box.extent[0], " x ", box.extent[1], " x ", box.extent[2], ") is not that of the level (",
                        limit[0], " x ", limit[1], " x ", limit[2], ") of ", reports.Describe(),
                        ", but flags has VK_HOST_IMAGE_COPY_MEMCPY.");
  });
  return has_no_offset && is_whole;
}

// A copy between an image and memory.
template <class C, class Info>
void CheckMemoryCopy(const CopyCheck& check, const Info& info, const CopiedImage& image, const HostImageIds& ids,
                     vk::VuidIndex plain_rows, const Location& parameter) {
  VkImageAspectFlags aspects = 0;
  for (uint32_t i = 0; info.pRegions != nullptr && i < info.regionCount; ++i) {
    const auto& region = info.pRegions[i];
    const Location where = parameter.Dot("pRegions", i);
    const ImageReports reports(check, image, where);
    aspects |= region.imageSubresource.aspectMask;
    const bool is_plain = region.memoryRowLength == 0 && region.memoryImageHeight == 0;
    reports.Must((info.flags & VK_HOST_IMAGE_COPY_MEMCPY) == 0 || is_plain, plain_rows,
                 region.memoryRowLength != 0 ? "memoryRowLength" : "memoryImageHeight",
                 [] { return "is not 0, but flags has VK_HOST_IMAGE_COPY_MEMCPY."; });
    if (!CheckHostRegion(check, image, ids, info.flags, region.imageSubresource,
                         {region.imageOffset, region.imageExtent}, where)) {
      continue;
    }
    const vk::FormatInfo* format = image.FormatOf(region.imageSubresource.aspectMask);
    if (format == nullptr || std::popcount(region.imageSubresource.aspectMask) != 1) continue;
    CheckRows(reports, *format,
              {region.memoryRowLength, region.memoryImageHeight, "memoryRowLength", "memoryImageHeight"},
              kMemoryRowIds<C>);
  }
  CheckCopiedImage(check, image, aspects, parameter);
}

// Usages and flags that have rules of their own are not compared.
bool AreAlike(const VkImageCreateInfo& a, const VkImageCreateInfo& b) {
  constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
  constexpr VkImageCreateFlags kFlags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT;
  return a.imageType == b.imageType && a.format == b.format && a.extent.width == b.extent.width &&
         a.extent.height == b.extent.height && a.extent.depth == b.extent.depth && a.mipLevels == b.mipLevels &&
         a.arrayLayers == b.arrayLayers && a.samples == b.samples && a.tiling == b.tiling &&
         (a.usage & ~kUsage) == (b.usage & ~kUsage) && (a.flags & ~kFlags) == (b.flags & ~kFlags);
}

void CheckBetweenImages(const CopyCheck& check, const VkCopyImageToImageInfo& info, const Location& parameter) {
  using C = vk::CopyImageToImage;
  const CopiedImage source(info.srcImage, kSourceImageIds<C>, kSourceNames, kHostTransfer);
  const CopiedImage target(info.dstImage, kTargetImageIds<C>, kTargetNames, kHostTransfer);
  VkImageAspectFlags from = 0, to = 0;
  for (uint32_t i = 0; info.pRegions != nullptr && i < info.regionCount; ++i) {
    const VkImageCopy2& region = info.pRegions[i];
    const Location where = parameter.Dot("pRegions", i);
    from |= region.srcSubresource.aspectMask;
    to |= region.dstSubresource.aspectMask;
    // The first image alone is reported for what both have wrong.
    if (CheckHostRegion(check, source, kHostSourceIds<C>, info.flags, region.srcSubresource,
                        {region.srcOffset, region.extent}, where)) {
      CheckHostRegion(check, target, kHostTargetIds<C>, info.flags, region.dstSubresource,
                      {region.dstOffset, region.extent}, where);
    }
  }
  CheckCopiedImage(check, source, from, parameter);
  CheckCopiedImage(check, target, to, parameter);
  const HostCopyLayouts& layouts = check.facts().host_layouts;
  const ImageReports reports(check, source, parameter);
  CheckHostLayout(reports, info.srcImageLayout, layouts.sources, kHostSourceIds<C>.layout, "srcImageLayout");
  CheckHostLayout(ImageReports(check, target, parameter), info.dstImageLayout, layouts.targets,
                  kHostTargetIds<C>.layout, "dstImageLayout");
  if (!source.is_known() || !target.is_known()) return;
  reports.Must(AreAlike(source.info(), target.info()), FamilyVuid<C>("srcImage-09069"), "srcImage", [&] {
    return absl::StrCat(check.report().reporter().Describe(source.object), " was created with other parameters than ",
                        ImageReports(check, target, parameter).Describe(), ".");
  });
}

}  // namespace

void CopyRules::PreCallValidate(const vk::CopyMemoryToImage& call, Report& report) const {
  using C = vk::CopyMemoryToImage;
  if (call.pCopyMemoryToImageInfo == nullptr) return;
  const VkCopyMemoryToImageInfo& info = *call.pCopyMemoryToImageInfo;
  const CopyCheck check(facts_, report);
  const Location command = report.location();
  const Location parameter = command.Dot("pCopyMemoryToImageInfo");
  const CopiedImage image(info.dstImage, kTargetImageIds<C>, kHostTarget, kHostTransfer);
  CheckMemoryCopy<C>(check, info, image, kHostTargetIds<C>, FamilyVuid<C>("flags-09393"), parameter);
  CheckHostLayout(ImageReports(check, image, parameter), info.dstImageLayout, facts_.host_layouts.targets,
                  kHostTargetIds<C>.layout, "dstImageLayout");
}
void CopyRules::PreCallValidate(const vk::CopyImageToMemory& call, Report& report) const {
  using C = vk::CopyImageToMemory;
  if (call.pCopyImageToMemoryInfo == nullptr) return;
  const VkCopyImageToMemoryInfo& info = *call.pCopyImageToMemoryInfo;
  const CopyCheck check(facts_, report);
  const Location command = report.location();
  const Location parameter = command.Dot("pCopyImageToMemoryInfo");
  const CopiedImage image(info.srcImage, kSourceImageIds<C>, kHostSource, kHostTransfer);
  CheckMemoryCopy<C>(check, info, image, kHostSourceIds<C>, FamilyVuid<C>("flags-09394"), parameter);
  CheckHostLayout(ImageReports(check, image, parameter), info.srcImageLayout, facts_.host_layouts.sources,
                  kHostSourceIds<C>.layout, "srcImageLayout");
}
void CopyRules::PreCallValidate(const vk::CopyImageToImage& call, Report& report) const {
  if (call.pCopyImageToImageInfo == nullptr) return;
  const Location command = report.location();
  CheckBetweenImages({facts_, report}, *call.pCopyImageToImageInfo, command.Dot("pCopyImageToImageInfo"));
}

}  // namespace assay::core
