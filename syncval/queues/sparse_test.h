// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_SPARSE_TEST_H_
#define ASSAY_SYNCVAL_QUEUES_SPARSE_TEST_H_

#include "syncval/fixture/sync_test.h"

// The fixture of tests of sparse resources.
namespace assay::syncval {

inline constexpr VkDeviceSize kBlock = 65536;
inline constexpr char kReadRacingWrite[] = "SYNC-HAZARD-READ-RACING-WRITE";
inline constexpr char kWriteRacingRead[] = "SYNC-HAZARD-WRITE-RACING-READ";
inline constexpr char kWriteRacingWrite[] = "SYNC-HAZARD-WRITE-RACING-WRITE";

struct Order {
  VkSemaphore wait = VK_NULL_HANDLE;
  VkSemaphore signal = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
};

class SyncSparse : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    memory_ = MakeMemory(16 * kBlock, 0);
    other_ = MakeBuffer(4 * kBlock);
    semaphore_ = MakeSemaphore();
  }
  VkBuffer SparseBuffer(VkBufferCreateFlags flags = 0) {
    return MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                              .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | flags,
                              .size = 4 * kBlock,
                              .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT});
  }
  // 256 x 256 texels, of 4 bytes.
  test::Image SparseImage(VkImageCreateFlags flags = 0) {
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | flags,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {256, 256, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .tiling = VK_IMAGE_TILING_OPTIMAL,
                                    .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    return {MakeUnboundImage(info), memory_, info};
  }

  void Bind(VkQueue queue, VkBindSparseInfo info, const Order& order) {
    info.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO;
    info.waitSemaphoreCount = order.wait != VK_NULL_HANDLE ? 1 : 0;
    info.pWaitSemaphores = &order.wait;
    info.signalSemaphoreCount = order.signal != VK_NULL_HANDLE ? 1 : 0;
    info.pSignalSemaphores = &order.signal;
    EXPECT_EQ(vk.QueueBindSparse(queue, 1, &info, order.fence), VK_SUCCESS);
  }
  // Sparse blocks [first, first + count) of the buffer.
  void Bind(VkBuffer buffer, uint32_t first, uint32_t count, const Order& order = {}, VkQueue queue = VK_NULL_HANDLE) {
    VkSparseMemoryBind bind = {first * kBlock, count * kBlock, memory_, first * kBlock, 0};
    VkSparseBufferMemoryBindInfo binds = {buffer, 1, &bind};
    Bind(queue != VK_NULL_HANDLE ? queue : Queue(), {.bufferBindCount = 1, .pBufferBinds = &binds}, order);
  }
  void BindOpaque(VkImage image, VkDeviceSize offset, VkDeviceSize size, VkDeviceMemory memory,
                  const Order& order = {}) {
    VkSparseMemoryBind bind = {offset, size, memory, 0, 0};
    VkSparseImageOpaqueMemoryBindInfo binds = {image, 1, &bind};
    Bind(Queue(), {.imageOpaqueBindCount = 1, .pImageOpaqueBinds = &binds}, order);
  }
  void BindTile(VkImage image, VkOffset3D offset, VkExtent3D extent, const Order& order = {}) {
    VkSparseImageMemoryBind bind = {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}, offset, extent, memory_, 0, 0};
    VkSparseImageMemoryBindInfo binds = {image, 1, &bind};
    Bind(Queue(), {.imageBindCount = 1, .pImageBinds = &binds}, order);
  }
  VkCommandBuffer FillBlock(VkBuffer buffer, uint32_t block) {
    return Record([&](VkCommandBuffer c) { Fill(c, buffer, block * kBlock, kBlock); });
  }
  VkCommandBuffer CopyToTexels(const test::Image& image, VkOffset3D offset, VkExtent3D extent) {
    VkBufferImageCopy region = {.imageSubresource = image.Layers(), .imageOffset = offset, .imageExtent = extent};
    return Record([&](VkCommandBuffer c) {
      vk.CmdCopyBufferToImage(c, other_, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    });
  }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, VkPipelineStageFlags2 stages) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, 0, stages, 0};
  }
  static constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  test::Buffer other_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_SPARSE_TEST_H_
