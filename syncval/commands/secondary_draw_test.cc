// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Draws of secondary command buffers to the attachments of the render pass instance that they continue.

#include "syncval/fixture/draw_sync_test.h"

namespace assay::syncval {
namespace {

constexpr VkRenderingFlags kSecondaries = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
constexpr Masks kClearToColor = {kClear, kWrite, kColorOutput, kColorRead | kColorWrite};

class SyncSecondaryDraw : public DrawSyncTest {
 protected:
  // A secondary that draws one triangle with the pipeline in the inherited instance.
  VkCommandBuffer MakeDraw(const VkCommandBufferInheritanceInfo& inheritance, VkPipeline pipeline) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                     .pInheritanceInfo = &inheritance};
    vk.BeginCommandBuffer(secondary, &info);
    BindPipeline(secondary, pipeline);
    vk.CmdDraw(secondary, 3, 1, 0, 0);
    vk.EndCommandBuffer(secondary);
    return secondary;
  }
  VkCommandBuffer MakeDraw(VkPipeline pipeline) {
    VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &kColorFormat,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    return MakeDraw({.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering}, pipeline);
  }
  // A secondary that clears a rectangle of the color attachment in the inherited instance.
  VkCommandBuffer MakeClear(VkExtent2D extent) {
    VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &kColorFormat,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                  .pNext = &rendering};
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                     .pInheritanceInfo = &inheritance};
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    vk.BeginCommandBuffer(secondary, &info);
    const VkClearAttachment attachment = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    const VkClearRect rect = {{{0, 0}, extent}, 0, 1};
    vk.CmdClearAttachments(secondary, 1, &attachment, 1, &rect);
    vk.EndCommandBuffer(secondary);
    return secondary;
  }
  // To color_, which only draws access.
  void Render(VkCommandBuffer c, std::vector<VkCommandBuffer> secondaries) {
    BeginRendering(c, Untouched(color_view_), {}, kSecondaries);
    vk.CmdExecuteCommands(c, static_cast<uint32_t>(secondaries.size()), secondaries.data());
    vk.CmdEndRendering(c);
  }
  void CopyOut(VkCommandBuffer c) {
    VkBufferImageCopy region = {.imageSubresource = color_.Layers(), .imageExtent = {kSide, kSide, 1}};
    vk.CmdCopyImageToBuffer(c, color_, VK_IMAGE_LAYOUT_GENERAL, MakeBuffer(kBytes), 1, &region);
  }
  // A render pass of one color attachment that is neither loaded nor stored.
  VkRenderPass MakeUntouchedPass() {
    VkAttachmentDescription attachment = {.format = kColorFormat,
                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_NONE,
                                          .storeOp = VK_ATTACHMENT_STORE_OP_NONE,
                                          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_NONE,
                                          .stencilStoreOp = VK_ATTACHMENT_STORE_OP_NONE,
                                          .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &attachment,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass};
    VkRenderPass render_pass = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateRenderPass(device, &info, nullptr, &render_pass), VK_SUCCESS);
    Defer(render_pass, [=, this] { vk.DestroyRenderPass(device, render_pass, nullptr); });
    return render_pass;
  }
  void RenderInPass(VkCommandBuffer c, VkRenderPass render_pass) {
    VkCommandBuffer secondary = MakeDraw(
        {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = render_pass, .subpass = 0}, plain_);
    VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                  .renderPass = render_pass,
                                  .framebuffer = MakeFramebuffer(render_pass, {color_view_}, kSide, kSide),
                                  .renderArea = {{0, 0}, {kSide, kSide}}};
    vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vk.CmdExecuteCommands(c, 1, &secondary);
    vk.CmdEndRenderPass(c);
  }
};
class NegativeSyncSecondaryDraw : public SyncSecondaryDraw {};
class PositiveSyncSecondaryDraw : public SyncSecondaryDraw {};

TEST_F(NegativeSyncSecondaryDraw, WritesAfterClear) {
  VkCommandBuffer secondary = MakeDraw(plain_);
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Render(c, {secondary});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("color attachment 0"), std::string::npos) << message.text;
  EXPECT_EQ(ParseFix(message.text).dst_stages, kColorOutput);
}
TEST_F(PositiveSyncSecondaryDraw, WritesAfterClear) {
  VkCommandBuffer secondary = MakeDraw(plain_), other = MakeDraw(plain_);
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Barrier(c, kClearToColor);
  Render(c, {secondary, other});
}
TEST_F(PositiveSyncSecondaryDraw, WritesNothing) {
  DrawPipeline settings;
  settings.blend.colorWriteMask = 0;
  VkCommandBuffer secondary = MakeDraw(MakePipeline(settings));
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Render(c, {secondary});
}
TEST_F(NegativeSyncSecondaryDraw, ClearsAfterClear) {
  VkCommandBuffer secondary = MakeClear({kSide, kSide});
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Render(c, {secondary});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("color attachment 0"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncSecondaryDraw, ClearsAfterClear) {
  VkCommandBuffer secondary = MakeClear({kSide, kSide}), draw = MakeDraw(plain_);
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Barrier(c, kClearToColor);
  Render(c, {secondary, draw});
}
TEST_F(PositiveSyncSecondaryDraw, ClearsNothing) {
  VkCommandBuffer secondary = MakeClear({0, kSide});
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Render(c, {secondary});
}
TEST_F(NegativeSyncSecondaryDraw, CopyAfterwards) {
  VkCommandBuffer secondary = MakeDraw(plain_);
  VkCommandBuffer c = Begun();
  Render(c, {secondary});
  ExpectNothing();
  CopyOut(c);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncSecondaryDraw, CopyAfterwards) {
  VkCommandBuffer secondary = MakeDraw(plain_);
  VkCommandBuffer c = Begun();
  Render(c, {secondary});
  Barrier(c, {kColorOutput, kColorWrite, kCopy, kRead});
  CopyOut(c);
}
// Draws of several secondaries are in rasterization order, and so are those of the next instance after a barrier.
TEST_F(PositiveSyncSecondaryDraw, OneAfterAnother) {
  VkCommandBuffer first = MakeDraw(plain_), second = MakeDraw(plain_);
  VkCommandBuffer c = Begun();
  BeginRendering(c, {color_view_, VK_ATTACHMENT_LOAD_OP_CLEAR}, {}, kSecondaries);
  vk.CmdExecuteCommands(c, 1, &first);
  vk.CmdExecuteCommands(c, 1, &second);
  vk.CmdEndRendering(c);
}
TEST_F(NegativeSyncSecondaryDraw, BetweenSubmissions) {
  const auto render = [&](const Masks& masks) {
    Submit(Queue(), {Record([&](VkCommandBuffer c) {
             Barrier(c, masks);
             Render(c, {MakeDraw(plain_)});
           })});
  };
  render({});
  render({kColorOutput, kColorWrite, kColorOutput, kColorWrite});
  ExpectNothing();
  render({});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncSecondaryDraw, InARenderPassObject) {
  VkRenderPass render_pass = MakeUntouchedPass();
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  RenderInPass(c, render_pass);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncSecondaryDraw, InARenderPassObject) {
  VkRenderPass render_pass = MakeUntouchedPass();
  VkCommandBuffer c = Begun();
  Clear(c, color_, color_.Range());
  Barrier(c, kClearToColor);
  RenderInPass(c, render_pass);
  Barrier(c, {kColorOutput, kColorWrite, kCopy, kRead});
  CopyOut(c);
}

}  // namespace
}  // namespace assay::syncval
