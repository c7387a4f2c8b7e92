// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A call that a callback skips while synchronization validation records it, or after that: it reports what recording
// finds. Validators know of command buffers and queues what they knew before. The same call that is not skipped changes
// that.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "gtest/gtest.h"
#include "layer/skipped_calls/every_validator.h"
#include "messages/messages.h"
#include "testing/dump/dump.h"
#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::layer {
namespace {

using vk::CommandId;

constexpr char kReported[] = "ASSAY-test";
constexpr VkPipelineStageFlags kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

// Two queues have work: each has copied from a buffer to one of its own.
class SkippedSubmissionsTest : public test::ValidationTest {
 protected:
  void SetUp() override {
    ValidationTest::SetUp();
    for (test::Buffer* buffer : {&a_, &b_, &c_}) *buffer = MakeBuffer(64);
    copied_to_b_ = MakeSemaphore();
    Submit(Queue(), {Copy(a_, b_)}, {.signals = {At(copied_to_b_)}});
    Submit(Queue(0, 1), {Copy(a_, c_)});
  }
  void TearDown() override {
    SetLastReport({});
    vk.DeviceWaitIdle(device);
    ValidationTest::TearDown();
  }

  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value = 0) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, kAll, 0};
  }
  // After everything before it on its queue.
  VkCommandBuffer Copy(VkBuffer from, VkBuffer to) {
    return Record([&](VkCommandBuffer commands) {
      const VkMemoryBarrier everything = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
      vk.CmdPipelineBarrier(commands, kAll, kAll, 0, 1, &everything, 0, nullptr, 0, nullptr);
      const VkBufferCopy region = {0, 0, 64};
      vk.CmdCopyBuffer(commands, from, to, 1, &region);
    });
  }

  // Makes the call twice; a callback skips it the first time.
  void SkipAndRepeat(CommandId id, const std::function<VkResult()>& call) {
    ASSERT_TRUE(IsReportedLate(id));
    int reached_driver = 0;
    driver().SetObserver([&](CommandId reaching, const void*) { reached_driver += reaching == id ? 1 : 0; });
    const test::Dump core_before = DumpOfCore(device);
    const test::Dump before = DumpOfSync(device);
    SetLastReport([this](messages::Report& report) {
      SkipCalls skip(*this);
      report.Deliver({.id = kReported, .text = "No."});
    });
    EXPECT_EQ(call(), VK_ERROR_VALIDATION_FAILED_EXT);
    SetLastReport({});
    ExpectMessage(kReported);
    EXPECT_EQ(reached_driver, 0);
    EXPECT_EQ(test::Dump::Difference(core_before, DumpOfCore(device)), "");
    EXPECT_EQ(test::Dump::Difference(before, DumpOfSync(device)), "");
    EXPECT_EQ(call(), VK_SUCCESS);
    EXPECT_EQ(reached_driver, 1);
    EXPECT_NE(test::Dump::Difference(before, DumpOfSync(device)), "");
    driver().SetObserver({});
    ExpectNothing();
  }

  test::Buffer a_, b_, c_;
  // By the first queue.
  VkSemaphore copied_to_b_ = VK_NULL_HANDLE;
};

// Each of them has a test below.
constexpr CommandId kTested[] = {CommandId::kQueuePresentKHR, CommandId::kQueueSubmit, CommandId::kQueueSubmit2,
                                 CommandId::kSignalSemaphore};
// What it binds is not undone. Everything before it counts as ordered before everything that follows.
constexpr CommandId kNotAsBefore = CommandId::kQueueBindSparse;

TEST_F(SkippedSubmissionsTest, HasATestForEachCommand) {
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const auto id = static_cast<CommandId>(i);
    const bool is_tested = std::ranges::count(kTested, id) != 0;
    EXPECT_EQ(IsReportedLate(id), is_tested || id == kNotAsBefore) << vk::GetCommandInfo(id).name;
  }
}

TEST_F(SkippedSubmissionsTest, Submit) {
  const VkCommandBuffer commands = Copy(a_, b_);
  const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  SkipAndRepeat(CommandId::kQueueSubmit, [&] { return vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE); });
}

// What core tracks through submissions.
TEST_F(SkippedSubmissionsTest, SubmitWithLayoutEventAndRelease) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  const VkEvent event = MakeEvent();
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    const VkImageMemoryBarrier transition = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                             .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                             .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                             .image = image,
                                             .subresourceRange = image.Range()};
    const VkBufferMemoryBarrier release = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                           .srcQueueFamilyIndex = 0,
                                           .dstQueueFamilyIndex = 1,
                                           .buffer = b_,
                                           .size = VK_WHOLE_SIZE};
    vk.CmdPipelineBarrier(c, kAll, kAll, 0, 0, nullptr, 1, &release, 1, &transition);
    vk.CmdSetEvent(c, event, kAll);
  });
  const test::Dump core_before = DumpOfCore(device);
  SkipAndRepeat(CommandId::kQueueSubmit2, [&] { return Submit(Queue(), {commands}); });
  EXPECT_NE(test::Dump::Difference(core_before, DumpOfCore(device)), "");
}

TEST_F(SkippedSubmissionsTest, SubmitWithSemaphoresAndFence) {
  const VkCommandBuffer commands = Copy(b_, c_);
  const VkSemaphore timeline = MakeTimeline();
  const VkFence fence = MakeFence();
  SkipAndRepeat(CommandId::kQueueSubmit2, [&] {
    return Submit(Queue(0, 1), {commands}, {.waits = {At(copied_to_b_)}, .signals = {At(timeline, 1)}, .fence = fence});
  });
}

TEST_F(SkippedSubmissionsTest, Present) {
  const VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  const VkFence fence = MakeFence();
  uint32_t index = 0;
  vk.AcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index);
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = SwapchainImages(swapchain)[index],
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vk.CmdPipelineBarrier(c, kAll, kAll, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  });
  const VkSemaphore drawn = MakeSemaphore();
  Submit(Queue(), {commands}, {.signals = {At(drawn)}});
  const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &drawn,
                                 .swapchainCount = 1,
                                 .pSwapchains = &swapchain,
                                 .pImageIndices = &index};
  SkipAndRepeat(CommandId::kQueuePresentKHR, [&] { return vk.QueuePresentKHR(Queue(), &info); });
}

// It makes a batch ready that was held.
TEST_F(SkippedSubmissionsTest, HostSignal) {
  const VkSemaphore timeline = MakeTimeline();
  Submit(Queue(0, 1), {Copy(a_, c_)}, {.waits = {At(timeline, 1)}});
  const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  SkipAndRepeat(CommandId::kSignalSemaphore, [&] { return vk.SignalSemaphore(device, &info); });
}

// Commands in a hazard.
class SkippedCommandsTest : public SkippedSubmissionsTest {
 protected:
  // Records the call twice; a callback skips it the first time.
  void RecordTwice(const char* hazard, VkCommandBuffer commands, const std::function<void()>& call) {
    const test::Dump before = DumpOfSync(device);
    {
      SkipCalls skip(*this);
      call();
    }
    ExpectMessage(hazard);
    EXPECT_EQ(test::Dump::Difference(before, DumpOfSync(device)), "");
    call();
    EXPECT_NE(test::Dump::Difference(before, DumpOfSync(device)), "");
    // The second message may be folded.
    messages.Take();
    End(commands);
  }
  void CopyInto(VkCommandBuffer commands, VkBuffer from, VkBuffer to) {
    const VkBufferCopy region = {0, 0, 64};
    vk.CmdCopyBuffer(commands, from, to, 1, &region);
  }
};

TEST_F(SkippedCommandsTest, Copy) {
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  CopyInto(commands, a_, b_);
  RecordTwice("SYNC-HAZARD-READ-AFTER-WRITE", commands, [&] { CopyInto(commands, b_, c_); });
}

TEST_F(SkippedCommandsTest, LayoutTransition) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  const auto transition = [&](VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) {
    const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                           .dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                           .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                           .oldLayout = from,
                                           .newLayout = to,
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .image = image,
                                           .subresourceRange = image.Range()};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdPipelineBarrier2(commands, &info);
  };
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  transition(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  const VkClearColorValue black = {};
  const VkImageSubresourceRange range = image.Range();
  vk.CmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &range);
  RecordTwice("SYNC-HAZARD-WRITE-AFTER-WRITE", commands,
              [&] { transition(commands, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL); });
}

// It has been recorded in parts when it is reported.
TEST_F(SkippedCommandsTest, Execution) {
  const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(secondary);
  CopyInto(secondary, b_, c_);
  End(secondary);
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  CopyInto(commands, a_, b_);
  RecordTwice("SYNC-HAZARD-READ-AFTER-WRITE", commands, [&] { vk.CmdExecuteCommands(commands, 1, &secondary); });
}

// Of command buffers that mark how far they come.
class MarkedSubmissionsTest : public SkippedSubmissionsTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"gpuav_enable", true}, {"gpuav_markers", true}}}; }
};

TEST_F(MarkedSubmissionsTest, IsNotPending) {
  const VkCommandBuffer commands = Copy(a_, b_);
  // So that nothing else is found to be complete.
  vk.DeviceWaitIdle(device);
  const test::Dump before = DumpOfGpuav(device);
  SetLastReport([this](messages::Report& report) {
    SkipCalls skip(*this);
    report.Deliver({.id = kReported, .text = "No."});
  });
  EXPECT_EQ(TestDevice::Submit(Queue(), {commands}), VK_ERROR_VALIDATION_FAILED_EXT);
  SetLastReport({});
  ExpectMessage(kReported);
  EXPECT_EQ(test::Dump::Difference(before, DumpOfGpuav(device)), "");
  driver().config().hold_work = true;
  EXPECT_EQ(TestDevice::Submit(Queue(), {commands}), VK_SUCCESS);
  EXPECT_NE(test::Dump::Difference(before, DumpOfGpuav(device)), "");
  driver().CompleteWork();
  driver().config().hold_work = false;
}

}  // namespace
}  // namespace assay::layer
