// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/image_types.h"

#include "gtest/gtest.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/description/formats.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {
namespace {

TEST(ImageTypesTest, Names) {
  EXPECT_EQ(ImageViewTypeByName("cube_array"), VK_IMAGE_VIEW_TYPE_CUBE_ARRAY);
  EXPECT_EQ(ImageViewTypeByName("4d"), VK_IMAGE_VIEW_TYPE_MAX_ENUM);
  EXPECT_EQ(ImageTypeOf(VK_IMAGE_VIEW_TYPE_1D_ARRAY), VK_IMAGE_TYPE_1D);
  EXPECT_EQ(ImageTypeOf(VK_IMAGE_VIEW_TYPE_CUBE), VK_IMAGE_TYPE_2D);
  EXPECT_TRUE(IsArrayed(VK_IMAGE_VIEW_TYPE_2D_ARRAY));
  EXPECT_FALSE(IsArrayed(VK_IMAGE_VIEW_TYPE_CUBE));
}

// 8x4x1, 4x2x1 and 2x1x1 texels of 8 bytes in each of 3 layers.
TEST(ImageTypesTest, Levels) {
  const ImageDescription image = {.format = VK_FORMAT_R32G32_UINT, .extent = {8, 4, 1}, .levels = 3, .layers = 3};
  EXPECT_EQ(LevelExtent(image, 2).width, 2u);
  EXPECT_EQ(LevelExtent(image, 2).height, 1u);
  EXPECT_EQ(LevelExtent(image, 2).depth, 1u);
  EXPECT_EQ(LevelOffset(image, 0), 0u);
  EXPECT_EQ(LevelOffset(image, 1), 8u * 32 * 3);
  EXPECT_EQ(LevelOffset(image, 3), 8u * (32 + 8 + 2) * 3);
}

TEST(FormatsTest, NamesAndSizes) {
  EXPECT_EQ(FormatByName("rgba8_snorm"), VK_FORMAT_R8G8B8A8_SNORM);
  EXPECT_EQ(FormatByName("rgb32f"), VK_FORMAT_R32G32B32_SFLOAT);
  EXPECT_EQ(FormatByName("rgba8888"), VK_FORMAT_UNDEFINED);
  EXPECT_EQ(TexelSize(VK_FORMAT_R16G16_SFLOAT), 4u);
  EXPECT_EQ(TexelSize(VK_FORMAT_R64_UINT), 8u);
  EXPECT_EQ(TexelSize(VK_FORMAT_UNDEFINED), 0u);
  EXPECT_EQ(AspectOf(FormatByName("d32f")), VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT});
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus
