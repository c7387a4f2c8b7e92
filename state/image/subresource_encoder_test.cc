// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/image/subresource_encoder_test.h"

#include <array>
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/format_info.h"

namespace assay::state {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ImageSubresourceEncoder, FrequentCasesAreOneRange) {
  // Levels of 8x4, 4x2, 2x1 and 1x1 texels of 4 bytes, 3 layers of each.
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_R8G8B8A8_UNORM, 8, 4, 4, 3));
  EXPECT_EQ(map.size(), 3u * 4u * (32 + 8 + 2 + 1));
  EXPECT_THAT(Ranges(map, kAll), ElementsAre(ByteRange{0, map.size()}));
  EXPECT_THAT(Ranges(map, {kColor, 1, 1, 0, 3}), ElementsAre(ByteRange{384, 480}));
  EXPECT_THAT(Ranges(map, {kColor, 1, VK_REMAINING_MIP_LEVELS, 0, 3}), ElementsAre(ByteRange{384, map.size()}));
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 1, 1}), ElementsAre(ByteRange{128, 256}));
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 1, VK_REMAINING_ARRAY_LAYERS}), ElementsAre(ByteRange{128, 384}));
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {0, 1, 0}, {8, 2, 1}), ElementsAre(ByteRange{32, 96}));
  EXPECT_THAT(Region(map, {kColor, 0, 0, 3}, {0, 0, 0}, {8, 4, 1}), ElementsAre(ByteRange{0, 384}));
  EXPECT_THAT(Area(map, {kColor, 0, 1, 0, 3}, {{0, 0}, {8, 4}}), ElementsAre(ByteRange{0, 384}));
}

TEST(ImageSubresourceEncoder, PartsAreSortedRanges) {
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_R8G8B8A8_UNORM, 8, 4, 4, 3));
  EXPECT_THAT(Ranges(map, {kColor, 0, 2, 1, 1}), ElementsAre(ByteRange{128, 256}, ByteRange{416, 448}));
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {2, 1, 0}, {3, 2, 1}), ElementsAre(ByteRange{40, 52}, ByteRange{72, 84}));
  EXPECT_THAT(Area(map, {kColor, 0, 1, 1, 2}, {{0, 3}, {8, 1}}), ElementsAre(ByteRange{224, 256}, ByteRange{352, 384}));
}

TEST(ImageSubresourceEncoder, TouchingRangesOfSeveralAppendsJoin) {
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_R8_UNORM, 4, 4, 1, 3));
  ByteRanges ranges;
  map.AppendRanges({kColor, 0, 1, 0, 1}, ranges);
  map.AppendRanges({kColor, 0, 1, 1, 1}, ranges);
  EXPECT_THAT(ranges, ElementsAre(ByteRange{0, 32}));
}

TEST(ImageSubresourceEncoder, DepthAndStencilAreApart) {
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_D32_SFLOAT_S8_UINT, 4, 4, 2));
  EXPECT_EQ(map.size(), 20u * 4 + 20);
  EXPECT_THAT(Ranges(map, {kDepth, 0, 2, 0, 1}), ElementsAre(ByteRange{0, 80}));
  EXPECT_THAT(Ranges(map, {kStencil, 0, 2, 0, 1}), ElementsAre(ByteRange{80, 100}));
  EXPECT_THAT(Ranges(map, {kDepth | kStencil, 0, 2, 0, 1}), ElementsAre(ByteRange{0, 100}));
  EXPECT_THAT(Ranges(map, {kDepth | kStencil, 1, 1, 0, 1}), ElementsAre(ByteRange{64, 80}, ByteRange{96, 100}));
  EXPECT_THAT(Ranges(map, {kColor, 0, 2, 0, 1}), IsEmpty());
}

TEST(ImageSubresourceEncoder, DepthWithoutStencilHasNoStencil) {
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_D16_UNORM, 4, 4));
  EXPECT_EQ(map.size(), 32u);
  EXPECT_THAT(Ranges(map, {kStencil, 0, 1, 0, 1}), IsEmpty());
}

TEST(ImageSubresourceEncoder, PlanesHaveTheirOwnExtent) {
  // 5x3 texels of 1 byte, then two planes of 3x2 texels.
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 5, 3));
  EXPECT_EQ(map.size(), 15u + 6 + 6);
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 0, 1}), ElementsAre(ByteRange{0, 27}));
  EXPECT_THAT(Ranges(map, {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 1, 0, 1}), ElementsAre(ByteRange{15, 21}));
  EXPECT_THAT(Ranges(map, {VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT, 0, 1, 0, 1}),
              ElementsAre(ByteRange{0, 15}, ByteRange{21, 27}));
  // In texels of the plane.
  EXPECT_THAT(Region(map, {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1}, {2, 1, 0}, {1, 1, 1}),
              ElementsAre(ByteRange{20, 21}));
  // In texels of the image: the texel at (4, 2) is the only one in its pair.
  EXPECT_THAT(Area(map, {kColor, 0, 1, 0, 1}, {{4, 2}, {1, 1}}),
              ElementsAre(ByteRange{14, 15}, ByteRange{20, 21}, ByteRange{26, 27}));
  EXPECT_THAT(Area(map, {kColor, 0, 1, 0, 1}, {{1, 0}, {2, 1}}),
              ElementsAre(ByteRange{1, 3}, ByteRange{15, 17}, ByteRange{21, 23}));
}

TEST(ImageSubresourceEncoder, CompressedRegionsCoverWholeBlocks) {
  // 3x2 blocks of 8 bytes; 2x1 in the second level.
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_BC1_RGB_UNORM_BLOCK, 10, 6, 2));
  EXPECT_EQ(map.size(), 64u);
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {4, 0, 0}, {4, 4, 1}), ElementsAre(ByteRange{8, 16}));
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {3, 0, 0}, {2, 1, 1}), ElementsAre(ByteRange{0, 16}));
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {8, 4, 0}, {2, 2, 1}), ElementsAre(ByteRange{40, 48}));
  EXPECT_THAT(Region(map, {kColor, 1, 0, 1}, {4, 0, 0}, {4, 4, 1}), ElementsAre(ByteRange{56, 64}));
  // Texels past the edge that share a block with some before it.
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {10, 0, 0}, {2, 4, 1}), IsEmpty());
}

TEST(ImageSubresourceEncoder, DepthSlices) {
  // Slices of 4x4 bytes, 4 of them; then 2x2, 2 of them.
  const ImageSubresourceEncoder map(ImageInfo(VK_IMAGE_TYPE_3D, VK_FORMAT_R8_UNORM, {4, 4, 4}, 2, 1));
  EXPECT_EQ(map.size(), 72u);
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 0, 1}), ElementsAre(ByteRange{0, 64}));
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 1, 2}, LayerUnit::kDepthSlices), ElementsAre(ByteRange{16, 48}));
  EXPECT_THAT(Ranges(map, {kColor, 0, 2, 1, VK_REMAINING_ARRAY_LAYERS}, LayerUnit::kDepthSlices),
              ElementsAre(ByteRange{16, 64}, ByteRange{68, 72}));
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {0, 0, 2}, {4, 4, 1}), ElementsAre(ByteRange{32, 48}));
  EXPECT_THAT(Area(map, {kColor, 0, 1, 3, 1}, {{0, 0}, {4, 1}}, LayerUnit::kDepthSlices),
              ElementsAre(ByteRange{48, 52}));
  EXPECT_THAT(Area(map, {kColor, 1, 1, 0, 1}, {{0, 0}, {2, 1}}), ElementsAre(ByteRange{64, 66}, ByteRange{68, 70}));
  // For other images the unit makes no difference.
  const ImageSubresourceEncoder array(Image2d(VK_FORMAT_R8_UNORM, 2, 2, 1, 3));
  EXPECT_THAT(Ranges(array, {kColor, 0, 1, 1, 1}, LayerUnit::kDepthSlices), ElementsAre(ByteRange{4, 8}));
}

TEST(ImageSubresourceEncoder, BoxesOfBytes) {
  // 8x4 texels of 4 bytes, then 4x2; 3 layers of each.
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_R8G8B8A8_UNORM, 8, 4, 2, 3));
  const auto box = [&](uint64_t begin, uint64_t end) {
    const std::vector<TexelBox> boxes = map.BoxesOf({begin, end});
    EXPECT_EQ(boxes.size(), 1u);
    return boxes.front();
  };
  // Texels 2 and 3 of row 1 of layer 1.
  TexelBox part = box(128 + 32 + 8, 128 + 32 + 16);
  EXPECT_EQ(part.aspect, kColor);
  EXPECT_EQ(part.level, 0u);
  EXPECT_EQ(part.first_layer, 1u);
  EXPECT_EQ(part.end_layer, 2u);
  EXPECT_EQ(part.begin, (std::array<uint32_t, 3>{2, 1, 0}));
  EXPECT_EQ(part.end, (std::array<uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(part.extent, (std::array<uint32_t, 3>{8, 4, 1}));
  // From the middle of a row to the middle of the next.
  part = box(16, 48);
  EXPECT_EQ(part.begin, (std::array<uint32_t, 3>{0, 0, 0}));
  EXPECT_EQ(part.end, (std::array<uint32_t, 3>{8, 2, 1}));
  part = box(384 + 32, 384 + 96);
  EXPECT_EQ(part.level, 1u);
  EXPECT_EQ(part.first_layer, 1u);
  EXPECT_EQ(part.end_layer, 3u);
  EXPECT_EQ(part.end, part.extent);
  EXPECT_EQ(map.BoxesOf({0, map.size()}).size(), 2u);
  EXPECT_EQ(map.aspects(), kColor);
}

// Region and back: blocks at the edge, planes and slices.
TEST(ImageSubresourceEncoder, BoxesOfRegions) {
  const ImageSubresourceEncoder blocks(Image2d(VK_FORMAT_BC1_RGB_UNORM_BLOCK, 10, 6));
  EXPECT_EQ(blocks.BoxesOf({40, 48})[0].begin, (std::array<uint32_t, 3>{8, 4, 0}));
  EXPECT_EQ(blocks.BoxesOf({40, 48})[0].end, (std::array<uint32_t, 3>{10, 6, 1}));
  const ImageSubresourceEncoder planes(Image2d(VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 5, 3));
  const std::vector<TexelBox> all = planes.BoxesOf({14, 27});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].aspect, VkImageAspectFlags{VK_IMAGE_ASPECT_PLANE_0_BIT});
  EXPECT_EQ(all[0].begin, (std::array<uint32_t, 3>{4, 2, 0}));
  EXPECT_EQ(all[2].aspect, VkImageAspectFlags{VK_IMAGE_ASPECT_PLANE_2_BIT});
  EXPECT_EQ(all[2].end, (std::array<uint32_t, 3>{3, 2, 1}));
  const ImageSubresourceEncoder volume(ImageInfo(VK_IMAGE_TYPE_3D, VK_FORMAT_R8_UNORM, {4, 4, 4}, 1, 1));
  EXPECT_EQ(volume.BoxesOf({16, 48})[0].begin, (std::array<uint32_t, 3>{0, 0, 1}));
  EXPECT_EQ(volume.BoxesOf({16, 48})[0].end, (std::array<uint32_t, 3>{4, 4, 3}));
}

TEST(ImageSubresourceEncoder, CornerSampledLevelsRoundUp) {
  VkImageCreateInfo info = Image2d(VK_FORMAT_R8_UNORM, 5, 5, 3);
  info.flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV;
  EXPECT_EQ(ImageSubresourceEncoder(info).size(), 25u + 9 + 4);
}

TEST(ImageSubresourceEncoder, UnknownFormatsHaveColor) {
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_UNDEFINED, 4, 4));
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 0, 1}), ElementsAre(ByteRange{0, map.size()}));
}

TEST(ImageSubresourceEncoder, NonsenseIsClamped) {
  const ImageSubresourceEncoder map(Image2d(VK_FORMAT_R8_UNORM, 4, 4, 2, 2));
  EXPECT_THAT(Ranges(map, {kColor, 0, 100, 0, 100}), ElementsAre(ByteRange{0, map.size()}));
  EXPECT_THAT(Ranges(map, {kColor, 7, VK_REMAINING_MIP_LEVELS, 0, 1}), IsEmpty());
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 0xFFFFFFFE, 0xFFFFFFFE}), IsEmpty());
  EXPECT_THAT(Ranges(map, {kColor, 0, 0, 0, 1}), IsEmpty());
  EXPECT_THAT(Ranges(map, {0, 0, 1, 0, 1}), IsEmpty());
  EXPECT_THAT(Region(map, {kColor, 9, 0, 1}, {0, 0, 0}, {4, 4, 1}), IsEmpty());
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {-3, -1, -1}, {4, 2, 2}), ElementsAre(ByteRange{0, 1}));
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {0, 0, 0}, {0, 4, 1}), IsEmpty());
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {INT32_MAX, 0, 0}, {UINT32_MAX, 4, 1}), IsEmpty());
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {INT32_MIN, INT32_MIN, INT32_MIN}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}),
              ElementsAre(ByteRange{0, 16}));
  EXPECT_THAT(Area(map, {kColor, 0, 1, 0, 1}, {{INT32_MIN, 0}, {3, 3}}), IsEmpty());
}

TEST(ImageSubresourceEncoder, ImpossibleImagesAreEmpty) {
  const std::vector<VkImageCreateInfo> infos = {
      Image2d(VK_FORMAT_R8_UNORM, 0, 4),
      Image2d(VK_FORMAT_R8_UNORM, 4, 4, 0),
      Image2d(VK_FORMAT_R8_UNORM, 4, 4, 1, 0),
      Image2d(VK_FORMAT_R8_UNORM, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX),
      ImageInfo(VK_IMAGE_TYPE_3D, VK_FORMAT_R8_UNORM, {4, 4, 0}, 1, 1),
  };
  for (const VkImageCreateInfo& info : infos) {
    const ImageSubresourceEncoder map(info);
    EXPECT_EQ(map.size(), 0u);
    EXPECT_THAT(Ranges(map, kAll), IsEmpty());
    EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {0, 0, 0}, {4, 4, 4}), IsEmpty());
  }
  EXPECT_GT(ImageSubresourceEncoder(Image2d(VK_FORMAT_R8_UNORM, 4, 4, UINT32_MAX)).size(), 0u);
}

TEST(ImageSubresourceEncoder, EveryFormatHasOneContiguousSpace) {
  for (const vk::FormatInfo& format : vk::Formats()) {
    if (format.format == VK_FORMAT_UNDEFINED) continue;
    const ImageSubresourceEncoder map(Image2d(format.format, 16, 16, 3, 2));
    EXPECT_GT(map.size(), 0u) << format.name;
    EXPECT_THAT(Ranges(map, {format.aspects, 0, 3, 0, 2}), ElementsAre(ByteRange{0, map.size()})) << format.name;
  }
}

}  // namespace
}  // namespace assay::state
