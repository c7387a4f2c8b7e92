// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The texels and bytes of images that commands access: aspects, planes, blocks, slices, rows.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageAspectFlags kColorAspect = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr VkImageAspectFlags kDepthAspect = VK_IMAGE_ASPECT_DEPTH_BIT;
constexpr VkImageAspectFlags kStencilAspect = VK_IMAGE_ASPECT_STENCIL_BIT;

class SyncImageCopy : public SyncTest {
 protected:
  Image MakeVolume(VkFormat format, uint32_t size) {
    return MakeImage(VkImageCreateInfo{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                       .imageType = VK_IMAGE_TYPE_3D,
                                       .format = format,
                                       .extent = {size, size, size},
                                       .mipLevels = 1,
                                       .arrayLayers = 1,
                                       .samples = VK_SAMPLE_COUNT_1_BIT,
                                       .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
  }
  void CopyImage(VkCommandBuffer c, VkImage source, VkImage target, const VkImageCopy& region) {
    vk.CmdCopyImage(c, source, kGeneral, target, kGeneral, 1, &region);
  }
  void ClearDepthStencil(VkCommandBuffer c, VkImage image, VkImageAspectFlags aspects) {
    VkClearDepthStencilValue value = {};
    VkImageSubresourceRange range = {aspects, 0, 1, 0, 1};
    vk.CmdClearDepthStencilImage(c, image, kGeneral, &value, 1, &range);
  }
  void ToBuffer(VkCommandBuffer c, VkImage image, VkBuffer buffer, const VkBufferImageCopy& region) {
    vk.CmdCopyImageToBuffer(c, image, kGeneral, buffer, 1, &region);
  }
  // Reads of the image texels [x, x + width) x [y, y + height), of slice z.
  void ReadTexels(VkCommandBuffer c, VkImage image, VkOffset3D offset, VkExtent3D extent,
                  VkImageAspectFlags aspect = kColorAspect) {
    ToBuffer(c, image, MakeBuffer(1 << 16),
             {.imageSubresource = {aspect, 0, 0, 1}, .imageOffset = offset, .imageExtent = extent});
  }
};
class NegativeSyncImageCopy : public SyncImageCopy {};
class PositiveSyncImageCopy : public SyncImageCopy {};

TEST_F(PositiveSyncImageCopy, OtherAspect) {
  Image image = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 8, 8);
  VkCommandBuffer c = Begun();
  ClearDepthStencil(c, image, kDepthAspect);
  ClearDepthStencil(c, image, kStencilAspect);
}
TEST_F(NegativeSyncImageCopy, SameAspect) {
  Image image = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 8, 8);
  VkCommandBuffer c = Begun();
  ClearDepthStencil(c, image, kStencilAspect);
  ReadTexels(c, image, {}, {8, 8, 1}, kDepthAspect);
  ExpectNothing();
  ReadTexels(c, image, {}, {8, 8, 1}, kStencilAspect);
  ExpectMessage(kReadAfterWrite);
  ClearDepthStencil(c, image, kDepthAspect | kStencilAspect);
  ExpectMessage(kWriteAfterRead);
}

TEST_F(PositiveSyncImageCopy, OtherPlane) {
  Image image = MakeImage(VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 8, 8);
  Image other = MakeImage(VK_FORMAT_R8_UNORM, 8, 8);
  Image another = MakeImage(VK_FORMAT_R8_UNORM, 8, 8);
  VkCommandBuffer c = Begun();
  const VkImageSubresourceLayers color = other.Layers();
  CopyImage(c, other, image, {color, {}, {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1}, {}, {4, 4, 1}});
  CopyImage(c, other, image, {color, {}, {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1}, {}, {8, 8, 1}});
  CopyImage(c, image, another, {{VK_IMAGE_ASPECT_PLANE_2_BIT, 0, 0, 1}, {}, color, {}, {4, 4, 1}});
}
TEST_F(NegativeSyncImageCopy, SamePlane) {
  Image image = MakeImage(VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 8, 8);
  Image other = MakeImage(VK_FORMAT_R8_UNORM, 8, 8);
  VkCommandBuffer c = Begun();
  CopyImage(c, other, image, {other.Layers(), {}, {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1}, {}, {4, 4, 1}});
  CopyImage(c, image, MakeImage(VK_FORMAT_R8_UNORM, 8, 8),
            {{VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1}, {3, 3, 0}, other.Layers(), {}, {1, 1, 1}});
  ExpectMessage(kReadAfterWrite);
}

// A block of the compressed image corresponds to a texel of the other.
TEST_F(PositiveSyncImageCopy, CompressedToUncompressed) {
  Image compressed = MakeImage(VK_FORMAT_BC1_RGB_UNORM_BLOCK, 16, 16);
  Image texels = MakeImage(VK_FORMAT_R16G16B16A16_UNORM, 16, 16);
  VkCommandBuffer c = Begun();
  CopyImage(c, compressed, texels, {compressed.Layers(), {}, texels.Layers(), {}, {16, 16, 1}});
  ReadTexels(c, texels, {4, 0, 0}, {4, 16, 1});
  ReadTexels(c, texels, {0, 4, 0}, {4, 4, 1});
}
TEST_F(NegativeSyncImageCopy, CompressedToUncompressed) {
  Image compressed = MakeImage(VK_FORMAT_BC1_RGB_UNORM_BLOCK, 16, 16);
  Image texels = MakeImage(VK_FORMAT_R16G16B16A16_UNORM, 16, 16);
  VkCommandBuffer c = Begun();
  CopyImage(c, compressed, texels, {compressed.Layers(), {}, texels.Layers(), {}, {16, 16, 1}});
  ReadTexels(c, texels, {3, 3, 0}, {1, 1, 1});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncImageCopy, UncompressedToCompressed) {
  Image compressed = MakeImage(VK_FORMAT_BC1_RGB_UNORM_BLOCK, 16, 16);
  Image texels = MakeImage(VK_FORMAT_R16G16B16A16_UNORM, 16, 16);
  VkCommandBuffer c = Begun();
  CopyImage(c, texels, compressed, {texels.Layers(), {}, compressed.Layers(), {}, {3, 4, 1}});
  ReadTexels(c, compressed, {12, 0, 0}, {4, 16, 1});
  ExpectNothing();
  ReadTexels(c, compressed, {8, 12, 0}, {4, 4, 1});
  ExpectMessage(kReadAfterWrite);
}

// Layers of one correspond to slices of the other.
TEST_F(PositiveSyncImageCopy, LayersToSlices) {
  Image layers = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 0, 1, 8);
  Image volume = MakeVolume(VK_FORMAT_R8G8B8A8_UNORM, 8);
  VkCommandBuffer c = Begun();
  CopyImage(c, layers, volume, {{kColorAspect, 0, 2, 3}, {}, {kColorAspect, 0, 0, 1}, {0, 0, 1}, {8, 8, 3}});
  ReadTexels(c, volume, {0, 0, 0}, {8, 8, 1});
  ReadTexels(c, volume, {0, 0, 4}, {8, 8, 4});
  Clear(c, layers, {kColorAspect, 0, 1, 0, 2});
  Clear(c, layers, {kColorAspect, 0, 1, 5, VK_REMAINING_ARRAY_LAYERS});
}
TEST_F(NegativeSyncImageCopy, LayersToSlices) {
  Image layers = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 0, 1, 8);
  Image volume = MakeVolume(VK_FORMAT_R8G8B8A8_UNORM, 8);
  VkCommandBuffer c = Begun();
  CopyImage(c, layers, volume, {{kColorAspect, 0, 2, 3}, {}, {kColorAspect, 0, 0, 1}, {0, 0, 1}, {8, 8, 3}});
  ReadTexels(c, volume, {0, 0, 3}, {8, 8, 1});
  ExpectMessage(kReadAfterWrite);
  Clear(c, layers, {kColorAspect, 0, 1, 4, 1});
  ExpectMessage(kWriteAfterRead);
}
TEST_F(NegativeSyncImageCopy, SlicesToLayers) {
  Image layers = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 0, 1, 8);
  Image volume = MakeVolume(VK_FORMAT_R8G8B8A8_UNORM, 8);
  VkCommandBuffer c = Begun();
  CopyImage(c, volume, layers, {{kColorAspect, 0, 0, 1}, {0, 0, 1}, {kColorAspect, 0, 2, 3}, {}, {8, 8, 3}});
  Clear(c, layers, {kColorAspect, 0, 1, 5, 3});
  ExpectNothing();
  Clear(c, layers, {kColorAspect, 0, 1, 4, 1});
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(NegativeSyncImageCopy, RemainingLayers) {
  Image source = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 0, 1, 4);
  Image target = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 0, 1, 4);
  VkCommandBuffer c = Begun();
  const VkImageSubresourceLayers remaining = {kColorAspect, 0, 2, VK_REMAINING_ARRAY_LAYERS};
  CopyImage(c, source, target, {remaining, {}, remaining, {}, {8, 8, 1}});
  Clear(c, target, {kColorAspect, 0, 1, 0, 2});
  ExpectNothing();
  Clear(c, target, {kColorAspect, 0, 1, 3, 1});
  ExpectMessage(kWriteAfterWrite);
}

// Two layers of 8 x 8 x 4 bytes.
TEST_F(PositiveSyncImageCopy, RemainingLayersOfABufferCopy) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 0, 1, 4);
  Buffer buffer = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  ToBuffer(c, image, buffer,
           {.imageSubresource = {kColorAspect, 0, 2, VK_REMAINING_ARRAY_LAYERS}, .imageExtent = {8, 8, 1}});
  Fill(c, buffer, 512);
}
TEST_F(NegativeSyncImageCopy, RemainingLayersOfABufferCopy) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 0, 1, 4);
  Buffer buffer = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  ToBuffer(c, image, buffer,
           {.imageSubresource = {kColorAspect, 0, 2, VK_REMAINING_ARRAY_LAYERS}, .imageExtent = {8, 8, 1}});
  Fill(c, buffer, 508);
  ExpectMessage(kWriteAfterWrite);
}

// Side by side in a buffer whose rows hold two images.
TEST_F(PositiveSyncImageCopy, RowsInterleave) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  Buffer buffer = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  VkBufferImageCopy region = {.bufferRowLength = 16, .imageSubresource = image.Layers(), .imageExtent = {8, 8, 1}};
  ToBuffer(c, image, buffer, region);
  region.bufferOffset = 32;
  ToBuffer(c, image, buffer, region);
}
TEST_F(NegativeSyncImageCopy, RowsOverlap) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  Buffer buffer = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  VkBufferImageCopy region = {.bufferRowLength = 16, .imageSubresource = image.Layers(), .imageExtent = {8, 8, 1}};
  ToBuffer(c, image, buffer, region);
  region.bufferOffset = 28;
  ToBuffer(c, image, buffer, region);
  ExpectMessage(kWriteAfterWrite);
  // The end of the last row.
  Fill(c, buffer, 7 * 64 + 28 + 28, 4);
  ExpectMessage(kWriteAfterWrite);
  Fill(c, buffer, 7 * 64 + 28 + 32, 4);
}

// 16 x 16 texels of BC1 are 4 x 4 blocks of 8 bytes.
TEST_F(NegativeSyncImageCopy, BytesOfBlocks) {
  Image image = MakeImage(VK_FORMAT_BC1_RGB_UNORM_BLOCK, 16, 16);
  Buffer buffer = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  ToBuffer(c, image, buffer, {.imageSubresource = image.Layers(), .imageExtent = {16, 16, 1}});
  Fill(c, buffer, 128);
  ExpectNothing();
  Fill(c, buffer, 124, 4);
  ExpectMessage(kWriteAfterWrite);
}
// A texel has 4 bytes of depth and one of stencil.
TEST_F(NegativeSyncImageCopy, BytesOfAspects) {
  Image image = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 8, 8);
  Buffer buffer = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  ToBuffer(c, image, buffer, {.imageSubresource = {kStencilAspect, 0, 0, 1}, .imageExtent = {8, 8, 1}});
  ToBuffer(c, image, buffer,
           {.bufferOffset = 64, .imageSubresource = {kDepthAspect, 0, 0, 1}, .imageExtent = {8, 8, 1}});
  Fill(c, buffer, 320);
  ExpectNothing();
  Fill(c, buffer, 60, 4);
  ExpectMessage(kWriteAfterWrite);
  Fill(c, buffer, 316, 4);
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(NegativeSyncImageCopy, SlicesOfABufferCopy) {
  Image image = MakeVolume(VK_FORMAT_R8_UNORM, 8);
  Buffer buffer = MakeBuffer(1024);
  VkCommandBuffer c = Begun();
  // Slices of 8 rows of 8 bytes, with 8 rows in between.
  ToBuffer(c, image, buffer, {.bufferImageHeight = 16, .imageSubresource = image.Layers(), .imageExtent = {8, 8, 2}});
  Fill(c, buffer, 64, 64);
  Fill(c, buffer, 192);
  ExpectNothing();
  Fill(c, buffer, 188, 4);
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(NegativeSyncImageCopy, ClearsOfSeveralRanges) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 0, 4, 4);
  VkCommandBuffer c = Begun();
  VkClearColorValue color = {};
  VkImageSubresourceRange ranges[] = {{kColorAspect, 0, 1, 0, 1}, {kColorAspect, 2, VK_REMAINING_MIP_LEVELS, 1, 2}};
  vk.CmdClearColorImage(c, image, kGeneral, &color, 2, ranges);
  Clear(c, image, {kColorAspect, 1, 1, 0, 4});
  Clear(c, image, {kColorAspect, 0, 1, 1, 3});
  ExpectNothing();
  Clear(c, image, {kColorAspect, 3, 1, 2, 2});
  ExpectMessage(kWriteAfterWrite);
}

}  // namespace
}  // namespace assay::syncval
