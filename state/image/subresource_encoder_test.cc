// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/image/subresource_encoder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/format_info.h"

namespace assay::state {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;

VkImageCreateInfo Image(VkImageType type, VkFormat format, VkExtent3D extent, uint32_t levels, uint32_t layers) {
  return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
          .imageType = type,
          .format = format,
          .extent = extent,
          .mipLevels = levels,
          .arrayLayers = layers,
          .samples = VK_SAMPLE_COUNT_1_BIT};
}

VkImageCreateInfo Image2d(VkFormat format, uint32_t width, uint32_t height, uint32_t levels = 1, uint32_t layers = 1) {
  return Image(VK_IMAGE_TYPE_2D, format, {width, height, 1}, levels, layers);
}

constexpr VkImageSubresourceRange kAll = {
    .aspectMask = VK_IMAGE_ASPECT_FLAG_BITS_MAX_ENUM,
    .levelCount = VK_REMAINING_MIP_LEVELS,
    .layerCount = VK_REMAINING_ARRAY_LAYERS,
};

ByteRanges Ranges(const ImageSubresourceEncoder& map, const VkImageSubresourceRange& range,
                  LayerUnit unit = LayerUnit::kArrayLayers) {
  ByteRanges ranges;
  map.AppendRanges(range, ranges, unit);
  return ranges;
}

ByteRanges Region(const ImageSubresourceEncoder& map, const VkImageSubresourceLayers& layers, const VkOffset3D& offset,
                  const VkExtent3D& extent) {
  ByteRanges ranges;
  map.AppendRegion(layers, offset, extent, ranges);
  return ranges;
}

ByteRanges Area(const ImageSubresourceEncoder& map, const VkImageSubresourceRange& range, const VkRect2D& area,
                LayerUnit unit = LayerUnit::kArrayLayers) {
  ByteRanges ranges;
  map.AppendArea(range, area, ranges, unit);
  return ranges;
}

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
  const ImageSubresourceEncoder map(Image(VK_IMAGE_TYPE_3D, VK_FORMAT_R8_UNORM, {4, 4, 4}, 2, 1));
  EXPECT_EQ(map.size(), 72u);
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 0, 1}), ElementsAre(ByteRange{0, 64}));
  EXPECT_THAT(Ranges(map, {kColor, 0, 1, 1, 2}, LayerUnit::kDepthSlices), ElementsAre(ByteRange{16, 48}));
  EXPECT_THAT(Ranges(map, {kColor, 0, 2, 1, VK_REMAINING_ARRAY_LAYERS}, LayerUnit::kDepthSlices),
              ElementsAre(ByteRange{16, 64}, ByteRange{68, 72}));
  EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {0, 0, 2}, {4, 4, 1}), ElementsAre(ByteRange{32, 48}));
  EXPECT_THAT(Area(map, {kColor, 0, 1, 3, 1}, {{0, 0}, {4, 1}}, LayerUnit::kDepthSlices),
              ElementsAre(ByteRange{48, 52}));
  EXPECT_THAT(Area(map, {kColor, 1, 1, 0, 1}, {{0, 0}, {2, 1}}), ElementsAre(ByteRange{64, 66}, ByteRange{68, 70}));
  // Not a 3D image: layers they are.
  const ImageSubresourceEncoder array(Image2d(VK_FORMAT_R8_UNORM, 2, 2, 1, 3));
  EXPECT_THAT(Ranges(array, {kColor, 0, 1, 1, 1}, LayerUnit::kDepthSlices), ElementsAre(ByteRange{4, 8}));
}

TEST(ImageSubresourceEncoder, BoxesAreWhatBytesMean) {
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
  const ImageSubresourceEncoder volume(Image(VK_IMAGE_TYPE_3D, VK_FORMAT_R8_UNORM, {4, 4, 4}, 1, 1));
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
      Image(VK_IMAGE_TYPE_3D, VK_FORMAT_R8_UNORM, {4, 4, 0}, 1, 1),
  };
  for (const VkImageCreateInfo& info : infos) {
    const ImageSubresourceEncoder map(info);
    EXPECT_EQ(map.size(), 0u);
    EXPECT_THAT(Ranges(map, kAll), IsEmpty());
    EXPECT_THAT(Region(map, {kColor, 0, 0, 1}, {0, 0, 0}, {4, 4, 4}), IsEmpty());
  }
  EXPECT_GT(ImageSubresourceEncoder(Image2d(VK_FORMAT_R8_UNORM, 4, 4, UINT32_MAX)).size(), 0u);
}

// The model numbers every block of every plane, level and layer in the order of these coordinates.
struct Block {
  uint32_t plane;
  uint32_t level;
  uint32_t layer;
  uint32_t z;
  uint32_t y;
  uint32_t x;

  friend auto operator<=>(const Block&, const Block&) = default;
};

struct ModelPlane {
  VkImageAspectFlags aspects;
  std::array<uint32_t, 3> divisor = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t bytes;
};

class Model {
 public:
  Model(const VkImageCreateInfo& info, std::vector<ModelPlane> planes) : info_(info), planes_(std::move(planes)) {
    uint64_t offset = 0;
    for (const Block& block : AllBlocks()) {
      offsets_[block] = offset;
      offset += planes_[block.plane].bytes;
    }
    size_ = offset;
  }

  uint64_t size() const { return size_; }

  // Those that have a texel, in the image, that satisfies the predicate (plane, level, layer, image texels, plane
  // texels).
  template <typename P>
  std::vector<ByteRange> RangesOf(P&& has) const {
    std::set<Block> blocks;
    ForEachTexel(
        [&](const Block& block, const std::array<uint32_t, 3>& texel, const std::array<uint32_t, 3>& plane_texel) {
          if (has(planes_[block.plane], block.level, block.layer, texel, plane_texel)) blocks.insert(block);
        });
    std::vector<ByteRange> ranges;
    for (const Block& block : blocks) {
      const uint64_t begin = offsets_.at(block);
      const uint64_t end = begin + planes_[block.plane].bytes;
      if (!ranges.empty() && ranges.back().end == begin) {
        ranges.back().end = end;
      } else {
        ranges.push_back({begin, end});
      }
    }
    return ranges;
  }

 private:
  std::set<Block> AllBlocks() const {
    std::set<Block> blocks;
    ForEachTexel([&](const Block& block, const auto&, const auto&) { blocks.insert(block); });
    return blocks;
  }

  template <typename F>
  void ForEachTexel(F&& f) const {
    for (uint32_t plane = 0; plane < planes_.size(); ++plane) {
      for (uint32_t level = 0; level < info_.mipLevels; ++level) {
        for (uint32_t layer = 0; layer < info_.arrayLayers; ++layer) ForEachTexelOf(plane, level, layer, f);
      }
    }
  }

  template <typename F>
  void ForEachTexelOf(uint32_t plane, uint32_t level, uint32_t layer, F&& f) const {
    const ModelPlane& p = planes_[plane];
    const VkExtent3D& extent = info_.extent;
    for (uint32_t z = 0; z < std::max(extent.depth >> level, 1u); ++z) {
      for (uint32_t y = 0; y < std::max(extent.height >> level, 1u); ++y) {
        for (uint32_t x = 0; x < std::max(extent.width >> level, 1u); ++x) {
          const std::array<uint32_t, 3> in_plane = {x / p.divisor[0], y / p.divisor[1], z};
          f(Block{plane, level, layer, in_plane[2] / p.block[2], in_plane[1] / p.block[1], in_plane[0] / p.block[0]},
            std::array<uint32_t, 3>{x, y, z}, in_plane);
        }
      }
    }
  }

  VkImageCreateInfo info_;
  std::vector<ModelPlane> planes_;
  std::map<Block, uint64_t> offsets_;
  uint64_t size_ = 0;
};

struct Format {
  VkFormat format;
  std::vector<ModelPlane> planes;
};

const std::vector<Format>& TestedFormats() {
  static const auto* const kFormats = new std::vector<Format>{
      {VK_FORMAT_R8_UNORM, {{.aspects = kColor, .bytes = 1}}},
      {VK_FORMAT_R16G16B16A16_SFLOAT, {{.aspects = kColor, .bytes = 8}}},
      {VK_FORMAT_BC3_UNORM_BLOCK, {{.aspects = kColor, .block = {4, 4, 1}, .bytes = 16}}},
      {VK_FORMAT_ASTC_5x4_UNORM_BLOCK, {{.aspects = kColor, .block = {5, 4, 1}, .bytes = 16}}},
      {VK_FORMAT_D32_SFLOAT, {{.aspects = kDepth, .bytes = 4}}},
      {VK_FORMAT_D24_UNORM_S8_UINT, {{.aspects = kDepth, .bytes = 3}, {.aspects = kStencil, .bytes = 1}}},
      {VK_FORMAT_G8B8G8R8_422_UNORM, {{.aspects = kColor, .block = {2, 1, 1}, .bytes = 4}}},
      {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
       {{.aspects = kColor | VK_IMAGE_ASPECT_PLANE_0_BIT, .bytes = 1},
        {.aspects = kColor | VK_IMAGE_ASPECT_PLANE_1_BIT, .divisor = {2, 2, 1}, .bytes = 2}}},
      {VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM,
       {{.aspects = kColor | VK_IMAGE_ASPECT_PLANE_0_BIT, .bytes = 1},
        {.aspects = kColor | VK_IMAGE_ASPECT_PLANE_1_BIT, .divisor = {2, 1, 1}, .bytes = 1},
        {.aspects = kColor | VK_IMAGE_ASPECT_PLANE_2_BIT, .divisor = {2, 1, 1}, .bytes = 1}}},
  };
  return *kFormats;
}

class RandomImage {
 public:
  explicit RandomImage(std::mt19937& random) : random_(random) {
    const Format& format = TestedFormats()[Below(TestedFormats().size())];
    const auto type = static_cast<VkImageType>(Below(3));
    static_assert(VK_IMAGE_TYPE_1D == 0 && VK_IMAGE_TYPE_3D == 2);
    info = Image(type, format.format, {1 + Below(9), type == VK_IMAGE_TYPE_1D ? 1 : 1 + Below(9), 1}, 1 + Below(3),
                 1 + Below(3));
    if (type == VK_IMAGE_TYPE_3D) {
      info.extent.depth = 1 + Below(5);
      info.arrayLayers = 1;
    }
    planes = format.planes;
  }

  uint32_t Below(uint64_t limit) { return static_cast<uint32_t>(random_() % limit); }

  VkImageAspectFlags Aspects() {
    VkImageAspectFlags all = 0;
    for (const ModelPlane& plane : planes) all |= plane.aspects;
    const VkImageAspectFlags some = all & random_();
    return some != 0 ? some : all;
  }

  VkImageSubresourceRange Range() {
    return {.aspectMask = Aspects(),
            .baseMipLevel = Below(4),
            .levelCount = Below(3) == 0 ? VK_REMAINING_MIP_LEVELS : Below(4),
            .baseArrayLayer = Below(4),
            .layerCount = Below(3) == 0 ? VK_REMAINING_ARRAY_LAYERS : Below(4)};
  }

  int32_t Offset() { return static_cast<int32_t>(Below(12)) - 2; }
  uint32_t Extent() { return Below(12); }

  VkImageCreateInfo info;
  std::vector<ModelPlane> planes;

 private:
  std::mt19937& random_;
};

bool In(int64_t value, int64_t base, uint32_t count) { return value >= base && (count == ~0u || value < base + count); }

class RandomImageSubresourceEncoder : public ::testing::Test {
 protected:
  static std::vector<ByteRange> ToVector(const ByteRanges& ranges) { return {ranges.begin(), ranges.end()}; }

  std::mt19937 random_{7};
};

TEST_F(RandomImageSubresourceEncoder, RangesAreTheModels) {
  for (int i = 0; i < 2000; ++i) {
    RandomImage image(random_);
    const ImageSubresourceEncoder map(image.info);
    const Model model(image.info, image.planes);
    ASSERT_EQ(map.size(), model.size());
    ASSERT_THAT(Ranges(map, kAll), ElementsAre(ByteRange{0, map.size()}));
    const VkImageSubresourceRange range = image.Range();
    const bool slices = image.Below(2) == 0 && image.info.imageType == VK_IMAGE_TYPE_3D;
    const std::vector<ByteRange> expected =
        model.RangesOf([&](const ModelPlane& plane, uint32_t level, uint32_t layer, const auto& texel, const auto&) {
          return (plane.aspects & range.aspectMask) != 0 && In(level, range.baseMipLevel, range.levelCount) &&
                 In(slices ? texel[2] : layer, range.baseArrayLayer, range.layerCount);
        });
    ASSERT_EQ(ToVector(Ranges(map, range, slices ? LayerUnit::kDepthSlices : LayerUnit::kArrayLayers)), expected);
  }
}

TEST_F(RandomImageSubresourceEncoder, RegionsAreTheModels) {
  for (int i = 0; i < 2000; ++i) {
    RandomImage image(random_);
    const ImageSubresourceEncoder map(image.info);
    const Model model(image.info, image.planes);
    const VkImageSubresourceLayers layers = {image.Aspects(), image.Below(4), image.Below(3), image.Below(3)};
    const VkOffset3D offset = {image.Offset(), image.Offset(), image.Offset()};
    const VkExtent3D extent = {image.Extent(), image.Extent(), image.Extent()};
    const bool in_image = (layers.aspectMask & kColor) != 0;
    const std::vector<ByteRange> expected = model.RangesOf(
        [&](const ModelPlane& plane, uint32_t level, uint32_t layer, const auto& texel, const auto& plane_texel) {
          const auto& at = in_image ? texel : plane_texel;
          return (plane.aspects & layers.aspectMask) != 0 && level == layers.mipLevel &&
                 In(layer, layers.baseArrayLayer, layers.layerCount) && In(at[0], offset.x, extent.width) &&
                 In(at[1], offset.y, extent.height) && In(at[2], offset.z, extent.depth);
        });
    ASSERT_EQ(ToVector(Region(map, layers, offset, extent)), expected);
  }
}

TEST_F(RandomImageSubresourceEncoder, AreasAreTheModels) {
  for (int i = 0; i < 2000; ++i) {
    RandomImage image(random_);
    const ImageSubresourceEncoder map(image.info);
    const Model model(image.info, image.planes);
    const VkImageSubresourceRange range = image.Range();
    const VkRect2D area = {{image.Offset(), image.Offset()}, {image.Extent(), image.Extent()}};
    const bool slices = image.Below(2) == 0 && image.info.imageType == VK_IMAGE_TYPE_3D;
    const bool in_image = (range.aspectMask & kColor) != 0;
    const std::vector<ByteRange> expected = model.RangesOf(
        [&](const ModelPlane& plane, uint32_t level, uint32_t layer, const auto& texel, const auto& plane_texel) {
          const auto& at = in_image ? texel : plane_texel;
          return (plane.aspects & range.aspectMask) != 0 && In(level, range.baseMipLevel, range.levelCount) &&
                 In(slices ? texel[2] : layer, range.baseArrayLayer, range.layerCount) &&
                 In(at[0], area.offset.x, area.extent.width) && In(at[1], area.offset.y, area.extent.height);
        });
    ASSERT_EQ(ToVector(Area(map, range, area, slices ? LayerUnit::kDepthSlices : LayerUnit::kArrayLayers)), expected);
  }
}

TEST_F(RandomImageSubresourceEncoder, EverySubresourceIsDisjoint) {
  for (int i = 0; i < 200; ++i) {
    RandomImage image(random_);
    const ImageSubresourceEncoder map(image.info);
    ByteRanges all;
    for (const ModelPlane& plane : image.planes) {
      const VkImageAspectFlags own = plane.aspects == kColor ? kColor : plane.aspects & ~kColor;
      for (uint32_t level = 0; level < image.info.mipLevels; ++level) {
        for (uint32_t layer = 0; layer < image.info.arrayLayers; ++layer) {
          const ByteRanges one = Ranges(map, {own, level, 1, layer, 1});
          ASSERT_EQ(one.size(), 1u);
          // In the order of the layout each begins where the last ended: they neither overlap nor leave a gap.
          ASSERT_EQ(one[0].begin, all.empty() ? 0 : all.back().end);
          map.AppendRanges({own, level, 1, layer, 1}, all);
        }
      }
    }
    ASSERT_THAT(all, ElementsAre(ByteRange{0, map.size()}));
  }
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
