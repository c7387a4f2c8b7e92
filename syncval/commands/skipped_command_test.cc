// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that are recorded part by part, and that a callback skips for a hazard of one part. They leave nothing in
// the recording: the same command is reported again with the same text, and so is whatever conflicts with earlier
// commands.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

constexpr VkPipelineStageFlags2 kColorStage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkAccessFlags2 kColorBoth = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
constexpr VkImageLayout kColorLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr Masks kClearToColor = {kClear, kWrite, kColorStage, kColorBoth};

class NegativeSyncSkippedCommand : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    for (Buffer* buffer : {&a_, &b_, &c_}) *buffer = MakeBuffer(64);
    image_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
    other_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  }
  // Records a call that a callback skips for this hazard, twice.
  void Skip(const char* hazard, const std::function<void()>& call) {
    std::array<std::string, 2> texts;
    for (std::string& text : texts) {
      messages.set_callback_result(VK_TRUE);
      call();
      messages.set_callback_result(VK_FALSE);
      text = ExpectMessage(hazard).text;
      ExpectNothing();
    }
    EXPECT_EQ(texts[1], texts[0]);
  }
  VkCommandBuffer Secondary(const std::function<void(VkCommandBuffer)>& commands) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    Begin(secondary);
    commands(secondary);
    End(secondary);
    return secondary;
  }
  // A render pass with a subpass for each attachment, which it clears after these color accesses.
  VkRenderPass MakePass(uint32_t count) {
    std::vector<VkAttachmentDescription2> attachments(count, {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                              .samples = VK_SAMPLE_COUNT_1_BIT,
                                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                              .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                              .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                              .finalLayout = kColorLayout});
    std::vector<VkAttachmentReference2> references;
    std::vector<VkSubpassDependency2> dependencies;
    references.reserve(count);
    dependencies.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      references.push_back({.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                            .attachment = i,
                            .layout = kColorLayout,
                            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT});
      dependencies.push_back(
          {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
           .srcSubpass = VK_SUBPASS_EXTERNAL,
           .dstSubpass = i,
           .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
           .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
           .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT});
    }
    std::vector<VkSubpassDescription2> subpasses;
    subpasses.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      subpasses.push_back({.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                           .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                           .colorAttachmentCount = 1,
                           .pColorAttachments = &references[i]});
    }
    return MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                           .attachmentCount = count,
                           .pAttachments = attachments.data(),
                           .subpassCount = count,
                           .pSubpasses = subpasses.data(),
                           .dependencyCount = count,
                           .pDependencies = dependencies.data()});
  }
  void BeginPass(VkCommandBuffer c, VkRenderPass pass, const std::vector<VkImageView>& views) {
    const VkClearValue clears[2] = {};
    if (framebuffer_ == VK_NULL_HANDLE) framebuffer_ = MakeFramebuffer(pass, views, 8, 8);
    VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                  .renderPass = pass,
                                  .framebuffer = framebuffer_,
                                  .renderArea = {{0, 0}, {8, 8}},
                                  .clearValueCount = 2,
                                  .pClearValues = clears};
    vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
  }
  Buffer a_, b_, c_;
  Image image_, other_;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

TEST_F(NegativeSyncSkippedCommand, ExecuteCommands) {
  VkCommandBuffer secondary = Secondary([&](VkCommandBuffer s) {
    Fill(s, c_);
    Copy(s, a_, b_);
  });
  VkCommandBuffer c = Begun();
  Fill(c, a_);
  Skip(kReadAfterWrite, [&] { vk.CmdExecuteCommands(c, 1, &secondary); });
  // Nothing was written by the secondary.
  Fill(c, b_);
  Fill(c, c_);
  Fill(c, a_);
  ExpectMessage(kWriteAfterWrite);
}
// Of two, the second is in a hazard.
TEST_F(NegativeSyncSkippedCommand, ExecuteTwoCommandBuffers) {
  const VkCommandBuffer secondaries[] = {Secondary([&](VkCommandBuffer s) { Fill(s, b_); }),
                                         Secondary([&](VkCommandBuffer s) { Fill(s, a_); })};
  VkCommandBuffer c = Begun();
  Fill(c, a_);
  Skip(kWriteAfterWrite, [&] { vk.CmdExecuteCommands(c, 2, secondaries); });
  Barrier(c, {kClear, kWrite, kClear, kWrite});
  vk.CmdExecuteCommands(c, 2, secondaries);
}
TEST_F(NegativeSyncSkippedCommand, BeginRenderPass) {
  VkRenderPass pass = MakePass(1);
  const std::vector<VkImageView> views = {MakeView(image_)};
  VkCommandBuffer c = Begun();
  Fill(c, a_);
  Clear(c, image_, image_.Range());
  Skip(kWriteAfterWrite, [&] { BeginPass(c, pass, views); });
  Fill(c, a_);
  ExpectMessage(kWriteAfterWrite);
  Barrier(c, kClearToColor);
  BeginPass(c, pass, views);
  vk.CmdEndRenderPass(c);
}
TEST_F(NegativeSyncSkippedCommand, NextSubpass) {
  VkRenderPass pass = MakePass(2);
  VkCommandBuffer c = Begun();
  Clear(c, other_, other_.Range());
  BeginPass(c, pass, {MakeView(image_), MakeView(other_)});
  Skip(kWriteAfterWrite, [&] { vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE); });
  vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
  ExpectMessage(kWriteAfterWrite);
  vk.CmdEndRenderPass(c);
}

}  // namespace
}  // namespace assay::syncval
