// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies that the host makes (vkCopyMemoryToImage and its like).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "core/copies/copied_bytes.h"
#include "core/copies/copied_image.h"
#include "core/copies/copied_image_ids.h"
#include "core/copies/copy_check.h"
#include "core/copies/copy_rules.h"
#include "core/copies/host_memory/host_mappings.h"
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

// The rules of a copy between an image and memory.
struct MemoryCopyIds {
  HostImageIds image;
  // With VK_HOST_IMAGE_COPY_MEMCPY, texels lie without gaps.
  vk::VuidIndex plain_rows;
  // There are as many bytes as the texels need, and none that is the image's.
  vk::VuidIndex size;
  vk::VuidIndex overlap;
};

// The texels of one region begin at pHostPointer. Where the texels of a linear image are is not asked; any byte of
// another image counts as all of them ("Memory Aliasing").
template <class Region>
void CheckHostMemory(const CopyCheck& check, const HostMappings& mappings, const CopiedImage& image,
                     const Region& region, uint64_t bytes, const MemoryCopyIds& ids, const Location& where) {
  const ImageReports reports(check, image, where);
  const std::optional<uint64_t> left = mappings.BytesFrom(region.pHostPointer);
  reports.Must(!left.has_value() || bytes <= *left, ids.size, "pHostPointer", [&] {
    return absl::StrCat("points to the last ", *left, " bytes of mapped memory, but the texels of ", reports.Describe(),
                        " have ", bytes, " bytes.");
  });
  const state::DeviceMemory* memory = image.state->memory.get();
  const bool is_whole = (image.info().flags & VK_IMAGE_CREATE_DISJOINT_BIT) == 0;
  if (memory == nullptr || image.info().tiling != VK_IMAGE_TILING_OPTIMAL || !is_whole) return;
  const state::ByteRange mapped = mappings.Find(*memory, region.pHostPointer, bytes);
  if (mapped.begin == mapped.end) return;
  const auto is_image = [&](const state::BoundResource& bound) {
    return bound.type == state::Image::kType && bound.handle == image.state->handle();
  };
  reports.Must(std::ranges::none_of(memory->FindBound(mapped), is_image), ids.overlap, "pHostPointer", [&] {
    return absl::StrCat("points to bytes of mapped memory that ", reports.Describe(), " is bound to.");
  });
}

template <class C, class Region>
void CheckMemoryRegion(const CopyCheck& check, const HostMappings& mappings, VkHostImageCopyFlags flags,
                       const CopiedImage& image, const Region& region, const MemoryCopyIds& ids,
                       const Location& where) {
  const ImageReports reports(check, image, where);
  const bool copies_bytes = (flags & VK_HOST_IMAGE_COPY_MEMCPY) != 0;
  const bool is_plain = region.memoryRowLength == 0 && region.memoryImageHeight == 0;
  reports.Must(!copies_bytes || is_plain, ids.plain_rows,
               region.memoryRowLength != 0 ? "memoryRowLength" : "memoryImageHeight",
               [] { return "is not 0, but flags has VK_HOST_IMAGE_COPY_MEMCPY."; });
  const ImageBox box(region.imageOffset, region.imageExtent);
  if (!CheckHostRegion(check, image, ids.image, flags, region.imageSubresource, box, where)) return;
  const VkImageAspectFlags aspects = region.imageSubresource.aspectMask;
  const vk::FormatInfo* format = image.FormatOf(aspects);
  if (format == nullptr || std::popcount(aspects) != 1) return;
  CheckRows(reports, *format,
            {region.memoryRowLength, region.memoryImageHeight, "memoryRowLength", "memoryImageHeight"},
            kMemoryRowIds<C>);
  const CopiedTexels texels = {region.imageSubresource, region.imageExtent, region.memoryRowLength,
                               region.memoryImageHeight};
  // Of texels that are copied as the driver has them, only the first byte is known.
  const absl::uint128 bytes = copies_bytes ? 1 : BytesOf(image, texels, *format, BlockBytes(image, aspects));
  if (absl::Uint128High64(bytes) != 0) return;
  CheckHostMemory(check, mappings, image, region, absl::Uint128Low64(bytes), ids, where);
}

template <class C, class Info>
void CheckMemoryCopy(const CopyCheck& check, const HostMappings& mappings, const Info& info, const CopiedImage& image,
                     const MemoryCopyIds& ids, const Location& parameter) {
  VkImageAspectFlags aspects = 0;
  for (uint32_t i = 0; info.pRegions != nullptr && i < info.regionCount; ++i) {
    aspects |= info.pRegions[i].imageSubresource.aspectMask;
    CheckMemoryRegion<C>(check, mappings, info.flags, image, info.pRegions[i], ids, parameter.Dot("pRegions", i));
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
  CheckMemoryCopy<C>(
      check, mappings_, info, image,
      {kHostTargetIds<C>, FamilyVuid<C>("flags-09393"), vk::Vuid("VUID-VkMemoryToImageCopy-pHostPointer-09061"),
       vk::Vuid("VUID-VkMemoryToImageCopy-pRegions-09062")},
      parameter);
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
  CheckMemoryCopy<C>(
      check, mappings_, info, image,
      {kHostSourceIds<C>, FamilyVuid<C>("flags-09394"), vk::Vuid("VUID-VkImageToMemoryCopy-pHostPointer-09066"),
       vk::Vuid("VUID-VkImageToMemoryCopy-pRegions-09067")},
      parameter);
  CheckHostLayout(ImageReports(check, image, parameter), info.srcImageLayout, facts_.host_layouts.sources,
                  kHostSourceIds<C>.layout, "srcImageLayout");
}
void CopyRules::PreCallValidate(const vk::CopyImageToImage& call, Report& report) const {
  if (call.pCopyImageToImageInfo == nullptr) return;
  const Location command = report.location();
  CheckBetweenImages({facts_, report}, *call.pCopyImageToImageInfo, command.Dot("pCopyImageToImageInfo"));
}

void CopyRules::AddMapping(const VkMemoryMapInfo& info, const void* data) {
  const auto* memory = state::DeviceState::Get<state::DeviceMemory>(info.memory);
  if (memory == nullptr || !facts_.host_image_copy) return;
  mappings_.Add(*memory, memory->Clamp(info.offset, info.size), data, (info.flags & VK_MEMORY_MAP_PLACED_BIT_EXT) != 0);
}
void CopyRules::PostCallRecord(const vk::MapMemory& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  AddMapping({.flags = call.flags, .memory = call.memory, .offset = call.offset, .size = call.size}, *call.ppData);
}
void CopyRules::PostCallRecord(const vk::MapMemory2& call, VkResult result) {
  if (result == VK_SUCCESS) AddMapping(*call.pMemoryMapInfo, *call.ppData);
}
// Before the call: afterwards the host may have other memory there.
void CopyRules::PreCallRecord(const vk::UnmapMemory& call) { mappings_.Remove(call.memory); }
void CopyRules::PreCallRecord(const vk::UnmapMemory2& call) { mappings_.Remove(call.pMemoryUnmapInfo->memory); }
void CopyRules::PreCallRecord(const vk::FreeMemory& call) { mappings_.Remove(call.memory); }

}  // namespace assay::core
