// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of attachments, of render passes and dynamic rendering.

#include <string>

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
  // With the attachments that are not null. Breaks the rule with that number; "" for none.
  void Render(const std::string& number, const VkRenderingAttachmentInfo* color, const VkRenderingAttachmentInfo* depth,
              const VkRenderingAttachmentInfo* stencil) {
    const auto info = Typed(VkRenderingInfo{.renderArea = begin.renderArea,
                                            .layerCount = 1,
                                            .colorAttachmentCount = color != nullptr ? 1u : 0u,
                                            .pColorAttachments = color,
                                            .pDepthAttachment = depth,
                                            .pStencilAttachment = stencil});
    vk.CmdBeginRendering(commands, &info);
    vk.CmdEndRendering(commands);
    ExpectAlone(number.empty() ? "" : "VUID-vkCmdBeginRendering-pRenderingInfo-" + number);
  }

  VkImageView view;
  VkRenderPassBeginInfo begin;
};

TEST_F(RenderLayout, InitialLayout) {
  Barrier(image, kUndefined, kGeneral);
  vk.CmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  ExpectMessage("VUID-vkCmdBeginRenderPass-initialLayout-00900");
  vk.CmdEndRenderPass(commands);
  const auto contents = Of<VkSubpassBeginInfo>(VK_SUBPASS_CONTENTS_INLINE);
  vk.CmdBeginRenderPass2(commands, &begin, &contents);
  ExpectMessage("VUID-vkCmdBeginRenderPass2-initialLayout-03100");
  vk.CmdEndRenderPass(commands);
}
TEST_F(RenderLayout, FinalLayout) {
  Barrier(image, kUndefined, kColor);
  vk.CmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vk.CmdEndRenderPass(commands);
  Barrier(image, kSource, kGeneral);
  RunCommands();
}
TEST_F(RenderLayout, DynamicRendering) {
  const VkRenderingAttachmentInfo right = Attachment(view, kColor), wrong = Attachment(view, kGeneral);
  Barrier(image, kUndefined, kColor);
  Render("", &right, nullptr, nullptr);
  Render("09592", &wrong, nullptr, nullptr);
}
TEST_F(RenderLayout, DynamicRenderingOfDepthAndStencil) {
  const test::Image depth = MakeImage(kDepthFormat, 64, 64);
  const VkRenderingAttachmentInfo attachment = Attachment(MakeView(depth), kDepthStencil);
  Barrier(depth, kUndefined, kDepthStencil);
  Render("", nullptr, &attachment, &attachment);
  Barrier(depth, kDepthStencil, kGeneral);
  Render("09588", nullptr, &attachment, nullptr);
  Render("09590", nullptr, nullptr, &attachment);
}
TEST_F(RenderLayout, ResolveOfDepthAndStencil) {
  const test::Image samples = MakeSamples(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  const test::Image resolved = MakeImage(kDepthFormat, 64, 64);
  const VkRenderingAttachmentInfo attachment =
      Attachment(MakeView(samples), kDepthStencil, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, MakeView(resolved));
  VkRenderingAttachmentInfo unresolved = attachment;
  unresolved.resolveMode = VK_RESOLVE_MODE_NONE;
  Barrier(samples, kUndefined, kDepthStencil);
  Barrier(resolved, kUndefined, kDepthStencil);
  Render("", nullptr, &attachment, &attachment);
  Barrier(resolved, kDepthStencil, kGeneral);
  // What is not resolved to may have any layout.
  Render("", nullptr, &unresolved, &unresolved);
  Render("09589", nullptr, &attachment, nullptr);
  Render("09591", nullptr, nullptr, &attachment);
}
TEST_F(RenderLayout, Resolve) {
  const test::Image samples = MakeSamples(kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  const VkRenderingAttachmentInfo color = Attachment(MakeView(samples), kColor, VK_RESOLVE_MODE_AVERAGE_BIT, view);
  Barrier(samples, kUndefined, kColor);
  Barrier(image, kUndefined, kGeneral);
  Render("09593", &color, nullptr, nullptr);
}

}  // namespace
}  // namespace assay::core
