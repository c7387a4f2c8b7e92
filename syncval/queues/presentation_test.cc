// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Swapchain images between the presentation engine and queues.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

class SyncPresentation : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    swapchain_ = MakeSwapchain(MakeSurface());
    images_ = SwapchainImages(swapchain_);
    for (VkImage image : images_) clears_.push_back(ClearForPresent(image, VK_PIPELINE_STAGE_2_CLEAR_BIT));
    acquired_ = MakeSemaphore();
    rendered_ = MakeSemaphore();
  }

  static VkImageSubresourceRange Whole() { return {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}; }

  // Transitions the image with a barrier from these stages, clears it, and transitions it for presentation.
  VkCommandBuffer ClearForPresent(VkImage image, VkPipelineStageFlags2 from) {
    return Record([&](VkCommandBuffer c) {
      Barriers(c, {}, {},
               {ImageBarrier({from, 0, kClear, kWrite}, image, Whole(), VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)});
      VkClearColorValue color = {};
      const VkImageSubresourceRange range = Whole();
      vk.CmdClearColorImage(c, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &range);
      Barriers(c, {}, {},
               {ImageBarrier({kClear, kWrite, 0, 0}, image, Whole(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                             VK_IMAGE_LAYOUT_PRESENT_SRC_KHR)});
    });
  }
  uint32_t Acquire(VkSemaphore semaphore, VkFence fence = VK_NULL_HANDLE) {
    uint32_t index = 0;
    vk.AcquireNextImageKHR(device, swapchain_, UINT64_MAX, semaphore, fence, &index);
    return index;
  }
  void Present(uint32_t index, VkSemaphore semaphore) {
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .waitSemaphoreCount = semaphore != VK_NULL_HANDLE ? 1u : 0u,
                             .pWaitSemaphores = &semaphore,
                             .swapchainCount = 1,
                             .pSwapchains = &swapchain_,
                             .pImageIndices = &index};
    vk.QueuePresentKHR(Queue(), &info);
  }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, VkPipelineStageFlags2 stages) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, 0, stages, 0};
  }

  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  std::vector<VkImage> images_;
  // Of each image.
  std::vector<VkCommandBuffer> clears_;
  VkSemaphore acquired_ = VK_NULL_HANDLE;
  VkSemaphore rendered_ = VK_NULL_HANDLE;
};
class PositiveSyncPresentation : public SyncPresentation {};
class NegativeSyncPresentation : public SyncPresentation {};

TEST_F(PositiveSyncPresentation, FramesInFlight) {
  constexpr uint32_t kFrames = 2;
  std::array<VkSemaphore, kFrames> acquired, rendered;
  std::array<VkFence, kFrames> fences;
  for (uint32_t i = 0; i < kFrames; ++i) {
    acquired[i] = MakeSemaphore();
    rendered[i] = MakeSemaphore();
    fences[i] = MakeFence(VK_FENCE_CREATE_SIGNALED_BIT);
  }
  for (uint32_t frame = 0; frame < 12; ++frame) {
    const uint32_t i = frame % kFrames;
    vk.WaitForFences(device, 1, &fences[i], VK_TRUE, UINT64_MAX);
    vk.ResetFences(device, 1, &fences[i]);
    const uint32_t image = Acquire(acquired[i]);
    Submit(Queue(), {clears_[image]},
           {{At(acquired[i], kClear)}, {At(rendered[i], VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}, fences[i]});
    Present(image, rendered[i]);
  }
}
TEST_F(PositiveSyncPresentation, AcquireWithAFence) {
  VkFence fence = MakeFence();
  for (uint32_t frame = 0; frame < 6; ++frame) {
    const uint32_t image = Acquire(VK_NULL_HANDLE, fence);
    vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device, 1, &fence);
    Submit(Queue(), {clears_[image]}, {.signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
    Present(image, rendered_);
    vk.QueueWaitIdle(Queue());
  }
}
// A batch without commands waits for the image. The next batch waits for nothing and accesses it.
TEST_F(PositiveSyncPresentation, EarlierBatchWaits) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {}, {.waits = {At(acquired_, kClear)}});
  Submit(Queue(), {clears_[image]}, {.signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  Present(image, rendered_);
}
TEST_F(PositiveSyncPresentation, SignalOfTheBatchAfter) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]}, {.waits = {At(acquired_, kClear)}});
  Submit(Queue(), {}, {.signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  Present(image, rendered_);
}
// Rendered on one queue, presented through another.
TEST_F(PositiveSyncPresentation, WaitIdleInsteadOfASemaphore) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]}, {.waits = {At(acquired_, kClear)}});
  vk.QueueWaitIdle(Queue());
  Present(image, VK_NULL_HANDLE);
}
// The images of the new swapchain have other memory.
TEST_F(PositiveSyncPresentation, Recreated) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]},
         {.waits = {At(acquired_, kClear)}, .signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  Present(image, rendered_);
  vk.DeviceWaitIdle(device);
  swapchain_ = MakeSwapchain(MakeSurface());
  images_ = SwapchainImages(swapchain_);
  const uint32_t other = Acquire(acquired_);
  VkCommandBuffer clear = ClearForPresent(images_[other], kClear);
  Submit(Queue(), {clear},
         {.waits = {At(acquired_, kClear)}, .signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  Present(other, rendered_);
}

TEST_F(NegativeSyncPresentation, WrittenWithoutTheAcquire) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]}, {.signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  const test::Message message = ExpectMessage("SYNC-HAZARD-WRITE-AFTER-PRESENT");
  EXPECT_NE(message.text.find("wait for the semaphore of vkAcquireNextImageKHR()"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncPresentation, BarrierBeginsBeforeTheWait) {
  const uint32_t image = Acquire(acquired_);
  VkCommandBuffer clear = ClearForPresent(images_[image], VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT);
  Submit(Queue(), {clear}, {.waits = {At(acquired_, kClear)}});
  ExpectMessage(kWriteAfterRead);
}
TEST_F(NegativeSyncPresentation, WaitsAtAnotherStage) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]}, {.waits = {At(acquired_, kCompute)}});
  const test::Message message = ExpectMessage(kWriteAfterRead);
  EXPECT_NE(message.text.find("srcStageMask"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncPresentation, PresentedWithoutASemaphore) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]}, {.waits = {At(acquired_, kClear)}});
  Present(image, VK_NULL_HANDLE);
  const test::Message message = ExpectMessage("SYNC-HAZARD-PRESENT-AFTER-WRITE");
  EXPECT_NE(message.text.find("pPresentInfo.pImageIndices[0]"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncPresentation, SignalledBeforeTheClear) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {},
         {.waits = {At(acquired_, kClear)}, .signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  Submit(Queue(), {clears_[image]});
  Present(image, rendered_);
  ExpectMessage("SYNC-HAZARD-PRESENT-AFTER-WRITE");
}
TEST_F(NegativeSyncPresentation, WrittenAfterThePresent) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]},
         {.waits = {At(acquired_, kClear)}, .signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  Present(image, rendered_);
  Submit(Queue(), {clears_[image]});
  ExpectMessage("SYNC-HAZARD-WRITE-AFTER-PRESENT");
}

}  // namespace
}  // namespace assay::syncval
