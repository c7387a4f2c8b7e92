// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Races with the host's accesses to mapped memory, as the setting syncval_mapped_ranges has them reported: images.

#include "syncval/queues/mapped_ranges_test.h"

namespace assay::syncval {
namespace {

class SyncMappedImage : public SyncMapped {
 protected:
  // 64 bytes a row.
  VkImageCreateInfo ImageInfo(VkImageTiling tiling, uint32_t height = 16) {
    return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
            .imageType = VK_IMAGE_TYPE_2D,
            .format = VK_FORMAT_R8G8B8A8_UNORM,
            .extent = {16, height, 1},
            .mipLevels = 1,
            .arrayLayers = 1,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .tiling = tiling,
            .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
            .initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED};
  }
  VkImage MakeBoundImage(VkDeviceMemory memory, VkDeviceSize offset, VkImageTiling tiling, uint32_t height = 16) {
    const VkImage image = MakeUnboundImage(ImageInfo(tiling, height));
    EXPECT_EQ(vk.BindImageMemory(device, image, memory, offset), VK_SUCCESS);
    return image;
  }
  // Reads one row.
  VkCommandBuffer ReadRow(VkImage image, int32_t row) {
    return Record([&](VkCommandBuffer c) {
      const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageOffset = {0, row, 0},
                                        .imageExtent = {16, 1, 1}};
      vk.CmdCopyImageToBuffer(c, image, VK_IMAGE_LAYOUT_GENERAL, mesh_, 1, &region);
    });
  }
};
class NegativeSyncMappedImage : public SyncMappedImage {};
class PositiveSyncMappedImage : public SyncMappedImage {};

TEST_F(NegativeSyncMappedImage, WholeLinearImage) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  const VkImage image = MakeBoundImage(memory, 1024, VK_IMAGE_TILING_LINEAR);
  Submit(Queue(), {ReadRow(image, 3)});
  Flush({.memory = memory}, 1024, 1024);
  const test::Message message = ExpectMessage(kWriteRacingRead);
  ExpectPart(message, "The host writes texels (0, 3) to (15, 3) of VkImage");
}
TEST_F(PositiveSyncMappedImage, PartOfALinearImage) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  const VkImage image = MakeBoundImage(memory, 1024, VK_IMAGE_TILING_LINEAR);
  Submit(Queue(), {ReadRow(image, 3)});
  Flush({.memory = memory}, 1024, 1024 - kAtom);
  Flush({.memory = memory}, 1024 + kAtom, 1024);
}
TEST_F(PositiveSyncMappedImage, LinearImageWithANeighbourInItsAtom) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  const VkImage image = MakeBoundImage(memory, 1024 + 32, VK_IMAGE_TILING_LINEAR);
  MakeBound(memory, 1024, 32);
  Submit(Queue(), {ReadRow(image, 0)});
  Flush({.memory = memory}, 1024, 1024 + kAtom);
}
TEST_F(PositiveSyncMappedImage, OptimalImage) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  const VkImage image = MakeBoundImage(memory, 1024, VK_IMAGE_TILING_OPTIMAL);
  Submit(Queue(), {ReadRow(image, 3)});
  Flush({.memory = memory});
}
// Reported once, as bytes of the memory.
TEST_F(NegativeSyncMappedImage, ImageThatSharesMemory) {
  const VkDeviceMemory memory = MakeMemory(4096, 3);
  Map(memory);
  MakeBound(memory, 0, 4096);
  const VkImage image = MakeBoundImage(memory, 1024, VK_IMAGE_TILING_LINEAR);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Clear(c, image, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}); })});
  Flush({.memory = memory});
  ExpectPart(ExpectMessage(kWriteRacingWrite), "bytes 1024 to 2047 of VkDeviceMemory");
  ExpectNothing();
}

}  // namespace
}  // namespace assay::syncval
