// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/case_changes.h"
#include "core/copies/cases/image_copy_cases.h"

namespace assay::core {
namespace {

using Copy = ImageCopy;

constexpr VkImageLayout kOther = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

void LoseUsage(CopySide& side) { side.info.usage &= ~VK_IMAGE_USAGE_HOST_TRANSFER_BIT; }
void SetStencil(Copy& c) { SetFormats(c, VK_FORMAT_D32_SFLOAT_S8_UINT, kStencil); }
void SetOneLevel(Copy& c) { c.source.info.mipLevels = c.target.info.mipLevels = 1; }
void SetBothPlanes(Copy& c) { SetPlanes(c.source, kPlane0), SetPlanes(c.target, kPlane0); }
void SetWidths(Copy& c, uint32_t width) { c.source.info.extent.width = c.target.info.extent.width = width; }
void SetHeights(Copy& c, uint32_t height) { c.source.info.extent.height = c.target.info.extent.height = height; }
// Bytes as they are; the extent is that of level 1.
void CopyBytes(Copy& c, CopySide& of_level_1) {
  c.host_flags = VK_HOST_IMAGE_COPY_MEMCPY;
  c.extent = {32, 32, 1};
  of_level_1.layers.mipLevel = 1;
}

constexpr FamilyCase<Copy> kCases[] = {
    {"srcImage-09113", [](Copy& c) { LoseUsage(c.source); }},
    {"dstImage-09113", [](Copy& c) { LoseUsage(c.target); }},
    {"srcImage-09111", [](Copy& c) { SetStencil(c), LoseUsage(c.source); }},
    {"dstImage-09111", [](Copy& c) { SetStencil(c), LoseUsage(c.target); }},
    {"srcImage-09112", [](Copy& c) { SetStencil(c), c.source.stencil_usage = VK_IMAGE_USAGE_SAMPLED_BIT; }},
    {"dstImage-09112", [](Copy& c) { SetStencil(c), c.target.stencil_usage = VK_IMAGE_USAGE_SAMPLED_BIT; }},
    {"srcImage-09109", [](Copy& c) { SetSparse(c), c.source.is_bound = false; }},
    {"dstImage-09109", [](Copy& c) { SetSparse(c), c.target.is_bound = false; }},
    {"srcImage-07969", [](Copy& c) { SetOneLevel(c), SetSubsampled(c.source); }},
    {"dstImage-07969", [](Copy& c) { SetOneLevel(c), SetSubsampled(c.target); }},
    {"srcImage-07973", [](Copy& c) { SetOneLevel(c), c.source.info.samples = VK_SAMPLE_COUNT_4_BIT; }},
    {"dstImage-07973", [](Copy& c) { SetOneLevel(c), c.target.info.samples = VK_SAMPLE_COUNT_4_BIT; }},
    {"srcImage-09069", [](Copy& c) { c.target.info.extent.width = 128; }},
    {"srcImageLayout-09065 srcImageLayout-09072", [](Copy& c) { c.source_layout = kOther; }},
    {"dstImageLayout-09060 dstImageLayout-09073", [](Copy& c) { c.target_layout = kOther; }},

    {"srcImage-07981", [](Copy& c) { SetBothPlanes(c), c.source.layers.aspectMask = kColor; }},
    {"dstImage-07981", [](Copy& c) { SetBothPlanes(c), c.target.layers.aspectMask = kColor; }},

    {"imageSubresource-07972", [](Copy& c) { c.source.offset.y = c.target.offset.y = -1; }},
    {"srcImage-07979", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.source.offset.y = 1; }},
    {"dstImage-07979", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.target.offset.y = 1; }},
    // The extent reaches to the end of the other image.
    {"srcImage-00207",
     [](Copy& c) { SetFormats(c, kBlocks), SetWidths(c, 62), c.extent.width = 14, c.target.offset.x = 48; }},
    {"srcImage-00208",
     [](Copy& c) { SetFormats(c, kBlocks), SetHeights(c, 62), c.extent.height = 14, c.target.offset.y = 48; }},
    {"dstImage-00207",
     [](Copy& c) { SetFormats(c, kBlocks), SetWidths(c, 62), c.extent.width = 14, c.source.offset.x = 48; }},
    {"dstImage-00208",
     [](Copy& c) { SetFormats(c, kBlocks), SetHeights(c, 62), c.extent.height = 14, c.source.offset.y = 48; }},
    {"memoryRowLength-09108", [](Copy& c) { c.row_length = 0x20000000; }},

    {"flags-09393", [](Copy& c) { CopyBytes(c, c.target), c.row_length = 32; }},
    {"flags-09394", [](Copy& c) { CopyBytes(c, c.source), c.image_height = 32; }},
    {"imageOffset-09114",
     [](Copy& c) { CopyBytes(c, c.source), c.source.offset.x = c.target.offset.x = 1, c.extent.width = 31; }},
    {"srcOffset-09114", [](Copy& c) { CopyBytes(c, c.target), c.source.offset.x = 1; }},
    {"dstOffset-09114", [](Copy& c) { CopyBytes(c, c.source), c.target.offset.y = 1; }},
    {"srcImage-09115", [](Copy& c) { CopyBytes(c, c.target); }},
    {"dstImage-09115", [](Copy& c) { CopyBytes(c, c.source); }},
};

}  // namespace

ImageCopy HostCopy() {
  ImageCopy copy;
  copy.source.info.usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
  copy.target.info.usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
  return copy;
}

absl::Span<const FamilyCase<ImageCopy>> HostCopyCases() { return kCases; }

}  // namespace assay::core
