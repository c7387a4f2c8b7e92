// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of barriers, secondary command buffers and presents, in recordings and across submissions.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/layouts/layout_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(NegativeLayout, BarrierInOneRecording) {
  Barrier(image, kUndefined, kTarget);
  ExpectNothing();
  Barrier(image, kGeneral, kSource);
  EXPECT_THAT(ExpectMessage(kRule).text,
              AllOf(HasSubstr("(VK_IMAGE_LAYOUT_GENERAL) is not the layout of mip level 0, array layer 0"),
                    HasSubstr("which vkCmdPipelineBarrier2() left in VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL")));
}
TEST_F(NegativeLayout, Sync1) {
  Barrier(image, kUndefined, kTarget);
  const auto barrier = Of<VkImageMemoryBarrier>(0, 0, kGeneral, kSource, VK_QUEUE_FAMILY_IGNORED,
                                                VK_QUEUE_FAMILY_IGNORED, image, image.Range());
  constexpr VkPipelineStageFlags kStage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  vk.CmdPipelineBarrier(commands, kStage, kStage, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  ExpectMessage("VUID-VkImageMemoryBarrier-oldLayout-01197");
}
TEST_F(NegativeLayout, OneLevel) {
  image = MakeColor(3);
  Barrier(image, kUndefined, kTarget);
  PipelineBarrier(commands, BarrierOf(image, kTarget, kSource, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1}));
  ExpectNothing();
  Barrier(image, kTarget, kGeneral);
  EXPECT_THAT(ExpectMessage(kRule).text, HasSubstr("mip level 1"));
}
TEST_F(NegativeLayout, BarrierOfNewImage) {
  Barrier(image, kGeneral, kSource);
  ExpectNothing();
  RunCommands();
  EXPECT_THAT(ExpectMessage(kRule).text, HasSubstr("but vkCreateImage() left it in VK_IMAGE_LAYOUT_UNDEFINED."));
}
TEST_F(NegativeLayout, TwoSubmissions) {
  VkCommandBuffer first = Transition(image, kUndefined, kTarget), second = Transition(image, kGeneral, kSource);
  Submit(Queue(), {first});
  ExpectNothing();
  const auto info = Typed(VkSubmitInfo{.commandBufferCount = 1, .pCommandBuffers = &second});
  vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE);
  ExpectMessage(kRule);
}
TEST_F(NegativeLayout, AfterTheHostFailsToSetAnEvent) {
  Run(Transition(image, kUndefined, kTarget));
  driver().FailNext<vk::SetEvent>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.SetEvent(device, MakeEvent()), VK_ERROR_OUT_OF_HOST_MEMORY);
  Run(Transition(image, kGeneral, kSource));
  ExpectMessage(kRule);
}
TEST_F(NegativeLayout, TwoCommandBuffersOfOneSubmission) {
  Submit(Queue(), {Transition(image, kUndefined, kTarget), Transition(image, kGeneral, kSource)});
  ExpectMessage(kRule);
}
TEST_F(NegativeLayout, StencilAlone) {
  image = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 64, 64);
  Barrier(image, kUndefined, kTarget);
  AspectBarrier(VK_IMAGE_ASPECT_DEPTH_BIT, kTarget, kSource);
  AspectBarrier(VK_IMAGE_ASPECT_STENCIL_BIT, kTarget, kSource);
  ExpectNothing();
  AspectBarrier(VK_IMAGE_ASPECT_STENCIL_BIT, kTarget, kGeneral);
  EXPECT_THAT(ExpectMessage(kRule).text, HasSubstr("the stencil aspect of mip level 0"));
}

TEST_F(PositiveLayout, MipChain) {
  image = MakeColor(4);
  const auto level = [](uint32_t i) { return VkImageSubresourceRange{VK_IMAGE_ASPECT_COLOR_BIT, i, 1, 0, 1}; };
  for (int times = 0; times < 2; ++times) {
    Run(Record([&](VkCommandBuffer c) {
      Barrier(c, image, kUndefined, kTarget);
      for (uint32_t i = 1; i < 4; ++i) {
        PipelineBarrier(c, BarrierOf(image, kTarget, kSource, level(i - 1)));
        VkImageBlit region = {{VK_IMAGE_ASPECT_COLOR_BIT, i - 1, 0, 1},
                              {{}, {64 >> (i - 1), 64 >> (i - 1), 1}},
                              {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1},
                              {{}, {64 >> i, 64 >> i, 1}}};
        vk.CmdBlitImage(c, image, kSource, image, kTarget, 1, &region, VK_FILTER_LINEAR);
      }
      PipelineBarrier(c, BarrierOf(image, kTarget, kSource, level(3)));
      Barrier(c, image, kSource, kGeneral);
    }));
  }
}
TEST_F(PositiveLayout, NoTransition) {
  Barrier(image, kUndefined, kTarget);
  Barrier(image, kGeneral, kGeneral);
  Barrier(image, kTarget, kSource);
  RunCommands();
}
TEST_F(PositiveLayout, CombinedAndSeparateLayouts) {
  image = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 64, 64);
  Barrier(image, kUndefined, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL);
  AspectBarrier(VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, kGeneral);
  AspectBarrier(VK_IMAGE_ASPECT_STENCIL_BIT, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, kGeneral);
  Barrier(image, kGeneral, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
  RunCommands();
}
TEST_F(PositiveLayout, OwnershipTransfer) {
  Run(Transition(image, kUndefined, kTarget));
  VkImageMemoryBarrier2 barrier = BarrierOf(image, kTarget, kSource, image.Range());
  barrier.srcQueueFamilyIndex = 0;
  barrier.dstQueueFamilyIndex = 1;
  Run(Record([&](VkCommandBuffer c) { PipelineBarrier(c, barrier); }));
  Submit(Queue(1), {Record([&](VkCommandBuffer c) { PipelineBarrier(c, barrier); }, 1)});
  vk.DeviceWaitIdle(device);
  Submit(Queue(1), {Record([&](VkCommandBuffer c) { Barrier(c, image, kSource, kGeneral); }, 1)});
}
// The first submission is executed last.
TEST_F(NegativeLayout, WaitBeforeSignal) {
  for (const bool is_right : {true, false}) {
    const VkSemaphoreSubmitInfo one = At(MakeTimeline(), 1);
    Submit(Queue(0, 1), {Transition(image, kTarget, kSource)}, {.waits = {one}});
    ExpectNothing();
    Submit(Queue(0, 0), {Transition(image, kUndefined, is_right ? kTarget : kGeneral)}, {.signals = {one}});
    ExpectAlone(is_right ? "" : kRule);
    vk.DeviceWaitIdle(device);
  }
}
// A batch that waits is compared when something lets it execute: the host, a sparse binding, or a submission that has
// no layouts itself.
TEST_F(NegativeLayout, HeldUntilASignal) {
  VkSemaphore timeline = VK_NULL_HANDLE;
  const auto bind_sparse = [&] {
    const uint64_t value = 3;
    const auto values = Of<VkTimelineSemaphoreSubmitInfo>(0, nullptr, 1, &value);
    const auto info =
        Typed(VkBindSparseInfo{.pNext = &values, .signalSemaphoreCount = 1, .pSignalSemaphores = &timeline});
    vk.QueueBindSparse(Queue(), 1, &info, VK_NULL_HANDLE);
  };
  const std::pair<const char*, std::function<void()>> signals[] = {
      {"the host", [&] { HostSignal(timeline, 1), ExpectNothing(), HostSignal(timeline, 3); }},
      {"a sparse binding", bind_sparse},
      {"a submission", [&] { Submit(Queue(), {}, {.signals = {At(timeline, 3)}}); }}};
  for (const auto& [name, signal] : signals) {
    for (const bool is_right : {true, false}) {
      SCOPED_TRACE(std::string(name) + (is_right ? ", right" : ", wrong"));
      timeline = MakeTimeline();
      Run(Transition(image, kUndefined, kTarget));
      Submit(Queue(0, 1), {Transition(image, is_right ? kTarget : kGeneral, kSource)}, {.waits = {At(timeline, 2)}});
      ExpectNothing();
      signal();
      if (!is_right) ExpectMessage(kRule);
      vk.DeviceWaitIdle(device);
      ExpectNothing();
    }
  }
}

TEST_F(PositiveLayout, HostTransition) {
  image = MakeImage(kFormat, 64, 64,
                    VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  Run(Transition(image, kUndefined, kTarget));
  const auto info = Of<VkHostImageLayoutTransitionInfo>(image, kTarget, kGeneral, image.Range());
  vk.TransitionImageLayout(device, 1, &info);
  Run(Transition(image, kGeneral, kSource));
}

class SecondaryLayout : public LayoutRulesTest {
 protected:
  // Of a transition.
  VkCommandBuffer Secondary(VkImageLayout from, VkImageLayout to) {
    return Record([&](VkCommandBuffer c) { Barrier(c, image, from, to); }, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  }
};
TEST_F(SecondaryLayout, IsComparedWithThePrimary) {
  VkCommandBuffer secondary = Secondary(kTarget, kSource);
  Barrier(image, kUndefined, kGeneral);
  vk.CmdExecuteCommands(commands, 1, &secondary);
  ExpectMessage(kRule);
}
TEST_F(SecondaryLayout, LeavesItsLayouts) {
  VkCommandBuffer secondary = Secondary(kTarget, kSource);
  Barrier(image, kUndefined, kTarget);
  vk.CmdExecuteCommands(commands, 1, &secondary);
  Barrier(image, kSource, kGeneral);
  RunCommands();
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
    Run(Record([&](VkCommandBuffer c) { PipelineBarrier(c, BarrierOf(images[index], kUndefined, layout, range)); }));
    ExpectNothing();
    const auto info = Typed(VkPresentInfoKHR{.swapchainCount = 1, .pSwapchains = &swapchain, .pImageIndices = &index});
    vk.QueuePresentKHR(Queue(), &info);
  }
  EXPECT_THAT(ExpectMessage("VUID-VkPresentInfoKHR-pImageIndices-01430").text,
              HasSubstr("left in VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL"));
}

}  // namespace
}  // namespace assay::core
