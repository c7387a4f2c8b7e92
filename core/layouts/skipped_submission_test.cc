// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts after a submission that a callback skips, or that the driver fails: as before.

#include "core/layouts/layout_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

// Synchronization validation reports what it finds after the submission was recorded, so a skip undoes it.
class SkippedLayout : public LayoutRulesTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", true}}}; }
  void SetUp() override {
    LayoutRulesTest::SetUp();
    image_ = MakeColor();
    for (test::Buffer* buffer : {&a_, &b_, &c_}) *buffer = MakeBuffer(64);
    Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, a_, b_); })});
  }
  void Copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to) {
    const VkBufferCopy region = {0, 0, 64};
    vk.CmdCopyBuffer(commands, from, to, 1, &region);
  }
  // Submits a transition after a copy that lacks a barrier, which a callback skips.
  void Skip(VkImageLayout from, VkImageLayout to, const SubmitOptions& options = {}) {
    const VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
      Copy(c, b_, c_);
      Barrier(c, image_, from, to);
    });
    messages.set_callback_result(VK_TRUE);
    EXPECT_EQ(Submit(Queue(), {commands}, options), VK_ERROR_VALIDATION_FAILED_EXT);
    messages.set_callback_result(VK_FALSE);
    ExpectMessage("SYNC-HAZARD-READ-AFTER-WRITE");
  }
  // The same, of a submission that the driver fails.
  void Fail(VkImageLayout from, VkImageLayout to) {
    driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(Submit(Queue(), {Transition(image_, from, to)}), VK_ERROR_OUT_OF_HOST_MEMORY);
  }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  }

  test::Image image_;
  test::Buffer a_, b_, c_;
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
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, a_, b_); })});
  Skip(kTarget, kSource);
  Run(Transition(image_, kSource, kGeneral));
  ExpectMessage(kRule);
}
TEST_F(PositiveSkippedLayout, LeavesNoLayout) {
  Run(Transition(image_, kUndefined, kTarget));
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, a_, b_); })});
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
    messages.set_callback_result(VK_TRUE);
    EXPECT_EQ(Submit(Queue(), {commands}), VK_ERROR_VALIDATION_FAILED_EXT);
    messages.set_callback_result(VK_FALSE);
    ExpectMessage(kRule);
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
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, a_, b_); })});
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
