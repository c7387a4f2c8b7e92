// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts after a submission that a callback skips, or that the driver fails: as before.

#include "core/recording/skipped_submission_test.h"
#include "core/layouts/layout_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

class SkippedLayout : public SkippedSubmission<LayoutRulesTest> {
 protected:
  void SetUp() override {
    SkippedSubmission::SetUp();
    image_ = MakeColor();
  }
  // Of transitions of the image.
  void Skip(VkImageLayout from, VkImageLayout to, const SubmitOptions& options = {}) {
    SkippedSubmission::Skip([&](VkCommandBuffer c) { Barrier(c, image_, from, to); }, options);
  }
  void Fail(VkImageLayout from, VkImageLayout to) {
    SkippedSubmission::Fail([&](VkCommandBuffer c) { Barrier(c, image_, from, to); });
  }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  }

  test::Image image_;
};
class NegativeSkippedLayout : public SkippedLayout {};
class PositiveSkippedLayout : public SkippedLayout {};

TEST_F(NegativeSkippedLayout, OfANewImage) {
  Skip(kUndefined, kTarget);
  Run(Transition(image_, kTarget, kSource));
  const std::string text = ExpectMessage(kRule).text;
  EXPECT_NE(text.find("but vkCreateImage() left it in VK_IMAGE_LAYOUT_UNDEFINED."), std::string::npos) << text;
}
TEST_F(NegativeSkippedLayout, LeavesNoLayout) {
  Run(Transition(image_, kUndefined, kTarget));
  PrepareHazard();
  Skip(kTarget, kSource);
  Run(Transition(image_, kSource, kGeneral));
  ExpectMessage(kRule);
}
TEST_F(PositiveSkippedLayout, LeavesNoLayout) {
  Run(Transition(image_, kUndefined, kTarget));
  PrepareHazard();
  Skip(kTarget, kSource);
  Skip(kTarget, kSource);
  Run(Transition(image_, kTarget, kGeneral));
  Run(Transition(image_, kGeneral, kSource));
}
// A mistake that is reported before anything is recorded.
TEST_F(NegativeSkippedLayout, IsReportedAgain) {
  const VkCommandBuffer commands = Transition(image_, kGeneral, kSource);
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    SubmitSkipped(commands, kRule);
  }
  Run(Transition(image_, kUndefined, kSource));
}
// It would have released a batch, which is then held, and checked, again.
TEST_F(NegativeSkippedLayout, HeldBatch) {
  const VkSemaphore timeline = MakeTimeline();
  const test::Image other = MakeColor();
  Submit(Queue(0, 1), {Transition(other, kUndefined, kTarget)}, {.waits = {At(timeline, 1)}});
  Skip(kUndefined, kTarget, {.signals = {At(timeline, 1)}});
  Submit(Queue(), {Transition(other, kTarget, kSource)});
  ExpectMessage(kRule);
  Submit(Queue(), {}, {.signals = {At(timeline, 1)}});
}
TEST_F(PositiveSkippedLayout, HeldBatch) {
  const VkSemaphore timeline = MakeTimeline();
  const test::Image other = MakeColor();
  Run(Transition(other, kUndefined, kTarget));
  PrepareHazard();
  Submit(Queue(0, 1), {Transition(other, kTarget, kSource)}, {.waits = {At(timeline, 1)}});
  Skip(kUndefined, kTarget, {.signals = {At(timeline, 1)}});
  Submit(Queue(), {}, {.signals = {At(timeline, 1)}});
  vk.DeviceWaitIdle(device);
  Run(Transition(other, kSource, kGeneral));
}

TEST_F(NegativeSkippedLayout, OfAFailure) {
  Fail(kUndefined, kTarget);
  Run(Transition(image_, kTarget, kSource));
  ExpectMessage(kRule);
}
TEST_F(PositiveSkippedLayout, OfAFailure) {
  Fail(kUndefined, kTarget);
  Run(Transition(image_, kUndefined, kTarget));
  Fail(kTarget, kSource);
  Run(Transition(image_, kTarget, kGeneral));
}

}  // namespace
}  // namespace assay::core
