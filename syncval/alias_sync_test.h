// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ALIAS_SYNC_TEST_H_
#define ASSAY_SYNCVAL_ALIAS_SYNC_TEST_H_

#include "syncval/draw_sync_test.h"

// What the tests of resources in the same memory have in common.
namespace assay::syncval {

inline constexpr Masks kClearToClear = {kClear, kWrite, kClear, kWrite};
inline constexpr Masks kNothingToClear = {0, 0, kClear, kWrite};
inline constexpr uint32_t kBytes = kSide * kSide * 4;

class SyncAlias : public DrawSyncTest {
 protected:
  static VkImageCreateInfo Info(VkImageCreateFlags flags = 0, uint32_t levels = 1,
                                VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL) {
    return {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
            .flags = flags,
            .imageType = VK_IMAGE_TYPE_2D,
            .format = kColorFormat,
            .extent = {kSide, kSide, 1},
            .mipLevels = levels,
            .arrayLayers = 1,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .tiling = tiling,
            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                     VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  }
  test::Image Bound(const VkImageCreateInfo& info, VkDeviceSize offset = 0) {
    test::Image image = {MakeUnboundImage(info), memory_, info};
    EXPECT_EQ(vk.BindImageMemory(device, image, memory_, offset), VK_SUCCESS);
    return image;
  }
  VkBuffer BoundBuffer(VkDeviceSize offset, VkDeviceSize size) {
    VkBuffer buffer = MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                         .size = size,
                                         .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT});
    EXPECT_EQ(vk.BindBufferMemory(device, buffer, memory_, offset), VK_SUCCESS);
    return buffer;
  }
  void SetUp() override {
    DrawSyncTest::SetUp();
    memory_ = MakeMemory(16 * kBytes, 0);
  }
  // Begins the life of an image's contents.
  void Discard(VkCommandBuffer c, const Masks& masks, const test::Image& image) {
    Barriers(c, {}, {}, {ImageBarrier(masks, image, image.Range(), VK_IMAGE_LAYOUT_UNDEFINED)});
  }
  static VkImageSubresourceRange Level(uint32_t level) { return {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1}; }

  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ALIAS_SYNC_TEST_H_
