// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of barriers, secondary command buffers and presents, in recordings and across submissions.

#include <string>
#include <vector>

#include "core/layouts/layout_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

TEST_F(NegativeLayout, BarrierInOneRecording) {
  const test::Image image = MakeColor();
  Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kTarget);
    ExpectNothing();
    Barrier(c, image, kGeneral, kSource);
    const std::string text = ExpectMessage(kRule).text;
    EXPECT_NE(text.find("(VK_IMAGE_LAYOUT_GENERAL) is not the layout of mip level 0, array layer 0"), std::string::npos)
        << text;
    EXPECT_NE(text.find("which vkCmdPipelineBarrier2() left in VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL"),
              std::string::npos)
        << text;
  });
}
TEST_F(NegativeLayout, Sync1) {
  const test::Image image = MakeColor();
  Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kTarget);
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .oldLayout = kGeneral,
                                          .newLayout = kSource,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = image.Range()};
    vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr,
                          1, &barrier);
    ExpectMessage("VUID-VkImageMemoryBarrier-oldLayout-01197");
  });
}
TEST_F(NegativeLayout, OneLevel) {
  const test::Image image = MakeColor(3);
  Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kTarget);
    Barrier(c, BarrierOf(image, kTarget, kSource, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1}));
    ExpectNothing();
    Barrier(c, image, kTarget, kGeneral);
    const std::string text = ExpectMessage(kRule).text;
    EXPECT_NE(text.find("mip level 1"), std::string::npos) << text;
  });
}
TEST_F(NegativeLayout, BarrierOfNewImage) {
  const test::Image image = MakeColor();
  VkCommandBuffer commands = Transition(image, kGeneral, kSource);
  ExpectNothing();
  Submit(Queue(), {commands});
  const std::string text = ExpectMessage(kRule).text;
  EXPECT_NE(text.find("but vkCreateImage() left it in VK_IMAGE_LAYOUT_UNDEFINED."), std::string::npos) << text;
}
TEST_F(NegativeLayout, TwoSubmissions) {
  const test::Image image = MakeColor();
  VkCommandBuffer first = Transition(image, kUndefined, kTarget), second = Transition(image, kGeneral, kSource);
  Submit(Queue(), {first});
  ExpectNothing();
  const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &second};
  vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE);
  ExpectMessage(kRule);
}
TEST_F(NegativeLayout, AfterTheHostFailsToSetAnEvent) {
  const test::Image image = MakeColor();
  Run(Transition(image, kUndefined, kTarget));
  driver().FailNext<vk::SetEvent>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.SetEvent(device, MakeEvent()), VK_ERROR_OUT_OF_HOST_MEMORY);
  Run(Transition(image, kGeneral, kSource));
  ExpectMessage(kRule);
}
TEST_F(NegativeLayout, TwoCommandBuffersOfOneSubmission) {
  const test::Image image = MakeColor();
  Submit(Queue(), {Transition(image, kUndefined, kTarget), Transition(image, kGeneral, kSource)});
  ExpectMessage(kRule);
}
TEST_F(NegativeLayout, StencilAlone) {
  const test::Image image = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 64, 64);
  Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kTarget);
    Barrier(c, BarrierOf(image, kTarget, kSource, {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1}));
    Barrier(c, BarrierOf(image, kTarget, kSource, {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1}));
    ExpectNothing();
    Barrier(c, BarrierOf(image, kTarget, kGeneral, {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1}));
    const std::string text = ExpectMessage(kRule).text;
    EXPECT_NE(text.find("the stencil aspect of mip level 0"), std::string::npos) << text;
  });
}

TEST_F(PositiveLayout, MipChain) {
  const test::Image image = MakeColor(4);
  const auto level = [](uint32_t i) { return VkImageSubresourceRange{VK_IMAGE_ASPECT_COLOR_BIT, i, 1, 0, 1}; };
  for (int times = 0; times < 2; ++times) {
    Run(Record([&](VkCommandBuffer c) {
      Barrier(c, image, kUndefined, kTarget);
      for (uint32_t i = 1; i < 4; ++i) {
        Barrier(c, BarrierOf(image, kTarget, kSource, level(i - 1)));
        VkImageBlit region = {{VK_IMAGE_ASPECT_COLOR_BIT, i - 1, 0, 1},
                              {{}, {64 >> (i - 1), 64 >> (i - 1), 1}},
                              {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1},
                              {{}, {64 >> i, 64 >> i, 1}}};
        vk.CmdBlitImage(c, image, kSource, image, kTarget, 1, &region, VK_FILTER_LINEAR);
      }
      Barrier(c, BarrierOf(image, kTarget, kSource, level(3)));
      Barrier(c, image, kSource, kGeneral);
    }));
  }
}
TEST_F(PositiveLayout, NoTransition) {
  const test::Image image = MakeColor();
  Run(Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kTarget);
    Barrier(c, image, kGeneral, kGeneral);
    Barrier(c, image, kTarget, kSource);
  }));
}
TEST_F(PositiveLayout, CombinedAndSeparateLayouts) {
  const test::Image image = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 64, 64);
  Run(Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL);
    Barrier(c, BarrierOf(image, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, kGeneral,
                         {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1}));
    Barrier(c, BarrierOf(image, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, kGeneral,
                         {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1}));
    Barrier(c, image, kGeneral, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
  }));
}
TEST_F(PositiveLayout, OwnershipTransfer) {
  const test::Image image = MakeColor();
  Run(Transition(image, kUndefined, kTarget));
  VkImageMemoryBarrier2 barrier = BarrierOf(image, kTarget, kSource, image.Range());
  barrier.srcQueueFamilyIndex = 0;
  barrier.dstQueueFamilyIndex = 1;
  Run(Record([&](VkCommandBuffer c) { Barrier(c, barrier); }));
  Submit(Queue(1), {Record([&](VkCommandBuffer c) { Barrier(c, barrier); }, 1)});
  vk.DeviceWaitIdle(device);
  Submit(Queue(1), {Record([&](VkCommandBuffer c) { Barrier(c, image, kSource, kGeneral); }, 1)});
}
// The first submission is executed last.
TEST_F(PositiveLayout, WaitBeforeSignal) {
  const test::Image image = MakeColor();
  VkSemaphore timeline = MakeTimeline();
  const VkSemaphoreSubmitInfo one = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  Submit(Queue(0, 1), {Transition(image, kTarget, kSource)}, {.waits = {one}});
  Submit(Queue(0, 0), {Transition(image, kUndefined, kTarget)}, {.signals = {one}});
}
TEST_F(NegativeLayout, WaitBeforeSignal) {
  const test::Image image = MakeColor();
  VkSemaphore timeline = MakeTimeline();
  const VkSemaphoreSubmitInfo one = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  Submit(Queue(0, 1), {Transition(image, kTarget, kSource)}, {.waits = {one}});
  ExpectNothing();
  Submit(Queue(0, 0), {Transition(image, kUndefined, kGeneral)}, {.signals = {one}});
  ExpectMessage(kRule);
}
// A batch that waits is compared when something lets it execute: the host, a sparse binding, or a submission that has
// no layouts itself.
class HeldLayout : public LayoutRulesTest {
 protected:
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  }
  // Submits a transition that waits for the timeline semaphore's value 2.
  void Hold(VkImageLayout from) {
    const test::Image image = MakeColor();
    Run(Transition(image, kUndefined, kTarget));
    Submit(Queue(0, 1), {Transition(image, from, kSource)}, {.waits = {At(timeline_, 2)}});
    ExpectNothing();
  }
  void HostSignal(uint64_t value) {
    const VkSemaphoreSignalInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline_, value};
    vk.SignalSemaphore(device, &info);
  }
  void BindSparse(uint64_t value) {
    const VkTimelineSemaphoreSubmitInfo values = {
        VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, nullptr, 0, nullptr, 1, &value};
    const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .pNext = &values,
                                   .signalSemaphoreCount = 1,
                                   .pSignalSemaphores = &timeline_};
    vk.QueueBindSparse(Queue(), 1, &info, VK_NULL_HANDLE);
  }
  void SetUp() override {
    LayoutRulesTest::SetUp();
    timeline_ = MakeTimeline();
  }

  VkSemaphore timeline_ = VK_NULL_HANDLE;
};
class NegativeHeldLayout : public HeldLayout {};
class PositiveHeldLayout : public HeldLayout {};

TEST_F(NegativeHeldLayout, UntilTheHostSignals) {
  Hold(kGeneral);
  HostSignal(1);
  ExpectNothing();
  HostSignal(3);
  ExpectMessage(kRule);
}
TEST_F(NegativeHeldLayout, UntilASparseBindingSignals) {
  Hold(kGeneral);
  BindSparse(3);
  ExpectMessage(kRule);
}
TEST_F(NegativeHeldLayout, UntilASubmissionWithoutLayoutsSignals) {
  Hold(kGeneral);
  Submit(Queue(), {}, {.signals = {At(timeline_, 3)}});
  ExpectMessage(kRule);
}
TEST_F(PositiveHeldLayout, UntilTheHostSignals) {
  Hold(kTarget);
  HostSignal(3);
  ExpectNothing();
}
TEST_F(PositiveHeldLayout, UntilASparseBindingSignals) {
  Hold(kTarget);
  BindSparse(3);
}

TEST_F(PositiveLayout, HostTransition) {
  const test::Image image = MakeImage(kFormat, 64, 64,
                                      VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  Run(Transition(image, kUndefined, kTarget));
  const VkHostImageLayoutTransitionInfo info = {.sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
                                                .image = image,
                                                .oldLayout = kTarget,
                                                .newLayout = kGeneral,
                                                .subresourceRange = image.Range()};
  vk.TransitionImageLayout(device, 1, &info);
  Run(Transition(image, kGeneral, kSource));
}

class SecondaryLayout : public LayoutRulesTest {
 protected:
  VkCommandBuffer Secondary(const test::Image& image, VkImageLayout from, VkImageLayout to) {
    VkCommandBuffer commands = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0, &inheritance};
    vk.BeginCommandBuffer(commands, &info);
    Barrier(commands, image, from, to);
    End(commands);
    return commands;
  }
};
TEST_F(SecondaryLayout, IsComparedWithThePrimary) {
  const test::Image image = MakeColor();
  VkCommandBuffer secondary = Secondary(image, kTarget, kSource);
  Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kGeneral);
    vk.CmdExecuteCommands(c, 1, &secondary);
    ExpectMessage(kRule);
  });
}
TEST_F(SecondaryLayout, LeavesItsLayouts) {
  const test::Image image = MakeColor();
  VkCommandBuffer secondary = Secondary(image, kTarget, kSource);
  Run(Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kTarget);
    vk.CmdExecuteCommands(c, 1, &secondary);
    Barrier(c, image, kSource, kGeneral);
  }));
  Run(Transition(image, kGeneral, kTarget));
}

TEST_F(NegativeLayout, Present) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  const std::vector<VkImage> images = SwapchainImages(swapchain);
  const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  for (VkImageLayout layout : {kPresent, kColor}) {
    VkFence fence = MakeFence();
    uint32_t index = 0;
    vk.AcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index);
    vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
    Run(Record([&](VkCommandBuffer c) { Barrier(c, BarrierOf(images[index], kUndefined, layout, range)); }));
    ExpectNothing();
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .swapchainCount = 1,
                                   .pSwapchains = &swapchain,
                                   .pImageIndices = &index};
    vk.QueuePresentKHR(Queue(), &info);
  }
  const std::string text = ExpectMessage("VUID-VkPresentInfoKHR-pImageIndices-01430").text;
  EXPECT_NE(text.find("left in VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::core
