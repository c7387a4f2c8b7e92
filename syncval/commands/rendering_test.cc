// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to the color attachments of dynamic rendering: by loads, stores, resolves, clears, draws.

#include "syncval/commands/rendering_test.h"
#include "syncval/shaders/fragment_input.h"
#include "syncval/shaders/fragment_sampled.h"

namespace assay::syncval {
namespace {

using test::Image;

constexpr VkAttachmentLoadOp kClearLoad = VK_ATTACHMENT_LOAD_OP_CLEAR;

class NegativeSyncRendering : public SyncRendering {};
class PositiveSyncRendering : public SyncRendering {};

TEST_F(NegativeSyncRendering, Load) {
  VkCommandBuffer c = Begun();
  ClearColor(c);
  BeginRendering(c, {color_view_});
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kColorOutput);
  EXPECT_EQ(fix.dst_access, kColorRead);
}
TEST_F(NegativeSyncRendering, ClearLoad) {
  VkCommandBuffer c = Begun();
  ClearColor(c);
  BeginRendering(c, {color_view_, kClearLoad});
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.dst_access, kColorWrite);
}
TEST_F(NegativeSyncRendering, RenderTwice) {
  VkCommandBuffer c = Begun();
  RenderTriangle(c, {color_view_, kClearLoad});
  RenderTriangle(c, {color_view_, kClearLoad});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncRendering, RenderTwice) {
  VkCommandBuffer c = Begun();
  for (VkAttachmentLoadOp load : {kClearLoad, VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_LOAD_OP_DONT_CARE}) {
    RenderTriangle(c, {color_view_, load});
    Barrier(c, {kColorOutput, kColorWrite, kColorOutput, kColorRead | kColorWrite});
  }
}
TEST_F(NegativeSyncRendering, CopyAfterStore) {
  VkCommandBuffer c = Begun();
  RenderTriangle(c, {color_view_, kClearLoad});
  CopyOut(c, color_);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.src_stages, kColorOutput);
  EXPECT_EQ(fix.src_access, kColorWrite);
}
TEST_F(PositiveSyncRendering, OtherAreas) {
  VkCommandBuffer c = Begun();
  BeginRendering(c, {color_view_, kClearLoad}, {}, 0, {{0, 0}, {kSide, kSide / 2}});
  vk.CmdEndRendering(c);
  BeginRendering(c, {color_view_, kClearLoad}, {}, 0, {{0, kSide / 2}, {kSide, kSide / 2}});
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncRendering, SuspendedAndResumed) {
  VkCommandBuffer c = Begun();
  BindPipeline(c, plain_);
  BeginRendering(c, {color_view_, kClearLoad}, {}, VK_RENDERING_SUSPENDING_BIT);
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdEndRendering(c);
  BeginRendering(c, {color_view_, kClearLoad}, {}, VK_RENDERING_RESUMING_BIT);
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdEndRendering(c);
}

TEST_F(NegativeSyncRendering, Draw) {
  VkCommandBuffer c = Drawing(Untouched(color_view_), plain_);
  ExpectNothing();
  vk.CmdDraw(c, 3, 1, 0, 0);
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kColorOutput);
  EXPECT_EQ(fix.dst_access, kColorWrite);
  // In rasterization order.
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdDraw(c, 3, 1, 1, 0);
}
TEST_F(NegativeSyncRendering, BlendReads) {
  DrawPipeline settings;
  settings.blend.blendEnable = VK_TRUE;
  VkPipeline blending = MakePipeline(settings);
  VkCommandBuffer c = Begun();
  ClearColor(c);
  Barrier(c, {kClear, kWrite, kColorOutput, kColorWrite});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, blending);
  vk.CmdDraw(c, 3, 1, 0, 0);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_access & kColorRead, kColorRead);
}
TEST_F(PositiveSyncRendering, NothingIsWritten) {
  DrawPipeline masked, discarded, culled;
  masked.blend = {.blendEnable = VK_TRUE};
  discarded.rasterization.rasterizerDiscardEnable = VK_TRUE;
  culled.rasterization.cullMode = VK_CULL_MODE_FRONT_AND_BACK;
  for (const DrawPipeline& settings : {masked, discarded, culled}) {
    VkCommandBuffer c = Drawing(Untouched(color_view_), MakePipeline(settings));
    vk.CmdDraw(c, 3, 1, 0, 0);
    vk.CmdEndRendering(c);
    End(c);
  }
}
TEST_F(NegativeSyncRendering, DrawAfterChangeOfState) {
  DrawPipeline masked;
  masked.blend.colorWriteMask = 0;
  VkPipeline nothing = MakePipeline(masked);
  VkCommandBuffer c = Drawing(Untouched(color_view_), nothing);
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectNothing();
  BindPipeline(c, plain_);
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectMessage(kWriteAfterWrite);
}

// Rasterization order begins with the first access in the instance.
TEST_F(NegativeSyncRendering, InputAttachmentOfAnotherInstance) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_input, {{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}});
  WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, color_view_, VK_IMAGE_LAYOUT_GENERAL);
  VkCommandBuffer c = Begun();
  RenderTriangle(c, {color_view_, kClearLoad});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, pipeline);
  BindSet(c);
  vk.CmdDraw(c, 3, 1, 0, 0);
  EXPECT_NE(ParseFix(ExpectMessage(kWriteAfterWrite).text).dst_access & VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT, 0u);
}

TEST_F(NegativeSyncRendering, ResolveTarget) {
  Image resolved = MakeImage(kColorFormat, kSide, kSide);
  VkCommandBuffer c = Begun();
  Target target = {color_view_, kClearLoad};
  target.resolve = MakeView(resolved);
  RenderTriangle(c, target);
  CopyOut(c, resolved);
  ExpectMessage(kReadAfterWrite);
  Clear(c, resolved, resolved.Range());
  ExpectMessage(kWriteAfterRead);
  BeginRendering(c, Untouched(color_view_));
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncRendering, Resolve) {
  Image resolved = MakeImage(kColorFormat, kSide, kSide);
  VkCommandBuffer c = Begun();
  Target target = {color_view_, kClearLoad, VK_ATTACHMENT_STORE_OP_DONT_CARE};
  target.resolve = MakeView(resolved);
  RenderTriangle(c, target);
  Barrier(c, {kColorOutput, kColorWrite, kCopy, kRead});
  CopyOut(c, resolved);
}

TEST_F(NegativeSyncRendering, ClearAttachments) {
  VkCommandBuffer c = Begun();
  VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                              .imageExtent = {kSide, kSide / 2, 1}};
  vk.CmdCopyImageToBuffer(c, color_, VK_IMAGE_LAYOUT_GENERAL, MakeBuffer(kBytes), 1, &region);
  BeginRendering(c, Untouched(color_view_));
  VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  VkClearRect rect = {{{0, kSide / 2}, {kSide, kSide / 2}}, 0, 1};
  vk.CmdClearAttachments(c, 1, &clear, 1, &rect);
  ExpectNothing();
  rect.rect.offset.y -= 1;
  vk.CmdClearAttachments(c, 1, &clear, 1, &rect);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(NegativeSyncRendering, ClearOneLayer) {
  Image layered = MakeImage(kColorFormat, kSide, kSide, 0, 1, 3);
  VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                     .image = layered,
                                     .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                     .format = kColorFormat,
                                     .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1, 2}};
  VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                          .imageView = MakeView(view_info),
                                          .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_NONE,
                                          .storeOp = VK_ATTACHMENT_STORE_OP_NONE};
  VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                          .renderArea = {{0, 0}, {kSide, kSide}},
                          .layerCount = 2,
                          .colorAttachmentCount = 1,
                          .pColorAttachments = &attachment};
  VkCommandBuffer c = Begun();
  Clear(c, layered, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2});
  vk.CmdBeginRendering(c, &info);
  VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  VkClearRect rect = {{{0, 0}, {kSide, kSide}}, 1, 1};
  vk.CmdClearAttachments(c, 1, &clear, 1, &rect);
  ExpectNothing();
  vk.CmdEndRendering(c);
  vk.CmdBeginRendering(c, &info);
  rect.baseArrayLayer = 0;
  vk.CmdClearAttachments(c, 1, &clear, 1, &rect);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("array layer 1 of"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncRendering, ClearBetweenDraws) {
  VkCommandBuffer c = Begun();
  BeginRendering(c, {color_view_});
  BindPipeline(c, plain_);
  VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  VkClearRect rect = {{{0, 0}, {kSide, kSide}}, 0, 1};
  for (int i = 0; i < 3; ++i) {
    vk.CmdDraw(c, 3, 1, 0, 0);
    vk.CmdClearAttachments(c, 1, &clear, 1, &rect);
  }
  vk.CmdEndRendering(c);
}

TEST_F(PositiveSyncRendering, FeedbackLoop) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_sampled, {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}});
  const VkImageLayout layout = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;
  WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, color_view_, layout, MakeSampler());
  VkCommandBuffer c = Begun();
  Target target = {color_view_};
  target.layout = layout;
  BeginRendering(c, target);
  BindPipeline(c, pipeline);
  BindSet(c);
  for (uint32_t i = 0; i < 4; ++i) vk.CmdDraw(c, 3, 1, 0, i / 2);
  vk.CmdEndRendering(c);
}
TEST_F(NegativeSyncRendering, SampledAfterRendering) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_sampled, {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}});
  WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, color_view_, VK_IMAGE_LAYOUT_GENERAL, MakeSampler());
  VkCommandBuffer c = Begun();
  RenderTriangle(c, {color_view_, kClearLoad});
  BeginRendering(c, {MakeView(MakeImage(kColorFormat, kSide, kSide)), kClearLoad});
  BindPipeline(c, pipeline);
  BindSet(c);
  vk.CmdDraw(c, 3, 1, 0, 0);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("Before the render pass instance of this vkCmdDraw(), record"), std::string::npos)
      << message.text;
}
TEST_F(PositiveSyncRendering, LocalReadWithoutLoad) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_input, {{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}});
  WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, color_view_, VK_IMAGE_LAYOUT_GENERAL);
  VkCommandBuffer c = Begun();
  BeginRendering(c, Untouched(color_view_));
  BindSet(c);
  for (VkPipeline each : {pipeline, plain_, pipeline}) {
    BindPipeline(c, each);
    vk.CmdDraw(c, 3, 1, 0, 0);
  }
  vk.CmdEndRendering(c);
}
TEST_F(NegativeSyncRendering, LocalRead) {
  VkPipeline pipeline = MakeFragmentPipeline(k_fragment_input, {{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}});
  WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, color_view_, VK_IMAGE_LAYOUT_GENERAL);
  VkCommandBuffer c = Begun();
  ClearColor(c);
  Barrier(c, {kClear, kWrite, kColorOutput, kColorWrite});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, pipeline);
  BindSet(c);
  vk.CmdDraw(c, 3, 1, 0, 0);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
}

TEST_F(SyncRendering, Pairs) {
  VkImageView view = color_view_;
  CheckAllPairs({
      {"clear and store", false, true, [=, this](VkCommandBuffer c) { RenderTriangle(c, {view, kClearLoad}); }},
      {"draw", false, true, [=, this](VkCommandBuffer c) { RenderTriangle(c, Untouched(view)); }},
      {"copy", true, false, [=, this](VkCommandBuffer c) { CopyOut(c, color_); }},
      {"clear image", false, true, [=, this](VkCommandBuffer c) { ClearColor(c); }},
  });
}

}  // namespace
}  // namespace assay::syncval
