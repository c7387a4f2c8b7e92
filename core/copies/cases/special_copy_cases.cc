// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Cases for one kind of device, or of objects.

#include "core/copies/cases/case_changes.h"
#include "core/copies/cases/image_copy_cases.h"

namespace assay::core {
namespace {

using Copy = ImageCopy;

constexpr VkImageTiling kLinear = VK_IMAGE_TILING_LINEAR;

void SetColorAndDepth(Copy& copy, CopySide& color, CopySide& depth) {
  SetFormat(color, VK_FORMAT_R32_SFLOAT, kColor);
  SetFormat(depth, VK_FORMAT_D32_SFLOAT, kDepth);
  copy.family = kComputeFamily;
}

constexpr FamilyCase<Copy> kOldCases[] = {
    {"srcImage-07743", [](Copy& c) { SetType(c.source, VK_IMAGE_TYPE_1D), c.extent = {16, 1, 1}; }},
};

constexpr FamilyCase<Copy> kOldestCases[] = {
    {"apiVersion-07933", [](Copy& c) { SetType(c.target, VK_IMAGE_TYPE_3D); }},
};

constexpr FamilyCase<Copy> kLinearCases[] = {
    {"linearColorAttachment-06519",
     [](Copy& c) { SetFormats(c, kNoLinearAttachment), SetPlain(c.target), c.target.info.tiling = kLinear; }},
};

constexpr FamilyCase<Copy> kIndirectCases[] = {
    {"dstImage-07664", [](Copy& c) { c.target.info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT; }},
    {"dstImage-07665", [](Copy& c) { c.target.is_bound = false; }},
    {"dstImage-07661", [](Copy& c) { c.target.info.flags = VK_IMAGE_CREATE_PROTECTED_BIT; }},
    {"dstImage-07673", [](Copy& c) { SetSubsampled(c.target); }},
    {"dstImage-07973", [](Copy& c) { c.target.info.samples = VK_SAMPLE_COUNT_4_BIT, c.target.info.mipLevels = 1; }},
    {"mipLevel-07670", [](Copy& c) { c.target.layers.mipLevel = 2; }},
    {"dstImage-07663", [](Copy& c) { LeaveNoLayers(c.target); }},
    {"layerCount-08764", [](Copy& c) { c.target.layers.baseArrayLayer = 4; }},
    {"aspectMask-07662", [](Copy& c) { SetFormats(c, VK_FORMAT_D32_SFLOAT_S8_UINT, kDepth | kStencil); }},
    {"commandBuffer-07674", [](Copy& c) { SetFormats(c, VK_FORMAT_D16_UNORM, kDepth), c.family = kComputeFamily; }},
};

constexpr FamilyCase<Copy> kMaintenance8Cases[] = {
    {"maintenance8-10207", [](Copy& c) { SetType(c.source, VK_IMAGE_TYPE_3D), c.source.layers.layerCount = 2; }},
    {"maintenance8-10208", [](Copy& c) { SetType(c.target, VK_IMAGE_TYPE_3D), c.target.layers.baseArrayLayer = 1; }},
    {"maintenance8-10579", [](Copy& c) { SetType(c.target, VK_IMAGE_TYPE_3D), c.source.layers.layerCount = 2; }},
    {"maintenance8-10580", [](Copy& c) { SetType(c.source, VK_IMAGE_TYPE_3D), c.target.layers.layerCount = 2; }},
    {"srcSubresource-10211", [](Copy& c) { SetFormat(c.target, VK_FORMAT_D16_UNORM, kDepth); }},
    {"srcSubresource-10212", [](Copy& c) { SetFormat(c.source, VK_FORMAT_D16_UNORM, kDepth); }},
    {"srcSubresource-10214", [](Copy& c) { SetFormat(c.target, VK_FORMAT_D24_UNORM_S8_UINT, kDepth | kStencil); }},
    {"dstSubresource-10215", [](Copy& c) { SetFormat(c.source, VK_FORMAT_D24_UNORM_S8_UINT, kDepth | kStencil); }},
    {"commandBuffer-10217", [](Copy& c) { SetColorAndDepth(c, c.source, c.target); }},
    {"commandBuffer-10218", [](Copy& c) { SetColorAndDepth(c, c.target, c.source); }},
};

}  // namespace

absl::Span<const FamilyCase<ImageCopy>> OldImageCopyCases() { return kOldCases; }
absl::Span<const FamilyCase<ImageCopy>> OldestImageCopyCases() { return kOldestCases; }
absl::Span<const FamilyCase<ImageCopy>> LinearResolveCases() { return kLinearCases; }
absl::Span<const FamilyCase<ImageCopy>> IndirectCopyCases() { return kIndirectCases; }
absl::Span<const FamilyCase<ImageCopy>> Maintenance8Cases() { return kMaintenance8Cases; }

}  // namespace assay::core
