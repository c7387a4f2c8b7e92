// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/case_changes.h"
#include "core/copies/cases/image_copy_cases.h"

namespace assay::core {
namespace {

using Copy = ImageCopy;

constexpr FamilyCase<Copy> kBlitCases[] = {
    {"srcImage-01999", [](Copy& c) { c.source.info.format = kNoBlitSource; }},
    {"dstImage-02000", [](Copy& c) { c.target.info.format = kNoBlitTarget; }},
    {"filter-02001", [](Copy& c) { c.source.info.format = kNoFilter, c.filter = VK_FILTER_LINEAR; }},
    {"srcImage-06421", [](Copy& c) { SetPlanes(c.source, kColor, VK_FORMAT_G8B8G8R8_422_UNORM); }},
    {"dstImage-06422", [](Copy& c) { SetPlanes(c.target, kColor, VK_FORMAT_G8B8G8R8_422_UNORM); }},
    {"filter-02002", [](Copy& c) { c.source.info.format = kNoFilter, c.filter = VK_FILTER_CUBIC_EXT; }},
    {"filter-00237", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.filter = VK_FILTER_CUBIC_EXT; }},
    {"srcImage-00229", [](Copy& c) { c.source.info.format = VK_FORMAT_R8_SINT; }},
    {"srcImage-00230", [](Copy& c) { c.target.info.format = VK_FORMAT_R8_UINT; }},
    {"srcImage-00231",
     [](Copy& c) { SetFormats(c, VK_FORMAT_D16_UNORM, kDepth), c.target.info.format = VK_FORMAT_D32_SFLOAT; }},
    {"srcImage-00232", [](Copy& c) { SetFormats(c, VK_FORMAT_D16_UNORM, kDepth), c.filter = VK_FILTER_LINEAR; }},
    {"srcSubresource-01707", [](Copy& c) { c.source.layers.baseArrayLayer = 4; }},
    {"dstSubresource-01708", [](Copy& c) { c.target.layers.baseArrayLayer = 4; }},
    {"layerCount-08801", [](Copy& c) { c.target.layers.layerCount = VK_REMAINING_ARRAY_LAYERS; }},
};

constexpr FamilyCase<Copy> kChainedCases[] = {
    {"filter-09204", [](Copy& c) { c.filter = VK_FILTER_CUBIC_EXT, c.has_other_weights = true; }},
    {"pRegions-04561",
     [](Copy& c) { c.source.info.format = kBlocks, c.transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR; }},
};

}  // namespace

absl::Span<const FamilyCase<ImageCopy>> ChainedBlitCases() { return kChainedCases; }
absl::Span<const FamilyCase<ImageCopy>> ImageBlitCases() { return kBlitCases; }

}  // namespace assay::core
