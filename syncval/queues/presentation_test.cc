// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Swapchain images between the presentation engine and queues.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

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
  // Clears the image in a render pass without dependencies, which leaves it ready for presentation.
  VkCommandBuffer RenderForPresent(VkImage image) {
    const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                 .format = VK_FORMAT_B8G8R8A8_UNORM,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                 .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                 .finalLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
    const VkAttachmentReference2 color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                          .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                          .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &color};
    VkRenderPass render_pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                               .attachmentCount = 1,
                                               .pAttachments = &attachment,
                                               .subpassCount = 1,
                                               .pSubpasses = &subpass});
    VkImageView view = MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                 .image = image,
                                 .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                 .format = VK_FORMAT_B8G8R8A8_UNORM,
                                 .subresourceRange = Whole()});
    VkFramebuffer framebuffer = MakeFramebuffer(render_pass, {view}, 16, 16);
    return Record([&](VkCommandBuffer c) {
      VkClearValue clear = {};
      VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    .renderPass = render_pass,
                                    .framebuffer = framebuffer,
                                    .renderArea = {{0, 0}, {16, 16}},
                                    .clearValueCount = 1,
                                    .pClearValues = &clear};
      vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
      vk.CmdEndRenderPass(c);
    });
  }
  // A frame that does these commands too. The wait for the acquired image is at its clear.
  uint32_t Frame(const std::vector<VkCommandBuffer>& commands = {}) {
    const uint32_t image = Acquire(acquired_);
    std::vector<VkCommandBuffer> all = commands;
    all.push_back(clears_[image]);
    Submit(Queue(), all, {.waits = {At(acquired_, kClear)}, .signals = {At(rendered_, kAll)}});
    Present(image, rendered_);
    return image;
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
// A wait of all commands is before the transition too.
TEST_F(PositiveSyncPresentation, WaitsAtAllCommands) {
  for (VkPipelineStageFlags2 from : {VK_PIPELINE_STAGE_2_NONE, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT}) {
    const uint32_t image = Acquire(acquired_);
    VkCommandBuffer clear = ClearForPresent(images_[image], from);
    Submit(Queue(), {clear}, {.waits = {At(acquired_, kAll)}, .signals = {At(rendered_, kAll)}});
    Present(image, rendered_);
  }
}
// The same by the dependency of a render pass, of which the implicit one from outside has no first scope.
TEST_F(PositiveSyncPresentation, RenderPassAfterAWaitAtAllCommands) {
  const uint32_t image = Acquire(acquired_);
  VkCommandBuffer draw = RenderForPresent(images_[image]);
  Submit(Queue(), {draw}, {.waits = {At(acquired_, kAll)}, .signals = {At(rendered_, kAll)}});
  Present(image, rendered_);
}
TEST_F(NegativeSyncPresentation, RenderPassAfterAWaitAtColorOutput) {
  const uint32_t image = Acquire(acquired_);
  VkCommandBuffer draw = RenderForPresent(images_[image]);
  Submit(Queue(), {draw},
         {.waits = {At(acquired_, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT)}, .signals = {At(rendered_, kAll)}});
  ExpectMessage(kWriteAfterRead);
}
// Of a target that frames share, with a barrier in each frame.
TEST_F(PositiveSyncPresentation, FramesShareATargetWithABarrier) {
  const test::Buffer target = MakeBuffer(64);
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Barrier(c, {kClear, kWrite, kClear, kWrite});
    Fill(c, target);
  });
  for (int frame = 0; frame < 6; ++frame) Frame({commands});
}
// The acquire is after all that the last present of the same image waited for.
TEST_F(PositiveSyncPresentation, AcquireOfTheSameImage) {
  const test::Buffer target = MakeBuffer(64);
  VkCommandBuffer fill = Record([&](VkCommandBuffer c) { Fill(c, target); });
  const uint32_t first = Frame({fill});
  for (size_t frame = 1; frame < images_.size(); ++frame) ASSERT_NE(Frame(), first);
  ASSERT_EQ(Frame({fill}), first);
}
TEST_F(PositiveSyncPresentation, AcquireOfTheSameImageWithAFence) {
  const test::Buffer target = MakeBuffer(64);
  VkCommandBuffer fill = Record([&](VkCommandBuffer c) { Fill(c, target); });
  const uint32_t first = Frame({fill});
  for (size_t frame = 1; frame < images_.size(); ++frame) Frame();
  VkFence fence = MakeFence();
  ASSERT_EQ(Acquire(VK_NULL_HANDLE, fence), first);
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  Submit(Queue(), {fill});
}
// An image is presented again as it is, many times.
TEST_F(PositiveSyncPresentation, PresentedWithoutRendering) {
  Frame();
  for (int frame = 0; frame < 8; ++frame) Present(Acquire(acquired_), acquired_);
  Frame();
}
TEST_F(NegativeSyncPresentation, FramesShareATarget) {
  const test::Buffer target = MakeBuffer(64);
  VkCommandBuffer fill = Record([&](VkCommandBuffer c) { Fill(c, target); });
  Frame({fill});
  ExpectNothing();
  Frame({fill});
  ExpectMessage(kWriteAfterWrite);
}
// That another image is acquired says nothing of the last frame.
TEST_F(NegativeSyncPresentation, FenceOfAnAcquireIsWaitedForAlone) {
  const test::Buffer target = MakeBuffer(64);
  VkCommandBuffer fill = Record([&](VkCommandBuffer c) { Fill(c, target); });
  Frame({fill});
  VkFence fence = MakeFence();
  Acquire(VK_NULL_HANDLE, fence);
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  ExpectNothing();
  Submit(Queue(), {fill});
  ExpectMessage(kWriteAfterWrite);
}
// The frame's number instead of the index of the acquired image.
TEST_F(NegativeSyncPresentation, AnotherImageThanTheAcquiredOne) {
  const uint32_t presented = Frame();
  const uint32_t image = Acquire(acquired_);
  ASSERT_NE(image, presented);
  ExpectNothing();
  Submit(Queue(), {clears_[presented]}, {.waits = {At(acquired_, kClear)}});
  ExpectMessage("SYNC-HAZARD-WRITE-AFTER-PRESENT");
}
// The images of the new swapchain have other memory.
TEST_F(PositiveSyncPresentation, Recreated) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]},
         {.waits = {At(acquired_, kClear)}, .signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  Present(image, rendered_);
  vk.DeviceWaitIdle(device);
  DestroyNow(swapchain_);
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
// A present that a callback skips leaves nothing: it is reported again, and with a semaphore it is right.
TEST_F(NegativeSyncPresentation, Skipped) {
  const uint32_t image = Acquire(acquired_);
  Submit(Queue(), {clears_[image]}, {.waits = {At(acquired_, kClear)}});
  for (int i = 0; i < 2; ++i) {
    messages.set_callback_result(VK_TRUE);
    Present(image, VK_NULL_HANDLE);
    messages.set_callback_result(VK_FALSE);
    ExpectMessage("SYNC-HAZARD-PRESENT-AFTER-WRITE");
  }
  Submit(Queue(), {}, {.signals = {At(rendered_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)}});
  Present(image, rendered_);
  Frame();
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
