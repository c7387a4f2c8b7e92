// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Hazards when recorded commands are executed: secondaries in primaries, submissions on queues.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr Masks kCopyToCopy = {kCopy, kWrite, kCopy, kRead | kWrite};

class SyncSubmission : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    a_ = MakeBuffer(64);
    b_ = MakeBuffer(64);
    c_ = MakeBuffer(64);
  }
  VkCommandBuffer CopyCommands(VkBuffer from, VkBuffer to, uint32_t family = 0) {
    return Record([&](VkCommandBuffer commands) { Copy(commands, from, to); }, family);
  }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value = 0,
                                  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, stages, 0};
  }
  // A queue family ownership transfer of an image from family 0 to family 2, which changes its layout. The image is
  // cleared before its release, and read after its acquire.
  void Transfer(VkCommandBuffer commands, const test::Image& image, const Masks& masks) {
    VkImageMemoryBarrier2 barrier = ImageBarrier(masks, image, image.Range(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                                 VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    barrier.srcQueueFamilyIndex = 0;
    barrier.dstQueueFamilyIndex = 2;
    Barriers(commands, {}, {}, {barrier});
  }
  void Read(VkCommandBuffer commands, const test::Image& image) {
    VkBufferImageCopy region = {.imageSubresource = image.Layers(), .imageExtent = {2, 2, 1}};
    vk.CmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, MakeBuffer(64), 1, &region);
  }
  VkCommandBuffer ReleaseCommands(const test::Image& image) {
    return Record([&](VkCommandBuffer commands) {
      Clear(commands, image, image.Range());
      Transfer(commands, image, {kClear, kWrite, 0, 0});
    });
  }
  VkCommandBuffer AcquireCommands(const test::Image& image) {
    return Record(
        [&](VkCommandBuffer commands) {
          Transfer(commands, image, {0, 0, kCopy, kRead});
          Read(commands, image);
        },
        2);
  }
  VkCommandBuffer ReadCommands(const test::Image& image) {
    return Record([&](VkCommandBuffer commands) { Read(commands, image); }, 2);
  }
  VkCommandBuffer Secondary(VkBuffer from, VkBuffer to) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = &inheritance};
    vk.BeginCommandBuffer(secondary, &begin);
    Copy(secondary, from, to);
    End(secondary);
    return secondary;
  }
  Buffer a_, b_, c_;
};
class NegativeSyncSubmission : public SyncSubmission {};
class PositiveSyncSubmission : public SyncSubmission {};

TEST_F(NegativeSyncSubmission, NoBarrierBetweenSubmissions) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  Submit(Queue(), {CopyCommands(b_, c_)});
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("pSubmits[0].pCommandBufferInfos[0].commandBuffer"), std::string::npos) << message.text;
  EXPECT_EQ(ParseFix(message.text).src_stages, kCopy) << message.text;
}
TEST_F(PositiveSyncSubmission, BarrierInTheSecond) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  Submit(Queue(), {Record([&](VkCommandBuffer commands) {
           Barrier(commands, kCopyToCopy);
           Copy(commands, b_, c_);
         })});
}

TEST_F(NegativeSyncSubmission, QueuesWithoutSemaphore) {
  Submit(Queue(0), {CopyCommands(a_, b_)});
  Submit(Queue(2), {CopyCommands(b_, c_, 2)});
  ExpectMessage("SYNC-HAZARD-READ-RACING-WRITE");
}
TEST_F(PositiveSyncSubmission, BinarySemaphore) {
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(0), {CopyCommands(a_, b_)}, {.signals = {At(semaphore)}});
  Submit(Queue(2), {CopyCommands(b_, c_, 2)}, {.waits = {At(semaphore, 0, kCopy)}});
}
TEST_F(NegativeSyncSubmission, SemaphoreForAnotherStage) {
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(0), {CopyCommands(a_, b_)}, {.signals = {At(semaphore)}});
  Submit(Queue(0, 1), {CopyCommands(b_, c_)}, {.waits = {At(semaphore, 0, kCompute)}});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncSubmission, TimelineWaitBeforeSignal) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(2), {CopyCommands(b_, c_, 2)}, {.waits = {At(timeline, 1)}});
  Submit(Queue(0), {CopyCommands(a_, b_)}, {.signals = {At(timeline, 1)}});
}
TEST_F(PositiveSyncSubmission, FenceLoop) {
  VkCommandBuffer commands = CopyCommands(a_, b_);
  VkFence fence = MakeFence();
  for (int i = 0; i < 10; ++i) {
    Submit(Queue(), {commands}, {.fence = fence});
    vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
    vk.ResetFences(device, 1, &fence);
  }
}
TEST_F(PositiveSyncSubmission, QueueIdle) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  vk.QueueWaitIdle(Queue());
  Submit(Queue(2), {CopyCommands(b_, c_, 2)});
}

// Two frames in flight, each with buffers of its own, and one that they share.
TEST_F(PositiveSyncSubmission, FramesInFlight) {
  const std::vector<Buffer> own = {MakeBuffer(64), MakeBuffer(64)};
  std::vector<VkFence> fences = {MakeFence(VK_FENCE_CREATE_SIGNALED_BIT), MakeFence(VK_FENCE_CREATE_SIGNALED_BIT)};
  std::vector<VkCommandBuffer> frames = {MakeCommandBuffer(), MakeCommandBuffer()};
  for (size_t frame = 0; frame < 20; ++frame) {
    const size_t i = frame % 2;
    vk.WaitForFences(device, 1, &fences[i], VK_TRUE, ~0ull);
    vk.ResetFences(device, 1, &fences[i]);
    Begin(frames[i]);
    Copy(frames[i], a_, own[i]);
    Barrier(frames[i], {kCopy, kWrite | kRead, kCopy, kRead | kWrite});
    Copy(frames[i], own[i], b_);
    End(frames[i]);
    Submit(Queue(), {frames[i]}, {.fence = fences[i]});
  }
}
// The same, but the frame in flight reads the buffer that this one writes.
TEST_F(NegativeSyncSubmission, ReusedStagingBuffer) {
  std::vector<VkFence> fences = {MakeFence(VK_FENCE_CREATE_SIGNALED_BIT), MakeFence(VK_FENCE_CREATE_SIGNALED_BIT)};
  for (size_t frame = 0; frame < 2; ++frame) {
    vk.WaitForFences(device, 1, &fences[frame], VK_TRUE, ~0ull);
    vk.ResetFences(device, 1, &fences[frame]);
    Submit(Queue(), {Record([&](VkCommandBuffer c) {
             Fill(c, b_);
             Barrier(c, {kClear, kWrite, kCopy, kRead});
             Copy(c, b_, frame == 0 ? a_ : c_);
           })},
           {.fence = fences[frame]});
  }
  ExpectMessage(kWriteAfterRead);
}
TEST_F(PositiveSyncSubmission, QueueFamilyOwnershipTransfer) {
  VkSemaphore semaphore = MakeSemaphore();
  const auto transfer = [&](VkCommandBuffer c, const Masks& masks) {
    VkBufferMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                      nullptr,
                                      masks.src_stages,
                                      masks.src_access,
                                      masks.dst_stages,
                                      masks.dst_access,
                                      0,
                                      2,
                                      b_,
                                      0,
                                      VK_WHOLE_SIZE};
    Barriers(c, {}, {barrier}, {});
  };
  Submit(Queue(0), {Record([&](VkCommandBuffer c) {
           Copy(c, a_, b_);
           transfer(c, {kCopy, kWrite, 0, 0});
         })},
         {.signals = {At(semaphore)}});
  Submit(Queue(2),
         {Record(
             [&](VkCommandBuffer c) {
               transfer(c, {0, 0, kCopy, kRead});
               Copy(c, b_, c_);
             },
             2)},
         {.waits = {At(semaphore)}});
}
// The transition is in both halves of the queue family ownership transfer, and happens once.
TEST_F(PositiveSyncSubmission, QueueFamilyOwnershipTransferOfAnImage) {
  VkSemaphore semaphore = MakeSemaphore();
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  Submit(Queue(0), {ReleaseCommands(image)}, {.signals = {At(semaphore)}});
  Submit(Queue(2), {AcquireCommands(image)}, {.waits = {At(semaphore)}});
  Submit(Queue(2), {ReadCommands(image)});
}
// With a semaphore, the acquire is after the release whatever stages wait.
TEST_F(PositiveSyncSubmission, QueueFamilyAcquireAfterANarrowWait) {
  VkSemaphore semaphore = MakeSemaphore();
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  Submit(Queue(0), {ReleaseCommands(image)}, {.signals = {At(semaphore)}});
  Submit(Queue(2), {AcquireCommands(image)}, {.waits = {At(semaphore, 0, kCopy)}});
}
// The host waits between the two.
TEST_F(PositiveSyncSubmission, QueueFamilyAcquireAfterAFence) {
  VkFence fence = MakeFence();
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  Submit(Queue(0), {ReleaseCommands(image)}, {.fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
  Submit(Queue(2), {AcquireCommands(image)});
}
TEST_F(NegativeSyncSubmission, QueueFamilyAcquireWithoutASemaphore) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  Submit(Queue(0), {ReleaseCommands(image)});
  ExpectNothing();
  Submit(Queue(2), {AcquireCommands(image)});
  const test::Message message = ExpectMessage("SYNC-HAZARD-WRITE-RACING-WRITE");
  EXPECT_NE(message.text.find("vkCmdPipelineBarrier2"), std::string::npos) << message.text;
  // Nor is what uses the image ordered after its release.
  Submit(Queue(2), {ReadCommands(image)});
  ExpectMessage("SYNC-HAZARD-READ-RACING-WRITE");
}
// Of the device's other queues nothing is known to be in order, but the semaphore is of an earlier batch.
TEST_F(NegativeSyncSubmission, QueueFamilyAcquireWithTheSemaphoreOfAnEarlierBatch) {
  VkSemaphore semaphore = MakeSemaphore();
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  Submit(Queue(0), {}, {.signals = {At(semaphore)}});
  Submit(Queue(0), {ReleaseCommands(image)});
  Submit(Queue(2), {AcquireCommands(image)}, {.waits = {At(semaphore)}});
  ExpectMessage("SYNC-HAZARD-WRITE-RACING-WRITE");
}
// The first queue is ordered before the last through a queue between them.
TEST_F(PositiveSyncSubmission, SemaphoresThroughAThirdQueue) {
  VkSemaphore first = MakeSemaphore(), second = MakeSemaphore();
  Submit(Queue(0), {CopyCommands(a_, b_)}, {.signals = {At(first)}});
  Submit(Queue(1), {}, {.waits = {At(first)}, .signals = {At(second)}});
  Submit(Queue(2), {CopyCommands(b_, c_, 2)}, {.waits = {At(second)}});
}
TEST_F(PositiveSyncSubmission, TimelineWaitedForByTheHost) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(0), {CopyCommands(a_, b_)}, {.signals = {At(timeline, 1)}});
  const uint64_t value = 1;
  VkSemaphoreWaitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &timeline, .pValues = &value};
  vk.WaitSemaphores(device, &info, ~0ull);
  Submit(Queue(2), {CopyCommands(b_, c_, 2)});
}
TEST_F(NegativeSyncSubmission, TimelineWaitBeforeSignalOfAnotherValue) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(2), {CopyCommands(b_, c_, 2)}, {.waits = {At(timeline, 1)}});
  Submit(Queue(0), {}, {.signals = {At(timeline, 1)}});
  Submit(Queue(0), {CopyCommands(a_, b_)}, {.signals = {At(timeline, 2)}});
  ExpectMessage("SYNC-HAZARD-WRITE-RACING-READ");
}
TEST_F(NegativeSyncSubmission, SameCommandBufferTwice) {
  VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  Fill(commands, a_);
  End(commands);
  Submit(Queue(), {commands, commands});
  ExpectMessage(kWriteAfterWrite);
}
// The next buffer has the memory before any wait that validation saw. It is in order: the free needed a wait.
TEST_F(PositiveSyncSubmission, MemoryFreedAndAllocatedAgain) {
  for (int i = 0; i < 3; ++i) {
    Buffer buffer = MakeBuffer(64);
    VkCommandBuffer commands = CopyCommands(a_, buffer);
    Submit(Queue(), {commands});
    vk.QueueWaitIdle(Queue());
    DestroyNow(buffer);
  }
}
TEST_F(NegativeSyncSubmission, ExecutedSecondary) {
  VkCommandBuffer secondary = Secondary(b_, c_);
  VkCommandBuffer commands = Begun();
  Copy(commands, a_, b_);
  vk.CmdExecuteCommands(commands, 1, &secondary);
  EXPECT_EQ(ParseFix(ExpectMessage(kReadAfterWrite).text).dst_stages, kCopy);
  End(commands);
}
TEST_F(PositiveSyncSubmission, ExecutedSecondaryAfterBarrier) {
  VkCommandBuffer secondary = Secondary(b_, c_);
  VkCommandBuffer commands = Begun();
  Copy(commands, a_, b_);
  Barrier(commands, kCopyToCopy);
  vk.CmdExecuteCommands(commands, 1, &secondary);
  End(commands);
}
TEST_F(NegativeSyncSubmission, AfterExecutedSecondary) {
  VkCommandBuffer secondary = Secondary(a_, b_);
  VkCommandBuffer commands = Begun();
  vk.CmdExecuteCommands(commands, 1, &secondary);
  Copy(commands, b_, c_);
  ExpectMessage(kReadAfterWrite);
  End(commands);
}

class SyncSubmissionOff : public SyncSubmission {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.settings.emplace_back("syncval_submit_time_validation", false);
    return options;
  }
};
TEST_F(SyncSubmissionOff, NothingIsReported) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  Submit(Queue(), {CopyCommands(b_, c_)});
}

}  // namespace
}  // namespace assay::syncval
