// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What is suggested for the frames of a swapchain.

#include <string>
#include <vector>

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

constexpr VkPipelineStageFlags kColorOutput = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;

class SyncFrameFix : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    swapchain_ = MakeSwapchain(MakeSurface());
    images_ = SwapchainImages(swapchain_);
    acquired_ = MakeSemaphore();
  }
  uint32_t Acquire() {
    uint32_t index = 0;
    vk.AcquireNextImageKHR(device, swapchain_, UINT64_MAX, acquired_, VK_NULL_HANDLE, &index);
    return index;
  }
  // A render pass that clears the image, with these dependencies from outside.
  VkCommandBuffer Render(VkImage image, const std::vector<VkSubpassDependency2>& dependencies) {
    const VkFormat format = VK_FORMAT_B8G8R8A8_UNORM;
    const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                 .format = format,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                 .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                 .finalLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
    const VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                              .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription2 subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .colorAttachmentCount = 1, .pColorAttachments = &reference};
    VkRenderPass render_pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                               .attachmentCount = 1,
                                               .pAttachments = &attachment,
                                               .subpassCount = 1,
                                               .pSubpasses = &subpass,
                                               .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                               .pDependencies = dependencies.data()});
    VkImageView view = MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                 .image = image,
                                 .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                 .format = format,
                                 .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}});
    return Record([&](VkCommandBuffer c) {
      const VkClearValue clear = {};
      const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                           .renderPass = render_pass,
                                           .framebuffer = MakeFramebuffer(render_pass, {view}, 16, 16),
                                           .renderArea = {{0, 0}, {16, 16}},
                                           .clearValueCount = 1,
                                           .pClearValues = &clear};
      vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
      vk.CmdEndRenderPass(c);
    });
  }
  // Submits a frame that waits for the acquire.
  void SubmitFrame(VkCommandBuffer frame, VkPipelineStageFlags wait) {
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &acquired_,
                                 .pWaitDstStageMask = &wait,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &frame};
    vk.QueueSubmit(Queue(), 1, &submit, VK_NULL_HANDLE);
  }
  std::string FixOfReport() {
    const std::string text = ExpectMessage(kWriteAfterRead).text;
    return text.substr(std::min(text.find("To fix"), text.size()));
  }

  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  std::vector<VkImage> images_;
  VkSemaphore acquired_ = VK_NULL_HANDLE;
};

VkSubpassDependency2 FromOutside(VkPipelineStageFlags from) {
  return {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
          .srcSubpass = VK_SUBPASS_EXTERNAL,
          .dstSubpass = 0,
          .srcStageMask = from,
          .dstStageMask = kColorOutput,
          .srcAccessMask = 0,
          .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
}

// The render pass has no dependency to change: the mask of the wait is the smaller change.
TEST_F(SyncFrameFix, WaitMaskWithoutADependency) {
  SubmitFrame(Render(images_[Acquire()], {}), kColorOutput);
  const std::string fix = FixOfReport();
  EXPECT_NE(fix.find("wait for the semaphore with the pWaitDstStageMask VK_PIPELINE_STAGE_ALL_COMMANDS_BIT"),
            std::string::npos)
      << fix;
  EXPECT_NE(fix.find(".srcStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT"), std::string::npos) << fix;
}
TEST_F(SyncFrameFix, WaitMaskAsSuggested) {
  SubmitFrame(Render(images_[Acquire()], {}), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}
TEST_F(SyncFrameFix, DependencyAsSuggested) {
  SubmitFrame(Render(images_[Acquire()], {FromOutside(kColorOutput)}), kColorOutput);
}

// The render pass has a dependency, of which a bit is missing.
TEST_F(SyncFrameFix, BitOfTheDependency) {
  SubmitFrame(Render(images_[Acquire()], {FromOutside(VK_PIPELINE_STAGE_TRANSFER_BIT)}), kColorOutput);
  const std::string fix = FixOfReport();
  EXPECT_NE(fix.find("set srcStageMask |= VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT."), std::string::npos) << fix;
  EXPECT_EQ(fix.find("ALL_COMMANDS"), std::string::npos) << fix;
}

// All graphics stages wait. Of those, the suggestion has the one of the barrier's second scope, and none of an
// extension that the device does not have.
TEST_F(SyncFrameFix, StageOfTheBarrier) {
  VkImage image = images_[Acquire()];
  VkCommandBuffer frame = Record([&](VkCommandBuffer c) {
    Barriers(c, {}, {},
             {ImageBarrier({0, 0, kColorOutput, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT}, image,
                           {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}, VK_IMAGE_LAYOUT_UNDEFINED,
                           VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)});
  });
  SubmitFrame(frame, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT);
  const std::string fix = FixOfReport();
  EXPECT_NE(fix.find("set srcStageMask |= VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT."), std::string::npos) << fix;
}

}  // namespace
}  // namespace assay::syncval
