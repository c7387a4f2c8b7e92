// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of attachments, of render passes and dynamic rendering.

#include "core/layouts/layout_test.h"

namespace assay::core {
namespace {

constexpr VkImageLayout kDepthStencil = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;

class RenderLayout : public LayoutRulesTest {
 protected:
  void SetUp() override {
    LayoutRulesTest::SetUp();
    view = MakeView(image);
    const VkAttachmentDescription2 attachment = {.format = kFormat,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                 .initialLayout = kColor,
                                                 .finalLayout = kSource};
    const auto reference = Of<VkAttachmentReference2>(0, kColor, VK_IMAGE_ASPECT_COLOR_BIT);
    const VkSubpassDescription2 subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
    const VkRenderPass pass = MakeRenderPass({attachment}, {subpass});
    begin = BeginInfo(pass, MakeFramebuffer(pass, {view}, 64, 64));
  }
  // An attachment, which is resolved to a view in the same layout unless the mode is VK_RESOLVE_MODE_NONE.
  static VkRenderingAttachmentInfo Attachment(VkImageView of, VkImageLayout layout,
                                              VkResolveModeFlagBits mode = VK_RESOLVE_MODE_NONE,
                                              VkImageView resolved = VK_NULL_HANDLE) {
    return {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, nullptr, of, layout, mode, resolved, layout};
  }
  // With the attachments that are not null.
  void Render(VkCommandBuffer c, const VkRenderingAttachmentInfo* color, const VkRenderingAttachmentInfo* depth,
              const VkRenderingAttachmentInfo* stencil) {
    const auto info = Typed(VkRenderingInfo{.renderArea = begin.renderArea,
                                            .layerCount = 1,
                                            .colorAttachmentCount = color != nullptr ? 1u : 0u,
                                            .pColorAttachments = color,
                                            .pDepthAttachment = depth,
                                            .pStencilAttachment = stencil});
    vk.CmdBeginRendering(c, &info);
    vk.CmdEndRendering(c);
  }

  VkImageView view;
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
    const VkRenderingAttachmentInfo right = Attachment(view, kColor), wrong = Attachment(view, kGeneral);
    Render(c, &right, nullptr, nullptr);
    ExpectNothing();
    Render(c, &wrong, nullptr, nullptr);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09592");
  });
}
TEST_F(RenderLayout, DynamicRenderingOfDepthAndStencil) {
  const test::Image depth = MakeImage(kDepthFormat, 64, 64);
  const VkRenderingAttachmentInfo attachment = Attachment(MakeView(depth), kDepthStencil);
  Record([&](VkCommandBuffer c) {
    Barrier(c, depth, kUndefined, kDepthStencil);
    Render(c, nullptr, &attachment, &attachment);
    ExpectNothing();
    Barrier(c, depth, kDepthStencil, kGeneral);
    Render(c, nullptr, &attachment, nullptr);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09588");
    Render(c, nullptr, nullptr, &attachment);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09590");
  });
}
TEST_F(RenderLayout, ResolveOfDepthAndStencil) {
  const test::Image samples = MakeSamples(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  const test::Image resolved = MakeImage(kDepthFormat, 64, 64);
  const VkRenderingAttachmentInfo attachment =
      Attachment(MakeView(samples), kDepthStencil, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, MakeView(resolved));
  VkRenderingAttachmentInfo unresolved = attachment;
  unresolved.resolveMode = VK_RESOLVE_MODE_NONE;
  Record([&](VkCommandBuffer c) {
    Barrier(c, samples, kUndefined, kDepthStencil);
    Barrier(c, resolved, kUndefined, kDepthStencil);
    Render(c, nullptr, &attachment, &attachment);
    Barrier(c, resolved, kDepthStencil, kGeneral);
    // What is not resolved to may have any layout.
    Render(c, nullptr, &unresolved, &unresolved);
    ExpectNothing();
    Render(c, nullptr, &attachment, nullptr);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09589");
    Render(c, nullptr, nullptr, &attachment);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09591");
  });
}
TEST_F(RenderLayout, Resolve) {
  const test::Image samples = MakeSamples(kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  const VkRenderingAttachmentInfo color = Attachment(MakeView(samples), kColor, VK_RESOLVE_MODE_AVERAGE_BIT, view);
  Record([&](VkCommandBuffer c) {
    Barrier(c, samples, kUndefined, kColor);
    Barrier(c, image, kUndefined, kGeneral);
    Render(c, &color, nullptr, nullptr);
    ExpectMessage("VUID-vkCmdBeginRendering-pRenderingInfo-09593");
  });
}

}  // namespace
}  // namespace assay::core
