// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/format_info.h"

#include "gtest/gtest.h"
#include "vk/enum_to_string.h"

namespace assay::vk {
namespace {

TEST(FormatInfo, EveryFormatIsFound) {
  for (const FormatInfo& info : Formats()) {
    EXPECT_EQ(GetFormatInfo(info.format), &info);
    EXPECT_EQ(ToString(info.format), info.name);
    const int texels = info.block_extent[0] * info.block_extent[1] * info.block_extent[2];
    EXPECT_TRUE(info.texels_per_block == 1 || info.texels_per_block == texels) << info.name;
    EXPECT_FALSE(info.components.empty());
  }
  EXPECT_EQ(GetFormatInfo(VK_FORMAT_UNDEFINED), nullptr);
  EXPECT_EQ(GetFormatInfo(VK_FORMAT_MAX_ENUM), nullptr);
  EXPECT_EQ(GetFormatInfo(static_cast<VkFormat>(-1)), nullptr);
  EXPECT_EQ(GetFormatInfo(static_cast<VkFormat>(999)), nullptr);
}

TEST(FormatInfo, Color) {
  const FormatInfo& info = *GetFormatInfo(VK_FORMAT_B8G8R8A8_SRGB);
  EXPECT_EQ(info.class_name, "32-bit");
  EXPECT_EQ(info.block_size, 4);
  EXPECT_EQ(info.aspects, static_cast<VkImageAspectFlags>(VK_IMAGE_ASPECT_COLOR_BIT));
  ASSERT_EQ(info.components.size(), 4u);
  EXPECT_EQ(info.components[0].name, 'B');
  EXPECT_EQ(info.components[0].bits, 8);
  EXPECT_EQ(info.components[0].numeric_format, "SRGB");
  EXPECT_EQ(info.components[0].plane, -1);
  EXPECT_TRUE(info.planes.empty());
}

TEST(FormatInfo, DepthStencil) {
  EXPECT_EQ(GetFormatInfo(VK_FORMAT_D24_UNORM_S8_UINT)->aspects,
            static_cast<VkImageAspectFlags>(VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT));
  EXPECT_EQ(GetFormatInfo(VK_FORMAT_X8_D24_UNORM_PACK32)->aspects,
            static_cast<VkImageAspectFlags>(VK_IMAGE_ASPECT_DEPTH_BIT));
  EXPECT_EQ(GetFormatInfo(VK_FORMAT_S8_UINT)->aspects, static_cast<VkImageAspectFlags>(VK_IMAGE_ASPECT_STENCIL_BIT));
}

TEST(FormatInfo, Compressed) {
  const FormatInfo& info = *GetFormatInfo(VK_FORMAT_ASTC_10x8_UNORM_BLOCK);
  EXPECT_TRUE(info.compressed);
  EXPECT_EQ(info.block_size, 16);
  EXPECT_EQ(info.block_extent, (std::array<uint8_t, 3>{10, 8, 1}));
  EXPECT_EQ(info.components[0].bits, 0);
}

TEST(FormatInfo, MultiPlanar) {
  const FormatInfo& info = *GetFormatInfo(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
  EXPECT_EQ(info.aspects, static_cast<VkImageAspectFlags>(VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_PLANE_0_BIT |
                                                          VK_IMAGE_ASPECT_PLANE_1_BIT));
  ASSERT_EQ(info.planes.size(), 2u);
  EXPECT_EQ(info.planes[1].width_divisor, 2);
  EXPECT_EQ(info.planes[1].height_divisor, 2);
  EXPECT_EQ(info.planes[1].compatible, VK_FORMAT_R8G8_UNORM);
}

}  // namespace
}  // namespace assay::vk
