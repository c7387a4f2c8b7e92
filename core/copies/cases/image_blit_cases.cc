// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/case_changes.h"
#include "core/copies/cases/image_copy_cases.h"

namespace assay::core {
namespace {

using Copy = ImageCopy;

constexpr FamilyCase<Copy> kBlitCases[] = {
    {"srcImage-00219", [](Copy& c) { c.source.info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT; }},
    {"dstImage-00224", [](Copy& c) { c.target.info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT; }},
    {"srcImage-00220", [](Copy& c) { c.source.is_bound = false; }},
    {"dstImage-00225", [](Copy& c) { c.target.is_bound = false; }},
    {"commandBuffer-01834", [](Copy& c) { c.source.info.flags = VK_IMAGE_CREATE_PROTECTED_BIT; }},
    {"commandBuffer-01835", [](Copy& c) { c.target.info.flags = VK_IMAGE_CREATE_PROTECTED_BIT; }},
    {"commandBuffer-01836", [](Copy& c) { c.is_in_protected_commands = true; }},
    {"srcImage-01999", [](Copy& c) { c.source.info.format = kNoBlitSource; }},
    {"dstImage-02000", [](Copy& c) { c.target.info.format = kNoBlitTarget; }},
    {"filter-02001", [](Copy& c) { c.source.info.format = kNoFilter, c.filter = VK_FILTER_LINEAR; }},
    {"srcImage-06421",
     [](Copy& c) {
       c.source.info.format = VK_FORMAT_G8B8G8R8_422_UNORM;
       c.source.info.mipLevels = c.source.info.arrayLayers = 1;
     }},
    {"dstImage-06422",
     [](Copy& c) {
       c.target.info.format = VK_FORMAT_G8B8G8R8_422_UNORM;
       c.target.info.mipLevels = c.target.info.arrayLayers = 1;
     }},
    {"filter-02002", [](Copy& c) { c.source.info.format = kNoFilter, c.filter = VK_FILTER_CUBIC_EXT; }},
    {"filter-00237", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.filter = VK_FILTER_CUBIC_EXT; }},
    {"dstImage-02545", [](Copy& c) { SetSubsampled(c.source); }},
    {"dstImage-02545", [](Copy& c) { SetSubsampled(c.target); }},
    {"srcImage-00229", [](Copy& c) { c.source.info.format = VK_FORMAT_R8_SINT; }},
    {"srcImage-00230", [](Copy& c) { c.target.info.format = VK_FORMAT_R8_UINT; }},
    {"srcImage-00231",
     [](Copy& c) { SetFormats(c, VK_FORMAT_D16_UNORM, kDepth), c.target.info.format = VK_FORMAT_D32_SFLOAT; }},
    {"srcImage-00232", [](Copy& c) { SetFormats(c, VK_FORMAT_D16_UNORM, kDepth), c.filter = VK_FILTER_LINEAR; }},
    {"srcImage-00233", [](Copy& c) { c.source.info.samples = VK_SAMPLE_COUNT_4_BIT, c.source.info.mipLevels = 1; }},
    {"dstImage-00234", [](Copy& c) { c.target.info.samples = VK_SAMPLE_COUNT_4_BIT, c.target.info.mipLevels = 1; }},
    {"srcSubresource-01705", [](Copy& c) { c.source.layers.mipLevel = 2; }},
    {"dstSubresource-01706", [](Copy& c) { c.target.layers.mipLevel = 2; }},
    {"srcSubresource-01707", [](Copy& c) { c.source.layers.baseArrayLayer = 4; }},
    {"dstSubresource-01708", [](Copy& c) { c.target.layers.baseArrayLayer = 4; }},
    {"pRegions-00215", [](Copy& c) { LeaveNoLayers(c.source); }},
    {"pRegions-00216", [](Copy& c) { LeaveNoLayers(c.target); }},
    {"aspectMask-00241", [](Copy& c) { c.source.layers.aspectMask = kDepth; }},
    {"aspectMask-00242", [](Copy& c) { c.target.layers.aspectMask = kDepth; }},
    {"aspectMask-00238",
     [](Copy& c) { SetFormats(c, VK_FORMAT_D32_SFLOAT_S8_UINT, kDepth), c.target.layers.aspectMask = kStencil; }},
    {"layerCount-08800", [](Copy& c) { c.target.layers.layerCount = 2; }},
    {"layerCount-08801", [](Copy& c) { c.target.layers.layerCount = VK_REMAINING_ARRAY_LAYERS; }},
    {"srcImage-00240", [](Copy& c) { SetType(c.target, VK_IMAGE_TYPE_3D), c.source.layers.layerCount = 2; }},
    {"srcOffset-00243", [](Copy& c) { c.source.offset.x = 49; }},
    {"srcOffset-00243", [](Copy& c) { c.source.offset.x = -1; }},
    {"srcOffset-00244", [](Copy& c) { c.source.offset.y = 49; }},
    {"dstOffset-00248", [](Copy& c) { c.target.offset.x = 49; }},
    {"dstOffset-00249", [](Copy& c) { c.target.offset.y = 49; }},
    {"srcOffset-00246", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.source.offset.z = 4; }},
    {"dstOffset-00251", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_3D), c.target.offset.z = 4; }},
    {"srcImage-00245", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.source.offset.y = 1; }},
    {"dstImage-00250", [](Copy& c) { SetTypes(c, VK_IMAGE_TYPE_1D), c.target.offset.y = 1; }},
    {"srcImage-00247", [](Copy& c) { c.source.offset.z = 1; }},
    {"dstImage-00252", [](Copy& c) { c.target.offset.z = 1; }},
    {"pRegions-00217", [](Copy& c) { c.is_one_image = true, c.target.offset = {15, 15, 0}; }},
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
