// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Random images and ranges: ImageSubresourceEncoder agrees with a model that numbers every texel block.

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
#include "state/image/subresource_encoder_test.h"

namespace assay::state {
namespace {

using ::testing::ElementsAre;

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

  // The ranges of the blocks with a texel that satisfies the predicate (plane, level, layer, image texel, plane texel).
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
    info = ImageInfo(type, format.format, {1 + Below(9), type == VK_IMAGE_TYPE_1D ? 1 : 1 + Below(9), 1}, 1 + Below(3),
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

TEST_F(RandomImageSubresourceEncoder, RangesAgreeWithTheModel) {
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

TEST_F(RandomImageSubresourceEncoder, RegionsAgreeWithTheModel) {
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

TEST_F(RandomImageSubresourceEncoder, AreasAgreeWithTheModel) {
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

}  // namespace
}  // namespace assay::state
