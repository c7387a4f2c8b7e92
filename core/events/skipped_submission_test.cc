// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events after a submission that a callback skips, or that the driver fails: as before.

#include "core/recording/skipped_submission_test.h"
#include "core/events/event_test.h"
#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

constexpr char kHostResets[] = "VUID-vkResetEvent-event-03821";

class SkippedEvent : public SkippedSubmission<Event> {
 protected:
  void SetAndWait(VkCommandBuffer c) {
    Set1(c);
    Wait1(c);
  }
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
    Skip([&](VkCommandBuffer c) { Reset(c), Set1(c, kCompute); });
    Run([&](VkCommandBuffer c) { Wait1(c, kCompute); });
    ExpectMessage(kOtherStages);
  }
}
TEST_F(PositiveSkippedEvent, LeavesTheSetBefore) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  Skip([&](VkCommandBuffer c) { Reset(c), Set1(c, kCompute); });
  Run([&](VkCommandBuffer c) { Wait1(c); });
}
// A mistake that is reported before anything is recorded.
TEST_F(NegativeSkippedEvent, IsReportedAgain) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  const VkCommandBuffer wrong = Record([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    SubmitSkipped(wrong, kOtherStages);
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
