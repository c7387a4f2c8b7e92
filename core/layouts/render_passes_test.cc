// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of attachments, of render passes and dynamic rendering.

#include "core/layouts/layout_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

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

}  // namespace
}  // namespace assay::core
