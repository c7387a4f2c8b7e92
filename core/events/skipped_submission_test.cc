// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events after a submission that a callback skips, or that the driver fails: as before.

#include "core/events/event_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

constexpr char kHostResets[] = "VUID-vkResetEvent-event-03821";

// Synchronization validation reports what it finds after the submission was recorded, so a skip undoes it.
class SkippedEvent : public Event {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", true}}}; }
  void SetUp() override {
    Event::SetUp();
    for (test::Buffer* buffer : {&a_, &b_, &c_}) *buffer = MakeBuffer(64);
    Run([&](VkCommandBuffer c) { Copy(c, a_, b_); });
  }
  void Copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to) {
    const VkBufferCopy region = {0, 0, 64};
    vk.CmdCopyBuffer(commands, from, to, 1, &region);
  }
  // Submits commands after a copy that lacks a barrier, which a callback skips.
  void Skip(const Commands& commands, const SubmitOptions& options = {}) {
    const VkCommandBuffer recorded = Record([&](VkCommandBuffer c) {
      Copy(c, b_, c_);
      commands(c);
    });
    messages.set_callback_result(VK_TRUE);
    EXPECT_EQ(Submit(Queue(), {recorded}, options), VK_ERROR_VALIDATION_FAILED_EXT);
    messages.set_callback_result(VK_FALSE);
    ExpectMessage("SYNC-HAZARD-READ-AFTER-WRITE");
  }
  void Fail(const Commands& commands) {
    const VkCommandBuffer recorded = Record(commands);
    driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(Submit(Queue(), {recorded}), VK_ERROR_OUT_OF_HOST_MEMORY);
  }
  void SetAndWait(VkCommandBuffer c) {
    Set1(c);
    Wait1(c);
  }

  test::Buffer a_, b_, c_;
};
class NegativeSkippedEvent : public SkippedEvent {};
class PositiveSkippedEvent : public SkippedEvent {};

TEST_F(NegativeSkippedEvent, LeavesNoSet) {
  Skip([&](VkCommandBuffer c) { Set1(c, kCompute); });
  Run([&](VkCommandBuffer c) { Set1(c); });
  Run([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  ExpectMessage(kOtherStages);
}
TEST_F(NegativeSkippedEvent, LeavesTheSetBefore) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    Skip([&](VkCommandBuffer c) {
      Reset(c);
      Set1(c, kCompute);
    });
    Run([&](VkCommandBuffer c) { Wait1(c, kCompute); });
    ExpectMessage(kOtherStages);
  }
}
TEST_F(PositiveSkippedEvent, LeavesTheSetBefore) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  Skip([&](VkCommandBuffer c) {
    Reset(c);
    Set1(c, kCompute);
  });
  Run([&](VkCommandBuffer c) { Wait1(c); });
}
// A mistake that is reported before anything is recorded.
TEST_F(NegativeSkippedEvent, IsReportedAgain) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  const VkCommandBuffer wrong = Record([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    messages.set_callback_result(VK_TRUE);
    EXPECT_EQ(Submit(Queue(), {wrong}), VK_ERROR_VALIDATION_FAILED_EXT);
    messages.set_callback_result(VK_FALSE);
    ExpectMessage(kOtherStages);
  }
  Run([&](VkCommandBuffer c) { Wait1(c); });
}

// The host resets an event whose wait may still be executed.
TEST_F(NegativeSkippedEvent, LeavesTheWaitBefore) {
  Run([&](VkCommandBuffer c) { SetAndWait(c); });
  Skip([&](VkCommandBuffer c) { SetAndWait(c); });
  vk.ResetEvent(device, event_);
  ExpectMessage(kHostResets);
}
TEST_F(PositiveSkippedEvent, LeavesNoWait) {
  Skip([&](VkCommandBuffer c) { SetAndWait(c); });
  vk.ResetEvent(device, event_);
}
// It would have released a batch, which is then held, and checked, again.
TEST_F(NegativeSkippedEvent, HeldBatch) {
  const VkSemaphore timeline = MakeTimeline();
  const VkSemaphoreSubmitInfo one = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  Submit(Queue(0, 1), {Record([&](VkCommandBuffer c) { Wait1(c); })}, {.waits = {one}});
  Skip([&](VkCommandBuffer c) { Set1(c); }, {.signals = {one}});
  Submit(Queue(), {Record([&](VkCommandBuffer c) { vk.CmdSetEvent(c, other_, kTransfer); })}, {.signals = {one}});
  ExpectNothing();
  vk.DeviceWaitIdle(device);
  Run([&](VkCommandBuffer c) { Set1(c, kCompute); });
  Run([&](VkCommandBuffer c) { Wait1(c); });
  ExpectMessage(kOtherStages);
}

TEST_F(NegativeSkippedEvent, OfAFailure) {
  Fail([&](VkCommandBuffer c) { Set1(c, kCompute); });
  Run([&](VkCommandBuffer c) { Set1(c); });
  Run([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  ExpectMessage(kOtherStages);
}
TEST_F(PositiveSkippedEvent, OfAFailure) {
  Fail([&](VkCommandBuffer c) { Set1(c, kCompute); });
  Run([&](VkCommandBuffer c) { SetAndWait(c); });
}

}  // namespace
}  // namespace assay::core
