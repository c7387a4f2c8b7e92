// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What vkQueueBindSparse does, against what command buffers do with the same resource; and buffers that share pages.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

constexpr VkDeviceSize kBlock = 65536;
constexpr char kReadRacingWrite[] = "SYNC-HAZARD-READ-RACING-WRITE";
constexpr char kWriteRacingRead[] = "SYNC-HAZARD-WRITE-RACING-READ";
constexpr char kWriteRacingWrite[] = "SYNC-HAZARD-WRITE-RACING-WRITE";

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
  // Pages [first, first + count) of the buffer.
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
class NegativeSyncSparse : public SyncSparse {};
class PositiveSyncSparse : public SyncSparse {};

// A queue's command buffers do not follow upon what it binds.
TEST_F(NegativeSyncSparse, AccessWithoutSemaphore) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4);
  Submit(Queue(), {FillBlock(buffer, 1)});
  ExpectMessage(kWriteRacingWrite);
}
TEST_F(PositiveSyncSparse, AccessAfterSemaphore) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {FillBlock(buffer, 1)}, {.waits = {At(semaphore_, kAll)}});
}
TEST_F(PositiveSyncSparse, AccessToAnotherBlock) {
  VkBuffer buffer = SparseBuffer(VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT);
  Bind(buffer, 0, 1);
  Submit(Queue(), {FillBlock(buffer, 1)});
}
TEST_F(NegativeSyncSparse, SemaphoreForAnotherStage) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {FillBlock(buffer, 1)}, {.waits = {At(semaphore_, kCompute)}});
  ExpectMessage(kWriteAfterWrite);
}
// What is bound is nothing that would have to be made available and visible.
TEST_F(PositiveSyncSparse, ExecutionDependency) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Barrier(c, {kCopy, 0, kClear, 0});
           Fill(c, buffer, kBlock, kBlock);
         })},
         {.waits = {At(semaphore_, kCopy)}});
}
TEST_F(NegativeSyncSparse, ExecutionDependencyOfAnotherStage) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Barrier(c, {kCompute, 0, kClear, 0});
           Fill(c, buffer, kBlock, kBlock);
         })},
         {.waits = {At(semaphore_, kCopy)}});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncSparse, AccessAfterFence) {
  VkBuffer buffer = SparseBuffer();
  VkFence fence = MakeFence();
  Bind(buffer, 0, 4, {.fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
  Submit(Queue(), {FillBlock(buffer, 1)});
}
TEST_F(PositiveSyncSparse, AccessAfterIdle) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4);
  vk.QueueWaitIdle(Queue());
  Submit(Queue(), {FillBlock(buffer, 1)});
}

// Nor does what it binds follow upon them.
TEST_F(NegativeSyncSparse, RebindWhileInUse) {
  VkBuffer buffer = SparseBuffer();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, buffer, other_); })});
  Bind(buffer, 0, 1);
  const test::Message message = ExpectMessage(kWriteRacingRead);
  EXPECT_NE(message.text.find("pBindInfo[0].pBufferBinds[0]"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncSparse, RebindAfterAccess) {
  VkBuffer buffer = SparseBuffer();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, buffer, other_); })}, {.signals = {At(semaphore_, kAll)}});
  Bind(buffer, 0, 1, {.wait = semaphore_});
}
// The wait is the binding's alone, and what a binding signals does not include what was submitted before it without a
// signal.
TEST_F(NegativeSyncSparse, WaitOfTheBindingIsItsOwn) {
  VkSemaphore bound = MakeSemaphore();
  VkBuffer buffer = SparseBuffer();
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { Fill(c, other_); }, 2)}, {.signals = {At(semaphore_, kAll)}});
  Bind(buffer, 0, 4, {.wait = semaphore_, .signal = bound});
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, other_, buffer); })});
  ExpectMessage(kReadRacingWrite);
  ExpectMessage(kWriteRacingWrite);
}
// Signals of a queue are in one order, so that one after the binding's is after the binding too.
TEST_F(PositiveSyncSparse, LaterSignalOfTheQueue) {
  VkSemaphore later = MakeSemaphore();
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4, {.signal = semaphore_});
  Submit(Queue(), {}, {.signals = {At(later, kAll)}});
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { Fill(c, buffer, 0, kBlock); }, 2)}, {.waits = {At(later, kAll)}});
}
TEST_F(PositiveSyncSparse, BindingAfterASignal) {
  VkSemaphore bound = MakeSemaphore();
  VkBuffer buffer = SparseBuffer();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Fill(c, other_); })}, {.signals = {At(semaphore_, kAll)}});
  Bind(buffer, 0, 4, {.signal = bound});
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { Copy(c, other_, buffer); }, 2)}, {.waits = {At(bound, kAll)}});
}
TEST_F(PositiveSyncSparse, BindingsOfOneQueue) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4);
  Bind(buffer, 0, 4);
}
TEST_F(NegativeSyncSparse, BindingsOfTwoQueues) {
  VkBuffer buffer = SparseBuffer();
  Bind(buffer, 0, 4);
  Bind(buffer, 1, 1, {}, Queue(0, 1));
  ExpectMessage(kWriteRacingWrite);
}

// Shaders may know which pages are there.
TEST_F(PositiveSyncSparse, ShaderOfWhatIsResidentInPart) {
  VkBuffer buffer = SparseBuffer(VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT);
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, buffer);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  Bind(buffer, 0, 1);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
}
TEST_F(NegativeSyncSparse, ShaderOfWhatIsResidentAsAWhole) {
  VkBuffer buffer = SparseBuffer();
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, buffer);
  Bind(buffer, 0, 4);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, compute); })});
  ExpectMessage(kReadRacingWrite);
}

TEST_F(NegativeSyncSparse, TileInUse) {
  const test::Image image = SparseImage(VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT);
  BindTile(image, {128, 0, 0}, {128, 128, 1});
  Submit(Queue(), {CopyToTexels(image, {192, 64, 0}, {8, 8, 1})});
  ExpectMessage(kWriteRacingWrite);
}
TEST_F(PositiveSyncSparse, AnotherTile) {
  const test::Image image = SparseImage(VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT);
  BindTile(image, {128, 0, 0}, {128, 128, 1});
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
}
TEST_F(PositiveSyncSparse, MipTail) {
  const test::Image image = SparseImage(VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT);
  BindOpaque(image, 0, kBlock, memory_);
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
}

// All of an image has to be bound before any is used.
TEST_F(NegativeSyncSparse, OpaqueBindingOfAPart) {
  const test::Image image = SparseImage();
  BindOpaque(image, 0, kBlock, memory_);
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
  ExpectMessage(kWriteRacingWrite);
}
TEST_F(PositiveSyncSparse, OpaqueBindingInExchange) {
  const test::Image image = SparseImage();
  BindOpaque(image, 0, 4 * kBlock, memory_);
  vk.QueueWaitIdle(Queue());
  BindOpaque(image, kBlock, kBlock, memory_);
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
}
TEST_F(NegativeSyncSparse, OpaqueBindingTakenOff) {
  const test::Image image = SparseImage();
  BindOpaque(image, 0, 4 * kBlock, memory_);
  vk.QueueWaitIdle(Queue());
  BindOpaque(image, kBlock, kBlock, VK_NULL_HANDLE);
  Submit(Queue(), {CopyToTexels(image, {64, 64, 0}, {8, 8, 1})});
  ExpectMessage(kWriteRacingWrite);
}

// ---- Pages of several buffers

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

// Within a command buffer it is certain once that is submitted.
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
// It had the block while it was executed.
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

// Nor is the other resource's hazard certain before.
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

// Without the flag no two of them have the same memory at the same time.
TEST_F(PositiveSyncSparse, BlocksThatAreNotShared) {
  VkBuffer a = SparseBuffer(), b = SparseBuffer();
  Bind(a, 0, 4);
  Bind(b, 0, 4);
  vk.QueueWaitIdle(Queue());
  Submit(Queue(), {FillBlock(a, 0)});
  Submit(Queue(), {FillBlock(b, 0)});
}

}  // namespace
}  // namespace assay::syncval
