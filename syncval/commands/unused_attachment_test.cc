// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What is not an access of an attachment, in render pass objects: to preserve it, to store it unwritten from a
// read-only layout, and to store it with VK_ATTACHMENT_STORE_OP_NONE.

#include <vector>

#include "syncval/fixture/draw_sync_test.h"

namespace assay::syncval {
namespace {

using test::Image;

class SyncUnusedAttachment : public DrawSyncTest {
 protected:
  static VkAttachmentDescription2 Description(VkFormat format, VkImageLayout layout, VkAttachmentStoreOp store) {
    return {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
            .format = format,
            .samples = VK_SAMPLE_COUNT_1_BIT,
            .loadOp = VK_ATTACHMENT_LOAD_OP_NONE,
            .storeOp = store,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_NONE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_NONE,
            .initialLayout = layout,
            .finalLayout = layout};
  }
  static VkAttachmentReference2 Reference(uint32_t attachment, VkImageLayout layout, VkImageAspectFlags aspects) {
    return {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
            .attachment = attachment,
            .layout = layout,
            .aspectMask = aspects};
  }
  static VkSubpassDependency2 Dependency(uint32_t from, uint32_t to) {
    constexpr auto kStage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    return {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
            .srcSubpass = from,
            .dstSubpass = to,
            .srcStageMask = kStage,
            .dstStageMask = kStage,
            .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
  }

  // Draws to the first attachment in subpass 0 and 2, and to the second in 1, which preserves the first.
  void RenderThree(const std::vector<VkSubpassDependency2>& dependencies) {
    constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_GENERAL;
    const Image second = MakeImage(kColorFormat, kSide, kSide);
    const VkAttachmentDescription2 attachments[] = {Description(kColorFormat, kLayout, VK_ATTACHMENT_STORE_OP_STORE),
                                                    Description(kColorFormat, kLayout, VK_ATTACHMENT_STORE_OP_NONE)};
    const VkAttachmentReference2 colors[] = {Reference(0, kLayout, VK_IMAGE_ASPECT_COLOR_BIT),
                                             Reference(1, kLayout, VK_IMAGE_ASPECT_COLOR_BIT)};
    const uint32_t preserved = 0;
    VkSubpassDescription2 subpasses[3];
    for (uint32_t i = 0; i < 3; ++i) {
      subpasses[i] = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                      .colorAttachmentCount = 1,
                      .pColorAttachments = &colors[i % 2]};
    }
    subpasses[1].preserveAttachmentCount = 1;
    subpasses[1].pPreserveAttachments = &preserved;
    VkRenderPass render_pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                               .attachmentCount = 2,
                                               .pAttachments = attachments,
                                               .subpassCount = 3,
                                               .pSubpasses = subpasses,
                                               .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                               .pDependencies = dependencies.data()});
    VkCommandBuffer c = Begun();
    Begin(c, render_pass, {color_view_, MakeView(second)});
    for (uint32_t i = 0; i < 3; ++i) {
      if (i != 0) vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
      BindPipeline(c, plain_);
      vk.CmdDraw(c, 3, 1, 0, 0);
    }
    vk.CmdEndRenderPass(c);
  }

  // A render pass with one depth attachment, and nothing drawn.
  void RenderNothing(VkCommandBuffer c, const Image& depth, VkImageLayout layout, VkAttachmentStoreOp store) {
    const VkAttachmentDescription2 attachment = Description(kDepthFormat, layout, store);
    const VkAttachmentReference2 reference = Reference(0, layout, VK_IMAGE_ASPECT_DEPTH_BIT);
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pDepthStencilAttachment = &reference};
    VkRenderPass render_pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                               .attachmentCount = 1,
                                               .pAttachments = &attachment,
                                               .subpassCount = 1,
                                               .pSubpasses = &subpass});
    Begin(c, render_pass, {MakeView(depth)});
    vk.CmdEndRenderPass(c);
  }

  // Records one such render pass after a clear of the depth image.
  void RenderNothingAfterAClear(VkImageLayout layout, VkAttachmentStoreOp store) {
    const Image depth = MakeImage(kDepthFormat, kSide, kSide);
    VkCommandBuffer c = Begun();
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    const VkClearDepthStencilValue value = {};
    vk.CmdClearDepthStencilImage(c, depth, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
    RenderNothing(c, depth, layout, store);
  }

 private:
  void Begin(VkCommandBuffer c, VkRenderPass render_pass, const std::vector<VkImageView>& views) {
    const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = render_pass,
                                        .framebuffer = MakeFramebuffer(render_pass, views, kSide, kSide),
                                        .renderArea = {{0, 0}, {kSide, kSide}}};
    vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
  }
};
class NegativeSyncUnusedAttachment : public SyncUnusedAttachment {};
class PositiveSyncUnusedAttachment : public SyncUnusedAttachment {};

// Subpass 1 has no dependency on the others, and needs none to preserve what they draw.
TEST_F(PositiveSyncUnusedAttachment, Preserved) { RenderThree({Dependency(0, 2)}); }
TEST_F(NegativeSyncUnusedAttachment, DrawnAgainAfterItIsPreserved) {
  RenderThree({Dependency(0, 1), Dependency(1, 2)});
  ExpectNothing();
  RenderThree({Dependency(0, 1)});
  ExpectMessage(kWriteAfterWrite);
}

// In a read-only layout nothing writes the attachment, so there is nothing to store.
TEST_F(PositiveSyncUnusedAttachment, StoredFromAReadOnlyLayout) {
  RenderNothingAfterAClear(VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, VK_ATTACHMENT_STORE_OP_STORE);
}
TEST_F(PositiveSyncUnusedAttachment, NotStored) {
  RenderNothingAfterAClear(VK_IMAGE_LAYOUT_GENERAL, VK_ATTACHMENT_STORE_OP_NONE);
}
TEST_F(NegativeSyncUnusedAttachment, Stored) {
  RenderNothingAfterAClear(VK_IMAGE_LAYOUT_GENERAL, VK_ATTACHMENT_STORE_OP_STORE);
  ExpectMessage(kWriteAfterWrite);
}

}  // namespace
}  // namespace assay::syncval
