// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/layout_box.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

LayoutBox Box(int level_begin, int level_end, int layer_begin, int layer_end,
              LayoutAspect aspect = LayoutAspect::kFirst) {
  return {aspect, static_cast<uint16_t>(level_begin), static_cast<uint16_t>(level_end),
          static_cast<uint32_t>(layer_begin), static_cast<uint32_t>(layer_end)};
}

TEST(LayoutBoxes, Without) {
  const LayoutBoxes pieces = Without(Box(0, 4, 0, 4), Box(1, 2, 1, 3));
  EXPECT_EQ(pieces, (LayoutBoxes{Box(0, 1, 0, 4), Box(2, 4, 0, 4), Box(1, 2, 0, 1), Box(1, 2, 3, 4)}));
  EXPECT_TRUE(Without(Box(0, 4, 0, 4), Box(0, 4, 0, 4)).empty());
}
TEST(LayoutBoxes, AspectsAreApart) {
  EXPECT_TRUE(Intersect(Box(0, 1, 0, 1), Box(0, 1, 0, 1, LayoutAspect::kStencil)).is_empty());
}

TEST(LayoutOf, AspectsOfCombinedLayouts) {
  EXPECT_EQ(LayoutOf(LayoutAspect::kFirst, false, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL),
            VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
  EXPECT_EQ(LayoutOf(LayoutAspect::kStencil, false, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL),
            VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL);
  EXPECT_EQ(LayoutOf(LayoutAspect::kFirst, true, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL),
            VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
}

}  // namespace
}  // namespace assay::core
