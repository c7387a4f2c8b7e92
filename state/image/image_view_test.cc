// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The bytes that views of all kinds, and attachments, cover in their images.

#include <utility>
#include <vector>

#include "state/hooks/state_test.h"

namespace assay::state {
namespace {

using Ranges = std::vector<ByteRange>;

class ImageViewState : public StateTest {
 protected:
  test::Image Make(VkFormat format, uint32_t levels, uint32_t layers, VkImageCreateFlags flags = 0,
                   VkImageType type = VK_IMAGE_TYPE_2D, uint32_t depth = 1) {
    return MakeImage(VkImageCreateInfo{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                       .flags = flags,
                                       .imageType = type,
                                       .format = format,
                                       .extent = {8, 8, depth},
                                       .mipLevels = levels,
                                       .arrayLayers = layers,
                                       .samples = VK_SAMPLE_COUNT_1_BIT,
                                       .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT});
  }
  const ImageView& View(const test::Image& image, VkImageViewType type, const VkImageSubresourceRange& range,
                        VkFormat format = VK_FORMAT_UNDEFINED, const void* next = nullptr) {
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .pNext = next,
                                  .image = image,
                                  .viewType = type,
                                  .format = format != VK_FORMAT_UNDEFINED ? format : image.info.format,
                                  .subresourceRange = range};
    return *StateOf<ImageView>(MakeView(info));
  }
  // Relative to the image.
  static Ranges Relative(const ImageView& view, const AddressRanges& ranges) {
    Ranges relative;
    for (const ByteRange& range : ranges)
      relative.push_back({range.begin - view.image->address, range.end - view.image->address});
    return relative;
  }
  static Ranges Covered(const ImageView& view) { return Relative(view, view.ranges); }
  static Ranges Attached(const ImageView& view, VkImageAspectFlags aspects, uint32_t layer_count,
                         uint32_t view_mask = 0, const VkRect2D& area = {{0, 0}, {8, 8}}) {
    AddressRanges ranges;
    view.AppendAttachment(aspects, area, layer_count, view_mask, ranges);
    return Relative(view, ranges);
  }
};

constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;

TEST_F(ImageViewState, Cubes) {
  // Bytes of a layer.
  constexpr uint64_t kLayer = 8 * 8;
  const test::Image image = Make(VK_FORMAT_R8_UNORM, 1, 18, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT);
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_CUBE, {kColor, 0, 1, 6, 6})), (Ranges{{6 * kLayer, 12 * kLayer}}));
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, {kColor, 0, 1, 6, VK_REMAINING_ARRAY_LAYERS})),
            (Ranges{{6 * kLayer, 18 * kLayer}}));
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 0, 1, 3, 1})), (Ranges{{3 * kLayer, 4 * kLayer}}));
}
// Levels of 64 and 16 bytes a layer.
TEST_F(ImageViewState, LevelsOfLayers) {
  const test::Image image = Make(VK_FORMAT_R8_UNORM, 2, 2);
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 0, VK_REMAINING_MIP_LEVELS, 1, 1})),
            (Ranges{{64, 128}, {144, 160}}));
}
TEST_F(ImageViewState, AspectsOfDepthStencil) {
  const test::Image image = Make(VK_FORMAT_D32_SFLOAT_S8_UINT, 1, 1);
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {kDepth, 0, 1, 0, 1})), (Ranges{{0, 256}}));
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {kStencil, 0, 1, 0, 1})), (Ranges{{256, 320}}));
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {kDepth | kStencil, 0, 1, 0, 1})), (Ranges{{0, 320}}));
}
TEST_F(ImageViewState, Planes) {
  const test::Image image = Make(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 1, 1, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 0, 1, 0, 1})), (Ranges{{0, 96}}));
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 1, 0, 1}, VK_FORMAT_R8_UNORM)),
            (Ranges{{0, 64}}));
  EXPECT_EQ(
      Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 1, 0, 1}, VK_FORMAT_R8G8_UNORM)),
      (Ranges{{64, 96}}));
}
TEST_F(ImageViewState, OtherFormats) {
  // Blocks of 4 x 4 texels and 8 bytes, seen as texels of 8 bytes.
  const test::Image image = Make(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 2, 1,
                                 VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT);
  const ImageView& view = View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 1, 1, 0, 1}, VK_FORMAT_R16G16B16A16_UINT);
  EXPECT_EQ(Covered(view), (Ranges{{32, 40}}));
  EXPECT_EQ(view.format, VK_FORMAT_R16G16B16A16_UINT);
}
TEST_F(ImageViewState, Usage) {
  const test::Image image = Make(VK_FORMAT_R8_UNORM, 1, 1);
  const VkImageViewUsageCreateInfo usage = {VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, nullptr,
                                            VK_IMAGE_USAGE_SAMPLED_BIT};
  EXPECT_EQ(View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 0, 1, 0, 1}, VK_FORMAT_UNDEFINED, &usage).usage,
            VkImageUsageFlags{VK_IMAGE_USAGE_SAMPLED_BIT});
  EXPECT_EQ(View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 0, 1, 0, 1}).usage,
            VkImageUsageFlags{VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT});
}
TEST_F(ImageViewState, SlicesOfLevels) {
  const test::Image image =
      Make(VK_FORMAT_R8_UNORM, 2, 1, VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT, VK_IMAGE_TYPE_3D, 4);
  // Level 1 has 2 slices of 16 bytes.
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 1, 1, 1, 1})), (Ranges{{4 * 64 + 16, 4 * 64 + 32}}));
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {kColor, 0, 1, 2, VK_REMAINING_ARRAY_LAYERS})),
            (Ranges{{128, 256}}));
  EXPECT_EQ(Covered(View(image, VK_IMAGE_VIEW_TYPE_3D, {kColor, 0, 2, 0, 1})), (Ranges{{0, 4 * 64 + 32}}));
}

TEST_F(ImageViewState, AttachedLayers) {
  const test::Image image = Make(VK_FORMAT_R8_UNORM, 2, 6);
  const ImageView& view = View(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {kColor, 0, 1, 1, 4});
  EXPECT_EQ(Attached(view, kColor, 1), (Ranges{{64, 128}}));
  EXPECT_EQ(Attached(view, kColor, 3), (Ranges{{64, 256}}));
  // No more than the view has.
  EXPECT_EQ(Attached(view, kColor, 9), (Ranges{{64, 320}}));
  EXPECT_EQ(Attached(view, kColor, 0), (Ranges{}));
  // With multiview the number of layers does not count.
  EXPECT_EQ(Attached(view, kColor, 1, 0b1011), (Ranges{{64, 192}, {256, 320}}));
  EXPECT_EQ(Attached(view, kColor, 1, 0b110000), (Ranges{}));
  EXPECT_EQ(Attached(view, kColor, 1, ~0u), (Ranges{{64, 320}}));
  const ImageView& rest = View(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {kColor, 0, 1, 4, VK_REMAINING_ARRAY_LAYERS});
  EXPECT_EQ(Attached(rest, kColor, 8), (Ranges{{256, 384}}));
  // Nothing of the views' other attachments is joined to it.
  AddressRanges both;
  view.AppendAttachment(kColor, {{0, 0}, {8, 8}}, 1, 0, both);
  view.AppendAttachment(kColor, {{0, 0}, {8, 8}}, 1, 0b10, both);
  EXPECT_EQ(Relative(view, both), (Ranges{{64, 128}, {128, 192}}));
}
TEST_F(ImageViewState, AttachedAreas) {
  const test::Image image = Make(VK_FORMAT_R8_UNORM, 2, 1);
  const ImageView& view = View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 0, 1, 0, 1});
  EXPECT_EQ(Attached(view, kColor, 1, 0, {{0, 2}, {8, 3}}), (Ranges{{16, 40}}));
  EXPECT_EQ(Attached(view, kColor, 1, 0, {{1, 6}, {2, 100}}), (Ranges{{49, 51}, {57, 59}}));
  const ImageView& small = View(image, VK_IMAGE_VIEW_TYPE_2D, {kColor, 1, 1, 0, 1});
  EXPECT_EQ(Attached(small, kColor, 1), (Ranges{{64, 80}}));
}
TEST_F(ImageViewState, AttachedDepthAndStencil) {
  const test::Image image = Make(VK_FORMAT_D32_SFLOAT_S8_UINT, 1, 1);
  const ImageView& view = View(image, VK_IMAGE_VIEW_TYPE_2D, {kDepth, 0, 1, 0, 1});
  EXPECT_EQ(Attached(view, kDepth, 1), (Ranges{{0, 256}}));
  // The aspects of the view do not matter.
  EXPECT_EQ(Attached(view, kStencil, 1), (Ranges{{256, 320}}));
  EXPECT_EQ(Attached(view, kDepth | kStencil, 1), (Ranges{{0, 320}}));
}
TEST_F(ImageViewState, AttachedSlices) {
  const test::Image image =
      Make(VK_FORMAT_R8_UNORM, 1, 1, VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT, VK_IMAGE_TYPE_3D, 4);
  const ImageView& view = View(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {kColor, 0, 1, 1, 3});
  EXPECT_EQ(Attached(view, kColor, 2), (Ranges{{64, 192}}));
  EXPECT_EQ(Attached(view, kColor, 1, 0b101), (Ranges{{64, 128}, {192, 256}}));
}

}  // namespace
}  // namespace assay::state
