// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Render pass objects: dependencies, automatic layout transitions, load and store operations.

#include <string>
#include <vector>

#include "syncval/fixture/draw_sync_test.h"
#include "syncval/shaders/fragment_input.h"

namespace assay::syncval {
namespace {

using test::Image;

constexpr VkImageLayout kUndefined = VK_IMAGE_LAYOUT_UNDEFINED;
constexpr VkImageLayout kColorLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kDepthLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kReadLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
constexpr VkImageLayout kSourceLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
constexpr VkPipelineStageFlags kColorStage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkAccessFlags kColorBoth = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
constexpr VkPipelineStageFlags kTestStages =
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
constexpr VkAccessFlags kDepthBoth =
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

// From VK_SUBPASS_EXTERNAL to subpass 0, as in applications that render to a swapchain.
constexpr VkSubpassDependency kUsual = {VK_SUBPASS_EXTERNAL, 0, kColorStage, kColorStage, 0, kColorBoth, 0};
constexpr VkSubpassDependency kAgain = {
    VK_SUBPASS_EXTERNAL, 0, kColorStage, kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kColorBoth, 0};
constexpr VkSubpassDependency kToCopy = {0,
                                         VK_SUBPASS_EXTERNAL,
                                         kColorStage,
                                         VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                         VK_ACCESS_TRANSFER_READ_BIT,
                                         0};
constexpr VkSubpassDependency kToInput = {0,
                                          1,
                                          kColorStage,
                                          VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                          VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                          VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                          0};
constexpr VkSubpassDependency kDepthAgain = {
    VK_SUBPASS_EXTERNAL, 0, kTestStages, kTestStages, VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, kDepthBoth, 0};

class SyncRenderPass : public DrawSyncTest {
 protected:
  struct Subpass {
    std::vector<VkAttachmentReference> inputs;
    std::vector<VkAttachmentReference> colors;
    std::vector<VkAttachmentReference> depth;
  };
  static VkAttachmentDescription Attachment(VkFormat format, VkImageLayout from, VkImageLayout to,
                                            VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR) {
    return {.format = format,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .loadOp = load,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_NONE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_NONE,
            .initialLayout = from,
            .finalLayout = to};
  }

  VkRenderPass MakeRenderPass(const std::vector<VkAttachmentDescription>& attachments,
                              const std::vector<Subpass>& subpasses,
                              const std::vector<VkSubpassDependency>& dependencies) {
    std::vector<VkSubpassDescription> descriptions;
    descriptions.reserve(subpasses.size());
    for (const Subpass& subpass : subpasses) {
      descriptions.push_back({.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                              .inputAttachmentCount = static_cast<uint32_t>(subpass.inputs.size()),
                              .pInputAttachments = subpass.inputs.data(),
                              .colorAttachmentCount = static_cast<uint32_t>(subpass.colors.size()),
                              .pColorAttachments = subpass.colors.data(),
                              .pDepthStencilAttachment = subpass.depth.empty() ? nullptr : subpass.depth.data()});
    }
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = static_cast<uint32_t>(attachments.size()),
                                   .pAttachments = attachments.data(),
                                   .subpassCount = static_cast<uint32_t>(descriptions.size()),
                                   .pSubpasses = descriptions.data(),
                                   .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                   .pDependencies = dependencies.data()};
    VkRenderPass render_pass = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateRenderPass(device, &info, nullptr, &render_pass), VK_SUCCESS);
    Defer(render_pass, [=, this] { vk.DestroyRenderPass(device, render_pass, nullptr); });
    return render_pass;
  }
  // One color attachment in one subpass.
  VkRenderPass MakeColorPass(VkImageLayout from, VkImageLayout to, const std::vector<VkSubpassDependency>& dependencies,
                             VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR) {
    return MakeRenderPass({Attachment(kColorFormat, from, to, load)},
                          {{.inputs = {}, .colors = {{0, kColorLayout}}, .depth = {}}}, dependencies);
  }
  // The second subpass reads the attachment that the first draws to.
  VkRenderPass MakeInputPass(const std::vector<VkSubpassDependency>& dependencies) {
    return MakeRenderPass(
        {Attachment(kColorFormat, kUndefined, kReadLayout), Attachment(kColorFormat, kUndefined, kColorLayout)},
        {{.inputs = {}, .colors = {{0, kColorLayout}}, .depth = {}},
         {.inputs = {{0, kReadLayout}}, .colors = {{1, kColorLayout}}, .depth = {}}},
        dependencies);
  }
  void BeginPass(VkCommandBuffer c, VkRenderPass render_pass, const std::vector<VkImageView>& views,
                 VkSubpassContents contents = VK_SUBPASS_CONTENTS_INLINE) {
    VkClearValue clears[4] = {};
    VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                  .renderPass = render_pass,
                                  .framebuffer = MakeFramebuffer(render_pass, views, kSide, kSide),
                                  .renderArea = {{0, 0}, {kSide, kSide}},
                                  .clearValueCount = 4,
                                  .pClearValues = clears};
    vk.CmdBeginRenderPass(c, &info, contents);
  }
  // A whole instance with a draw in each subpass.
  void Render(VkCommandBuffer c, VkRenderPass render_pass, const std::vector<VkImageView>& views,
              uint32_t subpasses = 1) {
    BeginPass(c, render_pass, views);
    for (uint32_t i = 0; i < subpasses; ++i) {
      if (i != 0) vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
      BindPipeline(c, plain_);
      vk.CmdDraw(c, 3, 1, 0, 0);
    }
    vk.CmdEndRenderPass(c);
  }
  void CopyOut(VkCommandBuffer c, const Image& image) {
    VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {kSide, kSide, 1}};
    vk.CmdCopyImageToBuffer(c, image, kSourceLayout, MakeBuffer(kBytes), 1, &region);
  }
  VkPipeline MakeInputPipeline(VkImageView view) {
    VkPipeline pipeline = MakeFragmentPipeline(k_fragment_input, {{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}});
    WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, view, kReadLayout);
    return pipeline;
  }
  // Draws in the first subpass, reads that in the second.
  void RenderInput(VkCommandBuffer c, VkRenderPass render_pass, const std::vector<VkImageView>& views) {
    VkPipeline reader = MakeInputPipeline(views[0]);
    BeginPass(c, render_pass, views);
    BindPipeline(c, plain_);
    vk.CmdDraw(c, 3, 1, 0, 0);
    vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    BindPipeline(c, reader);
    BindSet(c);
    vk.CmdDraw(c, 3, 1, 0, 0);
    vk.CmdEndRenderPass(c);
  }
  VkImageView NewView(VkFormat format = kColorFormat) { return MakeView(MakeImage(format, kSide, kSide)); }
};
class NegativeSyncRenderPass : public SyncRenderPass {};
class PositiveSyncRenderPass : public SyncRenderPass {};

TEST_F(PositiveSyncRenderPass, FrameAfterFrame) {
  VkRenderPass render_pass = MakeColorPass(kUndefined, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, {kAgain});
  VkCommandBuffer c = Begun();
  for (int i = 0; i < 3; ++i) Render(c, render_pass, {color_view_});
}
TEST_F(PositiveSyncRenderPass, OnceWithAnyDependency) {
  VkCommandBuffer c = Begun();
  Render(c, MakeColorPass(kUndefined, kColorLayout, {}), {color_view_});
  Render(c, MakeColorPass(kUndefined, kColorLayout, {kUsual}), {NewView()});
}
TEST_F(NegativeSyncRenderPass, TwiceWithoutDependency) {
  VkRenderPass render_pass = MakeColorPass(kColorLayout, kColorLayout, {});
  VkCommandBuffer c = Begun();
  Render(c, render_pass, {color_view_});
  ExpectNothing();
  Render(c, render_pass, {color_view_});
  const std::string text = ExpectMessage(kWriteAfterWrite).text;
  const Masks fix = ParseFix(text);
  EXPECT_EQ(fix.src_stages, kColorOutput);
  EXPECT_EQ(fix.src_access, kColorWrite);
  EXPECT_EQ(fix.dst_access, kColorWrite);
  EXPECT_NE(text.find("loadOp of attachment 0 in subpass 0"), std::string::npos) << text;
  EXPECT_NE(text.find("storeOp of attachment 0 in subpass 0"), std::string::npos) << text;
  EXPECT_NE(text.find(".srcSubpass = VK_SUBPASS_EXTERNAL, .dstSubpass = 0"), std::string::npos) << text;
}
TEST_F(PositiveSyncRenderPass, TwiceWithBarrier) {
  VkRenderPass render_pass = MakeColorPass(kColorLayout, kColorLayout, {});
  VkCommandBuffer c = Begun();
  Render(c, render_pass, {color_view_});
  Barrier(c, {kColorOutput, kColorWrite, kColorOutput, kColorRead | kColorWrite});
  Render(c, render_pass, {color_view_});
}
TEST_F(NegativeSyncRenderPass, TransitionWaitsForNothing) {
  VkRenderPass render_pass = MakeColorPass(kUndefined, kColorLayout, {});
  VkCommandBuffer c = Begun();
  Render(c, render_pass, {color_view_});
  Render(c, render_pass, {color_view_});
  const std::string text = ExpectMessage(kWriteAfterWrite).text;
  const Masks fix = ParseFix(text);
  EXPECT_EQ(fix.src_stages, kColorOutput);
  EXPECT_EQ(fix.src_access, kColorWrite);
  EXPECT_NE(text.find("transition from the initialLayout of attachment 0"), std::string::npos) << text;
}
// The transition is visible to writes, not to the reads of blending.
TEST_F(NegativeSyncRenderPass, TransitionIsNotVisible) {
  VkSubpassDependency dependency = kUsual;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  VkRenderPass render_pass = MakeColorPass(kUndefined, kColorLayout, {dependency});
  VkCommandBuffer c = Begun();
  BeginPass(c, render_pass, {color_view_});
  const std::string text = ExpectMessage(kWriteAfterWrite).text;
  EXPECT_NE(text.find("dstAccessMask |= VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT"), std::string::npos) << text;
  vk.CmdEndRenderPass(c);
}

TEST_F(NegativeSyncRenderPass, CopyAfterFinalTransition) {
  VkRenderPass render_pass = MakeColorPass(kUndefined, kSourceLayout, {kUsual});
  VkCommandBuffer c = Begun();
  Render(c, render_pass, {color_view_});
  CopyOut(c, color_);
  const std::string text = ExpectMessage(kReadAfterWrite).text;
  EXPECT_NE(text.find("transition to the finalLayout of attachment 0"), std::string::npos) << text;
  EXPECT_NE(text.find(".dstSubpass = VK_SUBPASS_EXTERNAL"), std::string::npos) << text;
}
TEST_F(PositiveSyncRenderPass, CopyAfterFinalTransition) {
  VkRenderPass render_pass = MakeColorPass(kUndefined, kSourceLayout, {kUsual, kToCopy});
  VkCommandBuffer c = Begun();
  Render(c, render_pass, {color_view_});
  CopyOut(c, color_);
}
// A dependency into the render pass orders only its own subpass; a dependency chain continues after it.
TEST_F(PositiveSyncRenderPass, ChainThroughRenderPass) {
  const test::Buffer buffer = MakeBuffer(256);
  const VkSubpassDependency uploads = {VK_SUBPASS_EXTERNAL,
                                       0,
                                       VK_PIPELINE_STAGE_TRANSFER_BIT,
                                       VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                                       VK_ACCESS_TRANSFER_WRITE_BIT,
                                       VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT,
                                       0};
  VkRenderPass render_pass = MakeColorPass(kUndefined, kColorLayout, {kUsual, uploads});
  VkCommandBuffer c = Begun();
  Fill(c, buffer);
  Render(c, render_pass, {color_view_});
  Barrier(c, {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, 0, kClear, kWrite});
  Fill(c, buffer);
}
TEST_F(NegativeSyncRenderPass, DependencyEndsWithItsSubpass) {
  const test::Buffer buffer = MakeBuffer(256);
  const VkSubpassDependency uploads = {VK_SUBPASS_EXTERNAL,
                                       0,
                                       VK_PIPELINE_STAGE_TRANSFER_BIT,
                                       VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                                       VK_ACCESS_TRANSFER_WRITE_BIT,
                                       VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT,
                                       0};
  VkPipeline pipeline = MakeVertexPipeline();
  VkCommandBuffer c = Begun();
  Fill(c, buffer);
  Render(c, MakeColorPass(kUndefined, kColorLayout, {kUsual, uploads}), {color_view_});
  BeginPass(c, MakeColorPass(kUndefined, kColorLayout, {kUsual}), {NewView()});
  BindPipeline(c, pipeline);
  BindVertices(c, buffer);
  vk.CmdDraw(c, 3, 1, 0, 0);
  const std::string text = ExpectMessage(kReadAfterWrite).text;
  EXPECT_NE(text.find(".srcSubpass = VK_SUBPASS_EXTERNAL, .dstSubpass = 0"), std::string::npos) << text;
  vk.CmdEndRenderPass(c);
}

TEST_F(PositiveSyncRenderPass, InputAttachment) {
  VkCommandBuffer c = Begun();
  VkSubpassDependency second = kUsual;
  second.dstSubpass = 1;
  RenderInput(c, MakeInputPass({kUsual, second, kToInput}), {color_view_, NewView()});
}
TEST_F(NegativeSyncRenderPass, InputAttachmentWithoutDependency) {
  VkCommandBuffer c = Begun();
  VkSubpassDependency second = kUsual;
  second.dstSubpass = 1;
  RenderInput(c, MakeInputPass({kUsual, second}), {color_view_, NewView()});
  const std::string text = ExpectMessage(kWriteAfterWrite).text;
  EXPECT_NE(text.find("layout transition of attachment 0 in subpass 1"), std::string::npos) << text;
  EXPECT_NE(text.find(".srcSubpass = 0, .dstSubpass = 1"), std::string::npos) << text;
  ExpectMessage(kReadAfterWrite);
}
// Both subpasses draw to the attachment, in the same layout.
TEST_F(NegativeSyncRenderPass, SubpassesOnOneAttachment) {
  const Subpass subpass{.inputs = {}, .colors = {{0, kColorLayout}}, .depth = {}};
  const auto make = [&](const std::vector<VkSubpassDependency>& dependencies) {
    return MakeRenderPass({Attachment(kColorFormat, kUndefined, kColorLayout)}, {subpass, subpass}, dependencies);
  };
  VkSubpassDependency between = kAgain;
  between.srcSubpass = 0;
  between.dstSubpass = 1;
  VkCommandBuffer c = Begun();
  Render(c, make({kUsual, between}), {color_view_}, 2);
  ExpectNothing();
  Render(c, make({kUsual}), {NewView()}, 2);
  const std::string text = ExpectMessage(kWriteAfterWrite).text;
  EXPECT_NE(text.find(".srcSubpass = 0, .dstSubpass = 1"), std::string::npos) << text;
}

TEST_F(NegativeSyncRenderPass, DepthInTwoPasses) {
  VkImageView depth = NewView(kDepthFormat);
  const auto render = [&](VkCommandBuffer c, const std::vector<VkSubpassDependency>& dependencies) {
    VkRenderPass render_pass =
        MakeRenderPass({Attachment(kDepthFormat, kUndefined, kDepthLayout)},
                       {{.inputs = {}, .colors = {}, .depth = {{0, kDepthLayout}}}}, dependencies);
    BeginPass(c, render_pass, {depth});
    vk.CmdEndRenderPass(c);
  };
  VkCommandBuffer c = Begun();
  render(c, {kDepthAgain});
  render(c, {kDepthAgain});
  ExpectNothing();
  // A frequent error: the late tests write depth too.
  VkSubpassDependency early = kDepthAgain;
  early.srcStageMask = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT;
  render(c, {early});
  const std::string text = ExpectMessage(kWriteAfterWrite).text;
  EXPECT_NE(text.find("set srcStageMask |= VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT"), std::string::npos) << text;
}

class SyncSecondaryInPass : public SyncRenderPass {
 protected:
  // A secondary that reads a vertex buffer in a subpass.
  VkCommandBuffer MakeReader(VkRenderPass render_pass, VkBuffer buffer) {
    VkPipeline pipeline = MakeVertexPipeline();
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = render_pass, .subpass = 0};
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                     .pInheritanceInfo = &inheritance};
    vk.BeginCommandBuffer(secondary, &info);
    BindPipeline(secondary, pipeline);
    BindVertices(secondary, buffer);
    vk.CmdDraw(secondary, 3, 1, 0, 0);
    vk.EndCommandBuffer(secondary);
    return secondary;
  }
  void RenderSecondary(const std::vector<VkSubpassDependency>& dependencies) {
    const test::Buffer buffer = MakeBuffer(256);
    VkRenderPass render_pass = MakeColorPass(kUndefined, kColorLayout, dependencies);
    VkCommandBuffer secondary = MakeReader(render_pass, buffer);
    VkCommandBuffer c = Begun();
    Fill(c, buffer);
    BeginPass(c, render_pass, {color_view_}, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vk.CmdExecuteCommands(c, 1, &secondary);
    vk.CmdEndRenderPass(c);
  }
  static constexpr VkSubpassDependency kUploads = {VK_SUBPASS_EXTERNAL,
                                                   0,
                                                   VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                   VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                                                   VK_ACCESS_TRANSFER_WRITE_BIT,
                                                   VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT,
                                                   0};
};
class NegativeSyncSecondaryInPass : public SyncSecondaryInPass {};
class PositiveSyncSecondaryInPass : public SyncSecondaryInPass {};

TEST_F(PositiveSyncSecondaryInPass, Dependency) { RenderSecondary({kUsual, kUploads}); }
TEST_F(NegativeSyncSecondaryInPass, NoDependency) {
  RenderSecondary({kUsual});
  ExpectMessage(kReadAfterWrite);
}

// In a submission.
TEST_F(NegativeSyncRenderPass, TransitionOfTheNextSubmission) {
  VkRenderPass again = MakeColorPass(kUndefined, kColorLayout, {kAgain});
  VkRenderPass usual = MakeColorPass(kUndefined, kColorLayout, {kUsual});
  for (VkRenderPass render_pass : {again, usual}) {
    Submit(Queue(), {Record([&](VkCommandBuffer c) { Render(c, render_pass, {color_view_}); })});
  }
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find(
                "In a VkSubpassDependency2 with .srcSubpass = VK_SUBPASS_EXTERNAL of the render pass of command 1, "
                "vkCmdBeginRenderPass(), of VkCommandBuffer"),
            std::string::npos)
      << message.text;
  // The stages are already in the dependency.
  EXPECT_NE(message.text.find(", set srcAccessMask |= VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT."), std::string::npos)
      << message.text;
}
TEST_F(PositiveSyncRenderPass, TransitionOfTheNextSubmission) {
  VkRenderPass again = MakeColorPass(kUndefined, kColorLayout, {kAgain});
  for (int i = 0; i < 2; ++i) {
    Submit(Queue(), {Record([&](VkCommandBuffer c) { Render(c, again, {color_view_}); })});
  }
}

}  // namespace
}  // namespace assay::syncval
