// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr char kRule[] = "VUID-VkImageMemoryBarrier2-oldLayout-01197";
constexpr VkImageLayout kUndefined = VK_IMAGE_LAYOUT_UNDEFINED, kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageLayout kSource = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
constexpr VkImageLayout kTarget = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kPresent = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

class LayoutRulesTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }

  static VkImageMemoryBarrier2 BarrierOf(VkImage image, VkImageLayout from, VkImageLayout to,
                                         VkImageSubresourceRange range) {
    return {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
            .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
            .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
            .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
            .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
            .oldLayout = from,
            .newLayout = to,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = image,
            .subresourceRange = range};
  }
  void Barrier(VkCommandBuffer c, const VkImageMemoryBarrier2& barrier) {
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdPipelineBarrier2(c, &info);
  }
  void Barrier(VkCommandBuffer c, const test::Image& image, VkImageLayout from, VkImageLayout to) {
    Barrier(c, BarrierOf(image, from, to, image.Range()));
  }
  test::Image MakeColor(uint32_t levels = 1, uint32_t layers = 1) {
    return MakeImage(kFormat, 64, 64, 0, levels, layers);
  }
  VkCommandBuffer Transition(const test::Image& image, VkImageLayout from, VkImageLayout to) {
    return Record([&](VkCommandBuffer c) { Barrier(c, image, from, to); });
  }
  void Run(VkCommandBuffer commands) {
    Submit(Queue(), {commands});
    vk.QueueWaitIdle(Queue());
  }
};
class NegativeLayout : public LayoutRulesTest {};
class PositiveLayout : public LayoutRulesTest {};

// ---- Barriers.

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
// The queue that is submitted to first is executed last.
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
TEST_F(PositiveLayout, SubmissionFails) {
  const test::Image image = MakeColor();
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  Submit(Queue(), {Transition(image, kUndefined, kTarget)});
  Submit(Queue(), {Transition(image, kTarget, kSource)});
}
TEST_F(PositiveLayout, HostTransition) {
  const test::Image image = MakeColor();
  Run(Transition(image, kUndefined, kTarget));
  const VkHostImageLayoutTransitionInfo info = {.sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
                                                .image = image,
                                                .oldLayout = kTarget,
                                                .newLayout = kGeneral,
                                                .subresourceRange = image.Range()};
  vk.TransitionImageLayout(device, 1, &info);
  Run(Transition(image, kGeneral, kSource));
}

// ---- Commands with layouts of their own.

class NegativeOperand : public LayoutRulesTest {
 protected:
  void SetUp() override {
    LayoutRulesTest::SetUp();
    image = MakeColor();
    other = MakeColor();
    samples = MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                         .imageType = VK_IMAGE_TYPE_2D,
                         .format = kFormat,
                         .extent = {64, 64, 1},
                         .mipLevels = 1,
                         .arrayLayers = 1,
                         .samples = VK_SAMPLE_COUNT_4_BIT,
                         .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    depth = MakeImage(VK_FORMAT_D32_SFLOAT, 64, 64);
    buffer = MakeBuffer(64 * 64 * 4);
  }
  // With the source in VK_IMAGE_LAYOUT_GENERAL where `source` is another, and the target so, too: one is wrong at a
  // time.
  void Expect(const char* source_rule, const char* target_rule, const test::Image& source,
              const std::function<void(VkCommandBuffer, VkImageLayout, VkImageLayout)>& command) {
    Record([&](VkCommandBuffer c) {
      Barrier(c, source, kUndefined, kSource);
      Barrier(c, other, kUndefined, kTarget);
      command(c, kSource, kTarget);
      ExpectNothing();
      command(c, kGeneral, kTarget);
      ExpectMessage(source_rule);
      command(c, kSource, kGeneral);
      ExpectMessage(target_rule);
    });
  }
  // The same for a command with one image.
  void Expect(const char* rule, const test::Image& of, VkImageLayout layout,
              const std::function<void(VkCommandBuffer, VkImageLayout)>& command) {
    Record([&](VkCommandBuffer c) {
      Barrier(c, of, kUndefined, layout);
      command(c, layout);
      ExpectNothing();
      command(c, kGeneral);
      ExpectMessage(rule);
    });
  }

  test::Image image, other, samples, depth;
  test::Buffer buffer;
  VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
};

TEST_F(NegativeOperand, CopyImage) {
  const VkImageCopy region = {layers, {}, layers, {}, {64, 64, 1}};
  Expect("VUID-vkCmdCopyImage-srcImageLayout-00128", "VUID-vkCmdCopyImage-dstImageLayout-00133", image,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           vk.CmdCopyImage(c, image, source, other, target, 1, &region);
         });
}
TEST_F(NegativeOperand, CopyImage2) {
  const VkImageCopy2 region = {VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, layers, {}, layers, {}, {64, 64, 1}};
  Expect("VUID-VkCopyImageInfo2-srcImageLayout-00128", "VUID-VkCopyImageInfo2-dstImageLayout-00133", image,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           const VkCopyImageInfo2 info = {
               VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2, nullptr, image, source, other, target, 1, &region};
           vk.CmdCopyImage2(c, &info);
         });
}
TEST_F(NegativeOperand, BlitImage) {
  const VkImageBlit region = {layers, {{}, {64, 64, 1}}, layers, {{}, {64, 64, 1}}};
  Expect("VUID-vkCmdBlitImage-srcImageLayout-00221", "VUID-vkCmdBlitImage-dstImageLayout-00226", image,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           vk.CmdBlitImage(c, image, source, other, target, 1, &region, VK_FILTER_NEAREST);
         });
}
TEST_F(NegativeOperand, BlitImage2) {
  const VkImageBlit2 region = {
      VK_STRUCTURE_TYPE_IMAGE_BLIT_2, nullptr, layers, {{}, {64, 64, 1}}, layers, {{}, {64, 64, 1}}};
  Expect(
      "VUID-VkBlitImageInfo2-srcImageLayout-00221", "VUID-VkBlitImageInfo2-dstImageLayout-00226", image,
      [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
        const VkBlitImageInfo2 info = {
            VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2, nullptr, image, source, other, target, 1, &region, VK_FILTER_NEAREST};
        vk.CmdBlitImage2(c, &info);
      });
}
TEST_F(NegativeOperand, ResolveImage) {
  const VkImageResolve region = {layers, {}, layers, {}, {64, 64, 1}};
  Expect("VUID-vkCmdResolveImage-srcImageLayout-00260", "VUID-vkCmdResolveImage-dstImageLayout-00262", samples,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           vk.CmdResolveImage(c, samples, source, other, target, 1, &region);
         });
}
TEST_F(NegativeOperand, ResolveImage2) {
  const VkImageResolve2 region = {VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, layers, {}, layers, {}, {64, 64, 1}};
  Expect("VUID-VkResolveImageInfo2-srcImageLayout-00260", "VUID-VkResolveImageInfo2-dstImageLayout-00262", samples,
         [&](VkCommandBuffer c, VkImageLayout source, VkImageLayout target) {
           const VkResolveImageInfo2 info = {
               VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2, nullptr, samples, source, other, target, 1, &region};
           vk.CmdResolveImage2(c, &info);
         });
}
TEST_F(NegativeOperand, CopyBufferToImage) {
  const VkBufferImageCopy region = {0, 0, 0, layers, {}, {64, 64, 1}};
  Expect(
      "VUID-vkCmdCopyBufferToImage-dstImageLayout-00180", image, kTarget,
      [&](VkCommandBuffer c, VkImageLayout layout) { vk.CmdCopyBufferToImage(c, buffer, image, layout, 1, &region); });
  Expect(
      "VUID-vkCmdCopyImageToBuffer-srcImageLayout-00189", image, kSource,
      [&](VkCommandBuffer c, VkImageLayout layout) { vk.CmdCopyImageToBuffer(c, image, layout, buffer, 1, &region); });
}
TEST_F(NegativeOperand, CopyBufferToImage2) {
  const VkBufferImageCopy2 region = {VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2, nullptr, 0, 0, 0, layers, {}, {64, 64, 1}};
  Expect("VUID-VkCopyBufferToImageInfo2-dstImageLayout-00180", image, kTarget,
         [&](VkCommandBuffer c, VkImageLayout layout) {
           const VkCopyBufferToImageInfo2 info = {
               VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2, nullptr, buffer, image, layout, 1, &region};
           vk.CmdCopyBufferToImage2(c, &info);
         });
  Expect("VUID-VkCopyImageToBufferInfo2-srcImageLayout-00189", image, kSource,
         [&](VkCommandBuffer c, VkImageLayout layout) {
           const VkCopyImageToBufferInfo2 info = {
               VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2, nullptr, image, layout, buffer, 1, &region};
           vk.CmdCopyImageToBuffer2(c, &info);
         });
}
TEST_F(NegativeOperand, Clear) {
  const VkImageSubresourceRange color = image.Range(), range = depth.Range();
  Expect("VUID-vkCmdClearColorImage-imageLayout-00004", image, kTarget, [&](VkCommandBuffer c, VkImageLayout layout) {
    const VkClearColorValue value = {};
    vk.CmdClearColorImage(c, image, layout, &value, 1, &color);
  });
  Expect("VUID-vkCmdClearDepthStencilImage-imageLayout-00011", depth, kTarget,
         [&](VkCommandBuffer c, VkImageLayout layout) {
           const VkClearDepthStencilValue value = {};
           vk.CmdClearDepthStencilImage(c, depth, layout, &value, 1, &range);
         });
}
TEST_F(NegativeOperand, FirstAccessMeetsTheDevice) {
  Run(Transition(image, kUndefined, kGeneral));
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    const VkClearColorValue value = {};
    const VkImageSubresourceRange range = image.Range();
    vk.CmdClearColorImage(c, image, kTarget, &value, 1, &range);
  });
  ExpectNothing();
  Submit(Queue(), {commands});
  const std::string text = ExpectMessage("VUID-vkCmdClearColorImage-imageLayout-00004").text;
  EXPECT_NE(text.find("executes vkCmdClearColorImage() of VkCommandBuffer"), std::string::npos) << text;
}

// ---- Secondary command buffers.

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
TEST_F(SecondaryLayout, MeetsThePrimary) {
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

// ---- Rendering.

class RenderLayout : public LayoutRulesTest {
 protected:
  void SetUp() override {
    LayoutRulesTest::SetUp();
    image = MakeColor();
    view = MakeView(image);
    const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                 .format = kFormat,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                 .initialLayout = kColor,
                                                 .finalLayout = kSource};
    const VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                              .attachment = 0,
                                              .layout = kColor,
                                              .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkSubpassDescription2 subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .colorAttachmentCount = 1, .pColorAttachments = &reference};
    pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                           .attachmentCount = 1,
                           .pAttachments = &attachment,
                           .subpassCount = 1,
                           .pSubpasses = &subpass});
    begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
             .renderPass = pass,
             .framebuffer = MakeFramebuffer(pass, {view}, 64, 64),
             .renderArea = {{0, 0}, {64, 64}}};
  }
  void Render(VkCommandBuffer c, VkImageLayout layout) {
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = view,
                                             .imageLayout = layout,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR};
    Render(c, {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
               .renderArea = {{0, 0}, {64, 64}},
               .layerCount = 1,
               .colorAttachmentCount = 1,
               .pColorAttachments = &color});
  }
  void Render(VkCommandBuffer c, const VkRenderingInfo& info) {
    vk.CmdBeginRendering(c, &info);
    vk.CmdEndRendering(c);
  }

  test::Image image;
  VkImageView view;
  VkRenderPass pass;
  VkRenderPassBeginInfo begin;
};

TEST_F(RenderLayout, InitialLayout) {
  Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kGeneral);
    vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    ExpectMessage("VUID-vkCmdBeginRenderPass-initialLayout-00900");
    vk.CmdEndRenderPass(c);
    const VkSubpassBeginInfo contents = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr, VK_SUBPASS_CONTENTS_INLINE};
    vk.CmdBeginRenderPass2(c, &begin, &contents);
    ExpectMessage("VUID-vkCmdBeginRenderPass2-initialLayout-03100");
    vk.CmdEndRenderPass(c);
  });
}
TEST_F(RenderLayout, FinalLayout) {
  Run(Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kColor);
    vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdEndRenderPass(c);
    Barrier(c, image, kSource, kGeneral);
  }));
}
TEST_F(RenderLayout, DynamicRendering) {
  Record([&](VkCommandBuffer c) {
    Barrier(c, image, kUndefined, kColor);
    Render(c, kColor);
    ExpectNothing();
    Render(c, kGeneral);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09592");
  });
}
TEST_F(RenderLayout, DynamicRenderingOfDepthAndStencil) {
  const test::Image depth = MakeImage(VK_FORMAT_D24_UNORM_S8_UINT, 64, 64);
  VkRenderingAttachmentInfo attachments[2] = {};
  for (VkRenderingAttachmentInfo& attachment : attachments) {
    attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                  .imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  }
  attachments[0].imageView = attachments[1].imageView = MakeView(depth);
  VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                          .renderArea = {{0, 0}, {64, 64}},
                          .layerCount = 1,
                          .pDepthAttachment = &attachments[0],
                          .pStencilAttachment = &attachments[1]};
  Record([&](VkCommandBuffer c) {
    Barrier(c, depth, kUndefined, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    Render(c, info);
    ExpectNothing();
    Barrier(c, depth, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, kGeneral);
    info.pStencilAttachment = nullptr;
    Render(c, info);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09588");
    info.pDepthAttachment = nullptr;
    info.pStencilAttachment = &attachments[1];
    Render(c, info);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09590");
  });
}
TEST_F(RenderLayout, ResolveOfDepthAndStencil) {
  constexpr VkImageLayout kDepthStencil = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;
  const test::Image samples = MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                         .imageType = VK_IMAGE_TYPE_2D,
                                         .format = kDepthFormat,
                                         .extent = {64, 64, 1},
                                         .mipLevels = 1,
                                         .arrayLayers = 1,
                                         .samples = VK_SAMPLE_COUNT_4_BIT,
                                         .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
  const test::Image resolved = MakeImage(kDepthFormat, 64, 64);
  const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                .imageView = MakeView(samples),
                                                .imageLayout = kDepthStencil,
                                                .resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
                                                .resolveImageView = MakeView(resolved),
                                                .resolveImageLayout = kDepthStencil};
  const VkRenderingInfo both = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = {{0, 0}, {64, 64}},
                                .layerCount = 1,
                                .pDepthAttachment = &attachment,
                                .pStencilAttachment = &attachment};
  VkRenderingInfo depth = both, stencil = both;
  depth.pStencilAttachment = nullptr;
  stencil.pDepthAttachment = nullptr;
  VkRenderingAttachmentInfo unresolved = attachment;
  unresolved.resolveMode = VK_RESOLVE_MODE_NONE;
  VkRenderingInfo neither = both;
  neither.pDepthAttachment = neither.pStencilAttachment = &unresolved;
  Record([&](VkCommandBuffer c) {
    Barrier(c, samples, kUndefined, kDepthStencil);
    Barrier(c, resolved, kUndefined, kDepthStencil);
    Render(c, both);
    Barrier(c, resolved, kDepthStencil, kGeneral);
    // What is not resolved to may have any layout.
    Render(c, neither);
    ExpectNothing();
    Render(c, depth);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09589");
    Render(c, stencil);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09591");
  });
}
TEST_F(RenderLayout, Resolve) {
  const test::Image samples = MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                         .imageType = VK_IMAGE_TYPE_2D,
                                         .format = kFormat,
                                         .extent = {64, 64, 1},
                                         .mipLevels = 1,
                                         .arrayLayers = 1,
                                         .samples = VK_SAMPLE_COUNT_4_BIT,
                                         .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
  const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                           .imageView = MakeView(samples),
                                           .imageLayout = kColor,
                                           .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
                                           .resolveImageView = view,
                                           .resolveImageLayout = kColor};
  Record([&](VkCommandBuffer c) {
    Barrier(c, samples, kUndefined, kColor);
    Barrier(c, image, kUndefined, kGeneral);
    Render(c, {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
               .renderArea = {{0, 0}, {64, 64}},
               .layerCount = 1,
               .colorAttachmentCount = 1,
               .pColorAttachments = &color});
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09593");
  });
}

// ---- Presents.

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
