// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/cases/case_changes.h"
#include "core/copies/cases/image_copy_cases.h"

namespace assay::core {
namespace {

using Copy = ImageCopy;

constexpr VkSurfaceTransformFlagBitsKHR k90 = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR;
constexpr VkSurfaceTransformFlagBitsKHR k180 = VK_SURFACE_TRANSFORM_ROTATE_180_BIT_KHR;
constexpr VkSurfaceTransformFlagBitsKHR k270 = VK_SURFACE_TRANSFORM_ROTATE_270_BIT_KHR;

// Blocks of 4 x 4 texels, of which the turned region has 8 x 4 or 4 x 8.
void Turn(Copy& c, VkSurfaceTransformFlagBitsKHR transform, int32_t x, int32_t y) {
  SetFormats(c, kBlocks);
  c.transform = transform;
  c.extent = {8, 4, 1};
  c.source.offset = c.target.offset = {x, y, 0};
}

// Images with texel blocks must not be turned at all, so each case breaks that rule, too.
constexpr FamilyCase<Copy> kCases[] = {
    {"imageOffset-10051", [](Copy& c) { Turn(c, k90, 30, 16), c.extent.height = 6; }},
    {"imageOffset-10052", [](Copy& c) { Turn(c, k270, 16, 30), c.extent.width = 6; }},
    {"imageOffset-10053", [](Copy& c) { Turn(c, k90, 32, 16), c.extent.height = 6; }},
    {"imageOffset-10054", [](Copy& c) { Turn(c, k180, 32, 16), c.extent.width = 6; }},
    {"imageOffset-10055", [](Copy& c) { Turn(c, k270, 16, 32), c.extent.height = 6; }},
    {"imageOffset-10056", [](Copy& c) { Turn(c, k90, 32, 16), c.extent.width = 6; }},
    {"imageOffset-10057", [](Copy& c) { Turn(c, k180, 32, 16), c.extent.height = 6; }},
    {"imageOffset-10058", [](Copy& c) { Turn(c, k270, 16, 32), c.extent.width = 6; }},
};

}  // namespace

absl::Span<const FamilyCase<ImageCopy>> TurnedCopyCases() { return kCases; }

}  // namespace assay::core
