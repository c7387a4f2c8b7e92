// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts after a submission that a callback skips, or that the driver fails: as before.

#include "core/recording/skipped_submission_test.h"
#include "core/layouts/layout_test.h"
#include "gmock/gmock.h"
#include "vk/vulkan.h"

namespace assay::core {
namespace {

class SkippedLayout : public SkippedSubmission<LayoutRulesTest> {
 protected:
  // Of transitions of the image.
  void Skip(VkImageLayout from, VkImageLayout to, const SubmitOptions& options = {}) {
    SkippedSubmission::Skip([&](VkCommandBuffer c) { Barrier(c, image, from, to); }, options);
  }
  void Fail(VkImageLayout from, VkImageLayout to) {
    SkippedSubmission::Fail([&](VkCommandBuffer c) { Barrier(c, image, from, to); });
  }
};
class NegativeSkippedLayout : public SkippedLayout {};
class PositiveSkippedLayout : public SkippedLayout {};

TEST_F(NegativeSkippedLayout, OfANewImage) {
  Skip(kUndefined, kTarget);
  Run(Transition(image, kTarget, kSource));
  EXPECT_THAT(ExpectMessage(kRule).text,
              ::testing::HasSubstr("but vkCreateImage() left it in VK_IMAGE_LAYOUT_UNDEFINED."));
}
TEST_F(NegativeSkippedLayout, LeavesNoLayout) {
  Run(Transition(image, kUndefined, kTarget));
  PrepareHazard();
  Skip(kTarget, kSource);
  Run(Transition(image, kSource, kGeneral));
  ExpectMessage(kRule);
}
TEST_F(PositiveSkippedLayout, LeavesNoLayout) {
  Run(Transition(image, kUndefined, kTarget));
  PrepareHazard();
  Skip(kTarget, kSource);
  Skip(kTarget, kSource);
  Run(Transition(image, kTarget, kGeneral));
  Run(Transition(image, kGeneral, kSource));
}
// A mistake that is reported before anything is recorded.
TEST_F(NegativeSkippedLayout, IsReportedAgain) {
  const VkCommandBuffer wrong = Transition(image, kGeneral, kSource);
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    SubmitSkipped(wrong, kRule);
  }
  Run(Transition(image, kUndefined, kSource));
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
  Run(Transition(image, kTarget, kSource));
  ExpectMessage(kRule);
}
TEST_F(PositiveSkippedLayout, OfAFailure) {
  Fail(kUndefined, kTarget);
  Run(Transition(image, kUndefined, kTarget));
  Fail(kTarget, kSource);
  Run(Transition(image, kTarget, kGeneral));
}

}  // namespace
}  // namespace assay::core
