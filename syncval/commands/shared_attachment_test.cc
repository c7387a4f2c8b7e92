// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Attachments that shaders of the same render pass instance read: as input attachments, and in feedback loops.

#include "syncval/commands/rendering_test.h"
#include "syncval/shaders/fragment_input.h"
#include "syncval/shaders/fragment_sampled.h"

namespace assay::syncval {
namespace {

constexpr VkAttachmentLoadOp kClearLoad = VK_ATTACHMENT_LOAD_OP_CLEAR;
constexpr VkRect2D kAll = {{0, 0}, {kSide, kSide}};
constexpr VkRect2D kLeft = {{0, 0}, {kSide / 2, kSide}};
constexpr VkRect2D kRight = {{kSide / 2, 0}, {kSide / 2, kSide}};

class SyncSharedAttachment : public SyncRendering {
 protected:
  // Pipelines that read color_view_ and write color attachment 0.
  VkPipeline MakeInputPipeline(VkPipelineColorBlendStateCreateFlags flags = 0) {
    VkPipeline pipeline =
        MakeFragmentPipeline(k_fragment_input, {{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}}, {.blend_flags = flags});
    WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, color_view_, VK_IMAGE_LAYOUT_GENERAL);
    return pipeline;
  }
  VkPipeline MakeSampledPipeline(VkPipelineCreateFlags2 flags = 0) {
    VkPipelineCreateFlags2CreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, nullptr, flags};
    VkPipeline pipeline =
        MakeFragmentPipeline(k_fragment_sampled, {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}}, {.next = &info});
    WriteImage(set_, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, color_view_, VK_IMAGE_LAYOUT_GENERAL, MakeSampler());
    return pipeline;
  }
  void SetScissor(VkCommandBuffer c, const VkRect2D& scissor) { vk.CmdSetScissor(c, 0, 1, &scissor); }
  void SetViewport(VkCommandBuffer c, const VkRect2D& rect) {
    const VkViewport viewport = {static_cast<float>(rect.offset.x),
                                 static_cast<float>(rect.offset.y),
                                 static_cast<float>(rect.extent.width),
                                 static_cast<float>(rect.extent.height),
                                 0,
                                 1};
    vk.CmdSetViewport(c, 0, 1, &viewport);
  }
  // In rendering that clears color_, with a viewport and a scissor over everything.
  VkCommandBuffer Rendering() {
    VkCommandBuffer c = Begun();
    BeginRendering(c, {color_view_, kClearLoad});
    BindSet(c);
    SetViewport(c, kAll);
    SetScissor(c, kAll);
    return c;
  }
  // Without `first`, a triangle that counts as covering its viewport.
  void Draw(VkCommandBuffer c, VkPipeline pipeline, uint32_t first = 0) {
    BindPipeline(c, pipeline);
    vk.CmdDraw(c, 3, 1, first, 0);
  }
  void InputBarrier(VkCommandBuffer c) {
    Barrier(
        c, {kColorOutput, kColorWrite, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT});
  }
};
class NegativeSyncSharedAttachment : public SyncSharedAttachment {};
class PositiveSyncSharedAttachment : public SyncSharedAttachment {};

// Input attachments.

TEST_F(NegativeSyncSharedAttachment, InputAfterDraw) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  Draw(c, plain_);
  ExpectNothing();
  Draw(c, reader);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_access, VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT);
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncSharedAttachment, InputAfterBarrier) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  for (int i = 0; i < 3; ++i) {
    Draw(c, plain_);
    InputBarrier(c);
    Draw(c, reader);
  }
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncSharedAttachment, InputAfterLoad) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  Draw(c, reader);
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncSharedAttachment, InputInRasterizationOrder) {
  VkPipeline reader =
      MakeInputPipeline(VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT);
  VkCommandBuffer c = Rendering();
  Draw(c, plain_);
  Draw(c, reader);
  vk.CmdEndRendering(c);
}
// Draws that blend by themselves need not cover each other.
TEST_F(PositiveSyncSharedAttachment, InputOfDrawsThatBlend) {
  VkPipeline first = MakeInputPipeline(), second = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  for (uint32_t i = 0; i < 3; ++i) {
    Draw(c, first, 3 * i);
    Draw(c, second, 3 * i);
  }
  vk.CmdEndRendering(c);
}

// Fragments of two draws certainly meet where one of the draws covers the render area.

TEST_F(NegativeSyncSharedAttachment, InputOfAPart) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  Draw(c, plain_);
  SetScissor(c, kLeft);
  Draw(c, reader, 3);
  ExpectMessage(kReadAfterWrite);
  vk.CmdEndRendering(c);
}
TEST_F(NegativeSyncSharedAttachment, InputAfterADrawOfAPart) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  SetScissor(c, kLeft);
  Draw(c, plain_, 3);
  SetScissor(c, kAll);
  Draw(c, reader);
  ExpectMessage(kReadAfterWrite);
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncSharedAttachment, InputBesideTheScissor) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  SetScissor(c, kLeft);
  Draw(c, plain_);
  SetScissor(c, kRight);
  Draw(c, reader);
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncSharedAttachment, InputBesideTheViewport) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  SetViewport(c, kLeft);
  Draw(c, plain_);
  SetViewport(c, kRight);
  Draw(c, reader);
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncSharedAttachment, InputBesideTriangles) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  Draw(c, plain_, 3);
  Draw(c, reader, 6);
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncSharedAttachment, InputBesideAnUnknownArea) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Begun();
  BeginRendering(c, {color_view_, kClearLoad});
  BindSet(c);
  Draw(c, plain_);
  Draw(c, reader);
  vk.CmdEndRendering(c);
}
// Draws with vertex buffers may be anywhere.
TEST_F(PositiveSyncSharedAttachment, InputBesideVertices) {
  VkPipeline reader = MakeInputPipeline(), vertices = MakeVertexPipeline();
  VkCommandBuffer c = Rendering();
  BindVertices(c, MakeBuffer(64));
  Draw(c, vertices);
  SetScissor(c, kLeft);
  Draw(c, reader);
  vk.CmdEndRendering(c);
}
// The draw over everything is before the barrier.
TEST_F(PositiveSyncSharedAttachment, InputBesideADrawAfterTheBarrier) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  Draw(c, plain_);
  InputBarrier(c);
  SetScissor(c, kLeft);
  Draw(c, plain_);
  SetScissor(c, kRight);
  Draw(c, reader);
  vk.CmdEndRendering(c);
}

// With the setting, the primitives of each draw count as covering its viewport.
class SyncAssumedPrimitives : public SyncSharedAttachment {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncSharedAttachment::Options();
    options.settings.emplace_back("syncval_shader_accesses_heuristic", true);
    return options;
  }
};
class NegativeSyncAssumedPrimitives : public SyncAssumedPrimitives {};
class PositiveSyncAssumedPrimitives : public SyncAssumedPrimitives {};

TEST_F(NegativeSyncAssumedPrimitives, InputAfterTriangles) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  Draw(c, plain_, 3);
  Draw(c, reader, 6);
  ExpectMessage(kReadAfterWrite);
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncAssumedPrimitives, InputBesideTheScissor) {
  VkPipeline reader = MakeInputPipeline();
  VkCommandBuffer c = Rendering();
  SetScissor(c, kLeft);
  Draw(c, plain_);
  SetScissor(c, kRight);
  Draw(c, reader);
  vk.CmdEndRendering(c);
}

// Feedback loops. An attachment that the subpass writes must not be sampled at all (VUID-vkCmdDraw-None-09000),
// wherever the fragments of its draws are.

TEST_F(NegativeSyncSharedAttachment, SampledAfterDraw) {
  VkPipeline sampler = MakeSampledPipeline();
  VkCommandBuffer c = Begun();
  BeginRendering(c, {color_view_, kClearLoad});
  BindSet(c);
  Draw(c, plain_);
  ExpectNothing();
  Draw(c, sampler);
  ExpectMessage(kReadAfterWrite);
  vk.CmdEndRendering(c);
}
TEST_F(NegativeSyncSharedAttachment, SampledBesideTheScissor) {
  VkPipeline sampler = MakeSampledPipeline();
  VkCommandBuffer c = Rendering();
  SetScissor(c, kLeft);
  Draw(c, plain_);
  SetScissor(c, kRight);
  Draw(c, sampler);
  ExpectMessage(kReadAfterWrite);
  vk.CmdEndRendering(c);
}
TEST_F(NegativeSyncSharedAttachment, SampledAfterLoad) {
  VkPipeline sampler = MakeSampledPipeline();
  VkCommandBuffer c = Begun();
  BeginRendering(c, {color_view_, kClearLoad});
  BindSet(c);
  Draw(c, sampler);
  ExpectMessage(kReadAfterWrite);
  vk.CmdEndRendering(c);
}
TEST_F(PositiveSyncSharedAttachment, FeedbackLoopOfAPipeline) {
  VkPipeline sampler = MakeSampledPipeline(VK_PIPELINE_CREATE_2_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
  VkCommandBuffer c = Begun();
  BeginRendering(c, {color_view_, kClearLoad});
  BindSet(c);
  Draw(c, plain_);
  Draw(c, sampler);
  vk.CmdEndRendering(c);
}
// The shader may sample what is outside of the render area.
TEST_F(PositiveSyncSharedAttachment, SampledBesideTheRenderArea) {
  VkPipeline sampler = MakeSampledPipeline();
  VkCommandBuffer c = Begun();
  BeginRendering(c, {color_view_, kClearLoad}, {}, 0, {{0, 0}, {kSide, kSide / 2}});
  BindSet(c);
  Draw(c, plain_);
  Draw(c, sampler);
  vk.CmdEndRendering(c);
}

}  // namespace
}  // namespace assay::syncval
