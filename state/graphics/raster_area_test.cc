// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/graphics/raster_area.h"

#include <cmath>
#include <cstdint>

#include "gtest/gtest.h"

namespace assay::state {
namespace {

constexpr VkRect2D kArea = {{8, 8}, {16, 16}};

bool ViewportContains(const VkViewport& viewport) {
  RasterArea raster;
  raster.SetViewports(0, {viewport});
  return raster.ViewportsContain(kArea, 1);
}
bool ScissorContains(const VkRect2D& scissor) {
  RasterArea raster;
  raster.SetScissors(0, {scissor});
  return raster.ScissorsContain(kArea, 1);
}

TEST(RasterArea, ViewportContainsArea) {
  EXPECT_TRUE(ViewportContains({8, 8, 16, 16, 0, 1}));
  EXPECT_TRUE(ViewportContains({0, 0, 64, 64, 0, 1}));
  EXPECT_TRUE(ViewportContains({0, 64, 64, -64, 0, 1}));
}
TEST(RasterArea, ViewportDoesNotContainArea) {
  EXPECT_FALSE(ViewportContains({9, 8, 16, 16, 0, 1}));
  EXPECT_FALSE(ViewportContains({8, 8, 16, 15.5f, 0, 1}));
  EXPECT_FALSE(ViewportContains({8, 8, 16, -16, 0, 1}));
  EXPECT_FALSE(ViewportContains({NAN, 8, 16, 16, 0, 1}));
  EXPECT_FALSE(ViewportContains({8, NAN, 16, 16, 0, 1}));
}
TEST(RasterArea, ScissorContainsArea) {
  EXPECT_TRUE(ScissorContains(kArea));
  EXPECT_TRUE(ScissorContains({{0, 0}, {INT32_MAX, INT32_MAX}}));
}
TEST(RasterArea, ScissorDoesNotContainArea) {
  EXPECT_FALSE(ScissorContains({{8, 9}, {16, 16}}));
  EXPECT_FALSE(ScissorContains({{8, 8}, {15, 16}}));
  EXPECT_FALSE(ScissorContains({}));
}
TEST(RasterArea, EachOfSeveral) {
  RasterArea raster;
  const VkRect2D scissors[] = {kArea, kArea};
  raster.SetScissors(1, scissors);
  EXPECT_FALSE(raster.ScissorsContain(kArea, 1));
  raster.SetScissors(0, {kArea});
  EXPECT_TRUE(raster.ScissorsContain(kArea, 1));
  EXPECT_TRUE(raster.ScissorsContain(kArea, 3));
  EXPECT_FALSE(raster.ScissorsContain(kArea, 4));
}
TEST(RasterArea, NumberOutOfRange) {
  RasterArea raster;
  const VkRect2D scissors[] = {kArea, kArea};
  raster.SetScissors(kMaxViewports - 1, scissors);
  raster.SetScissors(UINT32_MAX, scissors);
  EXPECT_FALSE(raster.ScissorsContain(kArea, 0));
  EXPECT_FALSE(raster.ScissorsContain(kArea, kMaxViewports + 1));
}

}  // namespace
}  // namespace assay::state
