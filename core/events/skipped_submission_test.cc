// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events after a submission that a callback skips, or that the driver fails: as before.

#include "core/recording/skipped_submission_test.h"
#include "core/events/event_test.h"
#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

using SkippedEvent = SkippedSubmission<Event>;
class NegativeSkippedEvent : public SkippedEvent {};
class PositiveSkippedEvent : public SkippedEvent {};

TEST_F(NegativeSkippedEvent, LeavesNoSet) {
  Skip(Set1(kCompute));
  Run({Set1()});
  Run(kOtherStages, {Wait1(kCompute)});
}
TEST_F(NegativeSkippedEvent, LeavesTheSetBefore) {
  Run({Set1()});
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    Skip(All({Reset(), Set1(kCompute)}));
    Run(kOtherStages, {Wait1(kCompute)});
  }
}
TEST_F(PositiveSkippedEvent, LeavesTheSetBefore) {
  Run({Set1()});
  Skip(All({Reset(), Set1(kCompute)}));
  Run({Wait1()});
}
// A mistake that is reported before anything is recorded.
TEST_F(NegativeSkippedEvent, IsReportedAgain) {
  Run({Set1()});
  const VkCommandBuffer wrong = Record({Wait1(kCompute)});
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    SubmitSkipped(wrong, kOtherStages);
  }
  Run({Wait1()});
}

// The host resets an event whose wait may still be executed.
TEST_F(NegativeSkippedEvent, LeavesTheWaitBefore) {
  Run({SetAndWait()});
  Skip(SetAndWait());
  vk.ResetEvent(device, event_);
  ExpectMessage("VUID-vkResetEvent-event-03821");
}
TEST_F(PositiveSkippedEvent, LeavesNoWait) {
  Skip(SetAndWait());
  vk.ResetEvent(device, event_);
}
// It would have released a batch, which is then held, and checked, again.
TEST_F(NegativeSkippedEvent, HeldBatch) {
  const VkSemaphore timeline = MakeTimeline();
  const VkSemaphoreSubmitInfo one = At(timeline, 1);
  Submit(Queue(0, 1), {Record({Wait1()})}, {.waits = {one}});
  Skip(Set1(), {.signals = {one}});
  Submit(Queue(), {Record({Set1(other_, kTransfer)})}, {.signals = {one}});
  ExpectNothing();
  vk.DeviceWaitIdle(device);
  Run({Set1(kCompute)});
  Run(kOtherStages, {Wait1()});
}

TEST_F(NegativeSkippedEvent, OfAFailure) {
  Fail(Set1(kCompute));
  Run({Set1()});
  Run(kOtherStages, {Wait1(kCompute)});
}
TEST_F(PositiveSkippedEvent, OfAFailure) {
  Fail(Set1(kCompute));
  Run({SetAndWait()});
}

}  // namespace
}  // namespace assay::core
