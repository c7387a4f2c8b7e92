// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/image_clear_cases.h"

#include "core/copies/cases/case_changes.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using Clear = ImageClear;

void LoseUsage(Clear& clear) { clear.image.info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT; }

constexpr FamilyCase<Clear> kClearCases[] = {
    {"image-00002", LoseUsage},
    {"pRanges-02660", LoseUsage},
    {"pRanges-02659", [](Clear& c) { LoseUsage(c), c.range.aspectMask = kStencil; }},
    {"pRanges-02658",
     [](Clear& c) { LoseUsage(c), c.image.stencil_usage = VK_IMAGE_USAGE_SAMPLED_BIT, c.range.aspectMask = kStencil; }},
    {"image-00003 image-00010", [](Clear& c) { c.image.is_bound = false; }},
    {"commandBuffer-01805 commandBuffer-01807", [](Clear& c) { c.image.info.flags = VK_IMAGE_CREATE_PROTECTED_BIT; }},
    {"commandBuffer-01806 commandBuffer-01808", [](Clear& c) { c.is_in_protected_commands = true; }},
    {"image-01993", [](Clear& c) { c.image.info.format = kNoTransferTarget; }},
    {"image-01994", [](Clear& c) { c.image.info.format = kNoTransferDepth; }},
    {"image-00007", [](Clear& c) { c.image.info.format = kBlocks; }},
    {"image-00007", [](Clear& c) { c.image.info.format = VK_FORMAT_D16_UNORM; }},
    {"image-00014", [](Clear& c) { c.image.info.format = VK_FORMAT_R8_UNORM; }},
    {"image-01545", [](Clear& c) { SetPlanes(c.image, kColor); }},
    {"image-01545", [](Clear& c) { SetPlanes(c.image, kColor, VK_FORMAT_G8B8G8R8_422_UNORM); }},
    {"image-09678", [](Clear& c) { c.image.info.format = VK_FORMAT_R64G64B64A64_SFLOAT; }},
    {"aspectMask-02498", [](Clear& c) { c.range.aspectMask = kDepth; }},
    {"aspectMask-02824", [](Clear& c) { c.range.aspectMask = kColor; }},
    {"image-02825", [](Clear& c) { c.image.info.format = VK_FORMAT_D32_SFLOAT, c.range.aspectMask = kStencil; }},
    {"image-02826", [](Clear& c) { c.image.info.format = VK_FORMAT_S8_UINT; }},
    {"pColor-04961", [](Clear& c) { c.has_color = false; }},
    {"imageLayout-00012", [](Clear& c) { c.layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL; }},
    {"depth-00022", [](Clear& c) { c.depth = 1.5f; }},
    {"baseMipLevel-01470 baseMipLevel-01474", [](Clear& c) { c.range.baseMipLevel = 2; }},
    {"pRanges-01692 pRanges-01694", [](Clear& c) { c.range.levelCount = 3; }},
    {"baseArrayLayer-01472 baseArrayLayer-01476", [](Clear& c) { c.range.baseArrayLayer = 4; }},
    {"pRanges-01693 pRanges-01695", [](Clear& c) { c.range.baseArrayLayer = 2, c.range.layerCount = 3; }},
};

}  // namespace

ImageClear DepthStencilClear() {
  ImageClear clear;
  clear.image.info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  clear.range.aspectMask = kDepth;
  return clear;
}

absl::Span<const FamilyCase<ImageClear>> ImageClearCases() { return kClearCases; }

std::vector<vk::VuidIndex> ImageClearIds() {
  return IdsOf<vk::CmdClearColorImage, vk::CmdClearDepthStencilImage>(ImageClearCases());
}

}  // namespace assay::core
