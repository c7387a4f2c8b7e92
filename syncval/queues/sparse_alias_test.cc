// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Hazards by sparse blocks of memory that several buffers share.

#include <functional>

#include "syncval/queues/sparse_test.h"

namespace assay::syncval {
namespace {

class SyncSparseAlias : public SyncSparse {
 protected:
  void SetUp() override {
    SyncSparse::SetUp();
    a_ = SparseBuffer(VK_BUFFER_CREATE_SPARSE_ALIASED_BIT);
    b_ = SparseBuffer(VK_BUFFER_CREATE_SPARSE_ALIASED_BIT);
    BindBlock(a_, 0, 0);
    BindBlock(a_, 1, 1);
    BindBlock(b_, 0, 2);
    BindBlock(b_, 1, 1);
    vk.QueueWaitIdle(Queue());
  }
  void BindBlock(VkBuffer buffer, uint32_t block, uint32_t block_of_memory, const Order& order = {},
                 VkQueue queue = VK_NULL_HANDLE) {
    VkSparseMemoryBind bind = {block * kBlock, kBlock, memory_, block_of_memory * kBlock, 0};
    VkSparseBufferMemoryBindInfo binds = {buffer, 1, &bind};
    SyncSparse::Bind(queue != VK_NULL_HANDLE ? queue : Queue(), {.bufferBindCount = 1, .pBufferBinds = &binds}, order);
  }
  VkCommandBuffer FillBoth(const Masks& between = {}) {
    return Record([&](VkCommandBuffer c) {
      Fill(c, a_, kBlock, kBlock);
      if (between.src_stages != 0) Barrier(c, between);
      Fill(c, b_, kBlock, kBlock);
    });
  }
  VkCommandBuffer Secondary(const std::function<void(VkCommandBuffer)>& record) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = &inheritance};
    vk.BeginCommandBuffer(secondary, &begin);
    record(secondary);
    End(secondary);
    return secondary;
  }
  static constexpr Masks kFillToFill = {kClear, kWrite, kClear, kWrite};

  VkBuffer a_ = VK_NULL_HANDLE;
  VkBuffer b_ = VK_NULL_HANDLE;
};
class NegativeSyncSparseAlias : public SyncSparseAlias {};
class PositiveSyncSparseAlias : public SyncSparseAlias {};

TEST_F(NegativeSyncSparseAlias, BetweenSubmissions) {
  Submit(Queue(), {FillBlock(a_, 1)});
  Submit(Queue(), {FillBlock(b_, 1)});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("in the same memory"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncSparseAlias, OtherBlocks) {
  Submit(Queue(), {FillBlock(a_, 0)});
  Submit(Queue(), {FillBlock(b_, 0)});
}
TEST_F(PositiveSyncSparseAlias, BarrierBetweenSubmissions) {
  Submit(Queue(), {FillBlock(a_, 1)});
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Barrier(c, kFillToFill);
           Fill(c, b_, kBlock, kBlock);
         })});
}
TEST_F(PositiveSyncSparseAlias, BarrierOfTheBuffer) {
  Submit(Queue(), {FillBlock(a_, 1)});
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           BufferBarrier(c, kFillToFill, a_);
           Fill(c, b_, kBlock, kBlock);
         })});
}
// The same bytes of one buffer are one hazard, not two.
TEST_F(NegativeSyncSparseAlias, OneBuffer) {
  Submit(Queue(), {FillBlock(a_, 1)});
  Submit(Queue(), {FillBlock(a_, 1)});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("bytes 65536 to 131071 of VkBuffer"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncSparseAlias, WithAnOrdinaryBuffer) {
  VkBuffer ordinary = MakeUnboundBuffer(
      {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = kBlock, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT});
  vk.BindBufferMemory(device, ordinary, memory_, kBlock);
  Submit(Queue(), {FillBlock(ordinary, 0)});
  Submit(Queue(), {FillBlock(a_, 1)});
  ExpectMessage(kWriteAfterWrite);
}

// A hazard within a command buffer is certain at submission.
TEST_F(NegativeSyncSparseAlias, WithinACommandBuffer) {
  VkCommandBuffer commands = FillBoth();
  ExpectNothing();
  Submit(Queue(), {commands});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_EQ(ParseFix(message.text).src_stages, kClear) << message.text;
}
TEST_F(PositiveSyncSparseAlias, BarrierWithinACommandBuffer) { Submit(Queue(), {FillBoth(kFillToFill)}); }
TEST_F(PositiveSyncSparseAlias, ReboundSinceRecording) {
  VkCommandBuffer commands = FillBoth();
  BindBlock(b_, 1, 3);
  vk.QueueWaitIdle(Queue());
  Submit(Queue(), {commands});
}
// The other queue's semaphore orders the second after the binding, not after the first.
TEST_F(PositiveSyncSparseAlias, ReboundBetweenSubmissions) {
  Submit(Queue(), {FillBlock(a_, 1)});
  VkCommandBuffer commands = FillBlock(b_, 1);
  BindBlock(b_, 1, 3, {.signal = semaphore_}, Queue(0, 1));
  Submit(Queue(), {commands}, {.waits = {At(semaphore_, kAll)}});
}
// The buffer had the block while the command buffer was executed.
TEST_F(NegativeSyncSparseAlias, ReboundAfterAccess) {
  Submit(Queue(), {FillBlock(b_, 1)}, {.signals = {At(semaphore_, kAll)}});
  BindBlock(b_, 1, 3, {.wait = semaphore_}, Queue(0, 1));
  Submit(Queue(), {FillBlock(a_, 1)});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncSparseAlias, OutdatedWhenExecuted) {
  VkCommandBuffer commands = FillBlock(b_, 1);
  BindBlock(b_, 1, 3, {.signal = semaphore_}, Queue(0, 1));
  Submit(Queue(), {commands}, {.waits = {At(semaphore_, kAll)}});
  Submit(Queue(), {FillBlock(a_, 1)});
}
TEST_F(NegativeSyncSparseAlias, OfASecondary) {
  VkCommandBuffer secondary = Secondary([&](VkCommandBuffer c) {
    Fill(c, a_, kBlock, kBlock);
    Fill(c, b_, kBlock, kBlock);
  });
  VkCommandBuffer primary = Record([&](VkCommandBuffer c) {
    Fill(c, other_);
    vk.CmdExecuteCommands(c, 1, &secondary);
  });
  ExpectNothing();
  Submit(Queue(), {primary});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncSparseAlias, BeforeASecondary) {
  VkCommandBuffer secondary = Secondary([&](VkCommandBuffer c) { Fill(c, b_, kBlock, kBlock); });
  VkCommandBuffer primary = Record([&](VkCommandBuffer c) {
    Fill(c, a_, kBlock, kBlock);
    vk.CmdExecuteCommands(c, 1, &secondary);
  });
  ExpectNothing();
  Submit(Queue(), {primary});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_EQ(ParseFix(message.text).src_stages, kClear) << message.text;
}

// A hazard with the other resource is not certain before submission either.
TEST_F(PositiveSyncSparseAlias, TransitionOfAnImageThere) {
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                                  .extent = {64, 64, 1},
                                  .mipLevels = 1,
                                  .arrayLayers = 1,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .tiling = VK_IMAGE_TILING_OPTIMAL,
                                  .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  const test::Image image = {MakeUnboundImage(info), memory_, info};
  vk.BindImageMemory(device, image, memory_, kBlock);
  Record([&](VkCommandBuffer c) {
    Fill(c, a_, kBlock, kBlock);
    Barriers(c, {}, {}, {ImageBarrier({0, 0, kClear, kWrite}, image, image.Range(), VK_IMAGE_LAYOUT_UNDEFINED)});
  });
  ExpectNothing();
}

class SyncMappedSparse : public SyncSparseAlias {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncSparseAlias::Options();
    options.settings.emplace_back("syncval_mapped_ranges", true);
    return options;
  }
  void FlushBlockOfMemory(uint32_t block) {
    void* bytes = nullptr;
    vk.MapMemory(device, memory_, 0, VK_WHOLE_SIZE, 0, &bytes);
    const VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = memory_, .offset = block * kBlock, .size = kBlock};
    vk.FlushMappedMemoryRanges(device, 1, &range);
  }
};
class NegativeSyncMappedSparse : public SyncMappedSparse {};
class PositiveSyncMappedSparse : public SyncMappedSparse {};

TEST_F(NegativeSyncMappedSparse, FlushOfABlock) {
  Submit(Queue(), {FillBlock(b_, 1)});
  FlushBlockOfMemory(1);
  ExpectMessage(kWriteRacingWrite);
}
TEST_F(PositiveSyncMappedSparse, OutdatedWhenExecuted) {
  VkCommandBuffer commands = FillBlock(b_, 1);
  BindBlock(b_, 1, 3, {.signal = semaphore_}, Queue(0, 1));
  Submit(Queue(), {commands}, {.waits = {At(semaphore_, kAll)}});
  FlushBlockOfMemory(1);
}

}  // namespace
}  // namespace assay::syncval
