// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/depth_regions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

using ::testing::IsEmpty;

constexpr vk::CommandId kCopy = vk::CmdCopyBufferToImage::kId;
constexpr VkImageCreateInfo kImage = {.format = VK_FORMAT_D32_SFLOAT, .arrayLayers = 6};

VkBufferImageCopy Region(uint32_t width, uint32_t height, uint32_t layers = 1) {
  return {.imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT, .layerCount = layers},
          .imageExtent = {width, height, 1}};
}

std::vector<uint32_t> Words(const std::vector<float>& depths) {
  std::vector<uint32_t> words(depths.size());
  std::ranges::transform(depths, words.begin(), [](float depth) { return std::bit_cast<uint32_t>(depth); });
  return words;
}

VkDeviceSize BytesOf(const VkBufferImageCopy& region, VkDeviceSize buffer_size = 1 << 20) {
  const std::optional<DepthRegion> result = DepthRegionOf(region, 0, kImage, buffer_size);
  return result ? result->bytes : 0;
}

TEST(DepthRegionsTest, OnlyFloatsMayBeOutOfRange) {
  EXPECT_TRUE(HasFloatDepths(VK_FORMAT_D32_SFLOAT));
  EXPECT_TRUE(HasFloatDepths(VK_FORMAT_D32_SFLOAT_S8_UINT));
  EXPECT_FALSE(HasFloatDepths(VK_FORMAT_D24_UNORM_S8_UINT));
  EXPECT_FALSE(HasFloatDepths(VK_FORMAT_D16_UNORM));
  EXPECT_FALSE(HasFloatDepths(VK_FORMAT_R32_SFLOAT));
}

TEST(DepthRegionsTest, BytesEndBehindTheLastTexel) {
  VkBufferImageCopy region = Region(3, 2, 2);
  EXPECT_EQ(BytesOf(region), 48u);
  region.bufferRowLength = 10;
  EXPECT_EQ(BytesOf(region), (30 + 3) * 4u);
  region.bufferImageHeight = 5;
  EXPECT_EQ(BytesOf(region), (60 + 3) * 4u);
  region.imageSubresource.layerCount = VK_REMAINING_ARRAY_LAYERS;
  region.imageSubresource.baseArrayLayer = 3;
  EXPECT_EQ(BytesOf(region), (110 + 3) * 4u);
}

TEST(DepthRegionsTest, StencilIsLeftOut) {
  VkBufferImageCopy region = Region(3, 2);
  region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  EXPECT_EQ(BytesOf(region), 0u);
}

// All of these are other rules' affair.
TEST(DepthRegionsTest, RegionsThatAreNotValidAreLeftOut) {
  EXPECT_EQ(BytesOf(Region(4, 4), 64), 64u);
  EXPECT_EQ(BytesOf(Region(4, 4), 63), 0u);
  VkBufferImageCopy region = Region(4, 4);
  region.bufferOffset = 4;
  EXPECT_EQ(BytesOf(region, 64), 0u);
  region.bufferOffset = 2;
  EXPECT_EQ(BytesOf(region), 0u);
  region.bufferOffset = 68;
  EXPECT_EQ(BytesOf(region, 64), 0u);
  region = Region(4, 4);
  region.bufferRowLength = 3;
  EXPECT_EQ(BytesOf(region), 0u);
  EXPECT_EQ(BytesOf(Region(4, 4, 7)), 0u);
  EXPECT_EQ(BytesOf(Region(0, 4)), 0u);
  region = Region(UINT32_MAX, UINT32_MAX, 6);
  region.bufferRowLength = region.bufferImageHeight = UINT32_MAX;
  EXPECT_EQ(BytesOf(region), 0u);
}

TEST(DepthRegionsTest, ValuesOutOfRange) {
  const std::optional<DepthRegion> region = DepthRegionOf(Region(1, 1), 0, kImage, 4);
  ASSERT_TRUE(region);
  const auto count = [&](float depth) { return FindDepthFaults(kCopy, {*region}, Words({depth})).size(); };
  EXPECT_EQ(count(0), 0u);
  EXPECT_EQ(count(-0.0F), 0u);
  EXPECT_EQ(count(0.5F), 0u);
  EXPECT_EQ(count(1), 0u);
  EXPECT_EQ(count(std::nextafter(1.0F, 2.0F)), 1u);
  EXPECT_EQ(count(-std::numeric_limits<float>::denorm_min()), 1u);
  EXPECT_EQ(count(std::numeric_limits<float>::infinity()), 1u);
  EXPECT_EQ(count(std::numeric_limits<float>::quiet_NaN()), 1u);
}

TEST(DepthRegionsTest, FirstOfThemIsNamed) {
  VkBufferImageCopy given = Region(2, 2, 2);
  given.bufferOffset = 16;
  given.bufferRowLength = 3;
  given.imageOffset = {10, 20, 0};
  given.imageSubresource.mipLevel = 1;
  given.imageSubresource.baseArrayLayer = 2;
  const std::optional<DepthRegion> region = DepthRegionOf(given, 5, kImage, 1024);
  ASSERT_TRUE(region);
  // The third of each row belongs to no texel.
  const std::vector<float> depths = {0, 0, 9, 0, 0, 9, 0, 0, 9, 0, 1.5, 9};
  std::vector<ParameterFault> faults = FindDepthFaults(kCopy, {*region}, Words(depths));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(vk::GetVuid(faults[0].vuid).id, "VUID-vkCmdCopyBufferToImage-pRegions-07931");
  EXPECT_EQ(faults[0].first, 5u);
  EXPECT_EQ(faults[0].count, 1u);
  EXPECT_EQ(faults[0].byte, 16u + 40);
  EXPECT_EQ(faults[0].text,
            "pRegions[5] copies the depth 1.5, which is not between 0 and 1, to texel (11, 21, 0) of mip level 1, "
            "array layer 3.");
  faults = FindDepthFaults(vk::CmdCopyBufferToImage2::kId, {*region}, Words({0, 2, 9, 3, 0, 9, 0, 0, 9, 0, 1.5}));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(vk::GetVuid(faults[0].vuid).id, "VUID-VkCopyBufferToImageInfo2-pRegions-07931");
  EXPECT_EQ(faults[0].count, 3u);
  EXPECT_EQ(faults[0].byte, 20u);
}

TEST(DepthRegionsTest, SlicesOfThreeDimensions) {
  VkImageCreateInfo image = kImage;
  image.arrayLayers = 1;
  VkBufferImageCopy given = Region(1, 1);
  given.imageExtent.depth = 3;
  given.bufferImageHeight = 2;
  const std::optional<DepthRegion> region = DepthRegionOf(given, 0, image, 1024);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->bytes, 20u);
  const std::vector<ParameterFault> faults = FindDepthFaults(kCopy, {*region}, Words({0, 9, 0, 9, 2}));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].text,
            "pRegions[0] copies the depth 2, which is not between 0 and 1, to texel (0, 0, 2) of mip level 0, array "
            "layer 0.");
}

TEST(DepthRegionsTest, WordsOfARegionFollowThoseOfTheOneBefore) {
  std::optional<DepthRegion> first = DepthRegionOf(Region(2, 2), 0, kImage, 1024);
  const std::optional<DepthRegion> second = DepthRegionOf(Region(1, 1), 1, kImage, 1024);
  ASSERT_TRUE(first && second);
  // What was not copied is not looked at.
  first->bytes = 12;
  const std::vector<ParameterFault> faults = FindDepthFaults(kCopy, {*first, *second}, Words({0, 1, 0, 2}));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].first, 1u);
  EXPECT_THAT(FindDepthFaults(kCopy, {*first, *second}, Words({0, 1, 0, 1})), IsEmpty());
}

}  // namespace
}  // namespace assay::gpuav
