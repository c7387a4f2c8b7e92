// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to the depth and stencil attachments of dynamic rendering.

#include "syncval/commands/rendering_test.h"

namespace assay::syncval {
namespace {

using test::Image;

constexpr VkAttachmentLoadOp kClearLoad = VK_ATTACHMENT_LOAD_OP_CLEAR;

class SyncDepth : public SyncRendering {
 protected:
  void SetUp() override {
    SyncRendering::SetUp();
    depth_ = MakeImage(kDepthFormat, kSide, kSide);
    depth_view_ = MakeView(depth_);
  }
  VkPipeline MakeDepthPipeline(bool write, VkCompareOp compare = VK_COMPARE_OP_LESS) {
    DrawPipeline settings;
    settings.depth.depthTestEnable = VK_TRUE;
    settings.depth.depthWriteEnable = write;
    settings.depth.depthCompareOp = compare;
    return MakePipeline(settings);
  }
  void ClearDepth(VkCommandBuffer c, VkImageAspectFlags aspects) {
    VkClearDepthStencilValue value = {};
    VkImageSubresourceRange range = {aspects, 0, 1, 0, 1};
    vk.CmdClearDepthStencilImage(c, depth_, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
  }
  VkCommandBuffer DepthCleared(VkPipeline pipeline, VkImageAspectFlags aspects = VK_IMAGE_ASPECT_DEPTH_BIT) {
    VkCommandBuffer c = Begun();
    ClearDepth(c, aspects);
    BeginRendering(c, Untouched(color_view_), Untouched(depth_view_));
    BindPipeline(c, pipeline);
    return c;
  }
  Image depth_;
  VkImageView depth_view_ = VK_NULL_HANDLE;
};
class NegativeSyncDepth : public SyncDepth {};
class PositiveSyncDepth : public SyncDepth {};

TEST_F(NegativeSyncDepth, TestReads) {
  VkCommandBuffer c = DepthCleared(MakeDepthPipeline(false));
  vk.CmdDraw(c, 3, 1, 0, 0);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_access, kDepthRead);
}
TEST_F(NegativeSyncDepth, Writes) {
  VkCommandBuffer c = DepthCleared(MakeDepthPipeline(true, VK_COMPARE_OP_ALWAYS));
  vk.CmdDraw(c, 3, 1, 0, 0);
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.dst_access, kDepthWrite);
}
TEST_F(PositiveSyncDepth, NotAccessed) {
  DrawPipeline untested;
  untested.depth.depthWriteEnable = VK_TRUE;
  for (VkPipeline pipeline : {MakePipeline(untested), MakeDepthPipeline(true, VK_COMPARE_OP_NEVER)}) {
    VkCommandBuffer c = DepthCleared(pipeline);
    vk.CmdDraw(c, 3, 1, 0, 0);
    vk.CmdEndRendering(c);
    End(c);
  }
  // The other aspect.
  VkCommandBuffer c = DepthCleared(MakeDepthPipeline(true), VK_IMAGE_ASPECT_STENCIL_BIT);
  vk.CmdDraw(c, 3, 1, 0, 0);
}
TEST_F(NegativeSyncDepth, Stencil) {
  DrawPipeline settings;
  settings.depth.stencilTestEnable = VK_TRUE;
  settings.depth.front = settings.depth.back = {
      .passOp = VK_STENCIL_OP_REPLACE, .compareOp = VK_COMPARE_OP_ALWAYS, .compareMask = 0xff, .writeMask = 0xff};
  VkCommandBuffer c = DepthCleared(MakePipeline(settings), VK_IMAGE_ASPECT_STENCIL_BIT);
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncDepth, ReadOnlyInTwoPasses) {
  VkPipeline writer = MakeDepthPipeline(true), reader = MakeDepthPipeline(false);
  const Image other = MakeImage(kColorFormat, kSide, kSide);
  VkCommandBuffer c = Begun();
  BindPipeline(c, writer);
  BeginRendering(c, {color_view_, kClearLoad}, {depth_view_, kClearLoad});
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdEndRendering(c);
  Barrier(c, {kFragmentTests, kDepthWrite, kFragmentTests, kDepthRead});
  BindPipeline(c, reader);
  Target depth = {depth_view_};
  depth.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  for (VkImageView view : {MakeView(other), MakeView(MakeImage(kColorFormat, kSide, kSide))}) {
    BeginRendering(c, {view, kClearLoad}, depth);
    vk.CmdDraw(c, 3, 1, 0, 0);
    vk.CmdEndRendering(c);
  }
}
TEST_F(NegativeSyncDepth, StoreWrites) {
  VkPipeline reader = MakeDepthPipeline(false);
  VkCommandBuffer c = Begun();
  BindPipeline(c, reader);
  BeginRendering(c, {color_view_, kClearLoad}, {depth_view_});
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdEndRendering(c);
  ClearDepth(c, VK_IMAGE_ASPECT_DEPTH_BIT);
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.src_stages, VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT);
}

}  // namespace
}  // namespace assay::syncval
