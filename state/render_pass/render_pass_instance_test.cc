// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Framebuffers, and the render pass instance of a command buffer, of render pass objects.

#include <utility>
#include <vector>

#include "state/hooks/state_test.h"

namespace assay::state {
namespace {

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

class RenderingState : public StateTest {
 protected:
  static const RenderPassInstance& Scope(VkCommandBuffer commands) { return DeviceState::Get(commands)->rendering; }
  VkCommandBuffer Begun() {
    VkCommandBuffer commands = MakeCommandBuffer();
    Begin(commands);
    return commands;
  }
  // One color attachment; a view mask for each subpass, which all render to it.
  VkRenderPass MakePass(const std::vector<uint32_t>& view_masks) {
    VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                           .format = kFormat,
                                           .samples = VK_SAMPLE_COUNT_1_BIT,
                                           .initialLayout = kGeneral,
                                           .finalLayout = kGeneral};
    VkAttachmentReference2 color = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0, kGeneral,
                                    VK_IMAGE_ASPECT_COLOR_BIT};
    std::vector<VkSubpassDescription2> subpasses;
    subpasses.reserve(view_masks.size());
    for (uint32_t mask : view_masks) {
      subpasses.push_back({.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                           .viewMask = mask,
                           .colorAttachmentCount = 1,
                           .pColorAttachments = &color});
    }
    return MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                           .attachmentCount = 1,
                           .pAttachments = &attachment,
                           .subpassCount = static_cast<uint32_t>(subpasses.size()),
                           .pSubpasses = subpasses.data()});
  }
  VkFramebuffer MakeImageless(VkRenderPass pass) {
    VkFramebufferAttachmentImageInfo image = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
                                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                              .width = 16,
                                              .height = 16,
                                              .layerCount = 1,
                                              .viewFormatCount = 1,
                                              .pViewFormats = &kFormat};
    VkFramebufferAttachmentsCreateInfo attachments = {VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO, nullptr, 1,
                                                      &image};
    // The framebuffer must not read pAttachments.
    VkFramebufferCreateInfo info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                    &attachments,
                                    VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
                                    pass,
                                    1,
                                    reinterpret_cast<const VkImageView*>(8),
                                    16,
                                    16,
                                    1};
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateFramebuffer(device, &info, nullptr, &framebuffer), VK_SUCCESS);
    Defer(framebuffer, [=, this] { vk.DestroyFramebuffer(device, framebuffer, nullptr); });
    return framebuffer;
  }
  VkImageView MakeTarget() { return MakeView(MakeImage(kFormat, 16, 16)); }
  VkCommandBuffer MakeSecondary() { return MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY); }
  void BeginInheriting(VkCommandBuffer commands, const VkCommandBufferInheritanceInfo& inheritance,
                       VkCommandBufferUsageFlags flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) {
    VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, flags, &inheritance};
    EXPECT_EQ(vk.BeginCommandBuffer(commands, &info), VK_SUCCESS);
  }
};

// Of a part of the framebuffer.
VkRenderPassBeginInfo BeginPart(VkRenderPass pass, VkFramebuffer framebuffer, const void* next = nullptr) {
  return {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, next, pass, framebuffer, {{1, 2}, {3, 4}}, 0, nullptr};
}

TEST_F(RenderingState, FramebuffersKeepTheirViewsAndRenderPass) {
  VkRenderPass pass = MakePass({0});
  VkImageView view = MakeTarget();
  VkFramebuffer framebuffer = MakeFramebuffer(pass, {view}, 16, 8, 2);
  DestroyNow(pass);
  DestroyNow(view);
  EXPECT_EQ(StateOf<RenderPass>(pass), nullptr);
  const Framebuffer* state = StateOf<Framebuffer>(framebuffer);
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->render_pass->subpasses.size(), 1u);
  EXPECT_EQ(state->views[0]->format, kFormat);
  EXPECT_EQ(state->height, 8u);
  EXPECT_EQ(state->layers, 2u);
  DestroyNow(framebuffer);
  EXPECT_EQ(StateOf<Framebuffer>(framebuffer), nullptr);
  vk.DestroyFramebuffer(device, VK_NULL_HANDLE, nullptr);
  vk.DestroyRenderPass(device, VK_NULL_HANDLE, nullptr);
}
TEST_F(RenderingState, RenderPassesOfVersionOneAreTracked) {
  VkSubpassDescription subpass = {};
  VkRenderPassCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};
  VkRenderPass pass = VK_NULL_HANDLE;
  vk.CreateRenderPass(device, &info, nullptr, &pass);
  ASSERT_NE(StateOf<RenderPass>(pass), nullptr);
  EXPECT_EQ(StateOf<RenderPass>(pass)->subpasses.size(), 1u);
  vk.DestroyRenderPass(device, pass, nullptr);
  EXPECT_EQ(StateOf<RenderPass>(pass), nullptr);
}

TEST_F(RenderingState, Subpasses) {
  VkRenderPass pass = MakePass({1, 6});
  VkImageView view = MakeTarget();
  const VkRenderPassBeginInfo info = BeginPart(pass, MakeFramebuffer(pass, {view}, 16, 16));
  VkCommandBuffer commands = Begun();
  const RenderPassInstance& scope = Scope(commands);
  EXPECT_FALSE(scope.is_active());
  vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  EXPECT_EQ(scope.kind(), RenderPassInstance::Kind::kRenderPass);
  EXPECT_EQ(scope.render_pass(), StateOf<RenderPass>(pass));
  EXPECT_EQ(scope.ViewOf(0), StateOf<ImageView>(view));
  EXPECT_EQ(scope.ViewOf(1), nullptr);
  EXPECT_EQ(scope.ViewOf(VK_ATTACHMENT_UNUSED), nullptr);
  EXPECT_EQ(scope.render_area().extent.height, 4u);
  EXPECT_EQ(scope.view_mask(), 1u);
  EXPECT_EQ(scope.subpass(), scope.render_pass()->subpasses.data());
  EXPECT_EQ(scope.color_count(), 1u);
  EXPECT_EQ(scope.ColorAttachment(0), StateOf<ImageView>(view));
  EXPECT_EQ(scope.ColorAttachment(1), nullptr);
  EXPECT_EQ(scope.ColorAtLocation(0), 0u);
  EXPECT_EQ(scope.ColorAtLocation(1), VK_ATTACHMENT_UNUSED);
  EXPECT_EQ(scope.DepthAttachment(), nullptr);
  const uint32_t version = scope.version();
  vk.CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  EXPECT_NE(scope.version(), version);
  EXPECT_EQ(scope.subpass_index(), 1u);
  EXPECT_EQ(scope.view_mask(), 6u);
  EXPECT_EQ(scope.contents(), VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  // One too many.
  VkSubpassBeginInfo begin = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr, VK_SUBPASS_CONTENTS_INLINE};
  VkSubpassEndInfo end = {VK_STRUCTURE_TYPE_SUBPASS_END_INFO, nullptr};
  vk.CmdNextSubpass2(commands, &begin, &end);
  EXPECT_EQ(scope.subpass(), nullptr);
  vk.CmdEndRenderPass2(commands, &end);
  EXPECT_FALSE(scope.is_active());
  EXPECT_EQ(scope.render_pass(), nullptr);
  EXPECT_EQ(scope.ViewOf(0), nullptr);
  vk.CmdBeginRenderPass2(commands, &info, &begin);
  EXPECT_EQ(scope.subpass_index(), 0u);
  EXPECT_NE(scope.version(), version);
  End(commands);
  Begin(commands);
  EXPECT_FALSE(scope.is_active());
}
TEST_F(RenderingState, ImagelessFramebuffers) {
  VkRenderPass pass = MakePass({0});
  VkFramebuffer framebuffer = MakeImageless(pass);
  EXPECT_TRUE(StateOf<Framebuffer>(framebuffer)->is_imageless());
  ASSERT_EQ(StateOf<Framebuffer>(framebuffer)->imageless_attachments.size(), 1u);
  EXPECT_EQ(StateOf<Framebuffer>(framebuffer)->imageless_attachments[0].view_formats, std::vector<VkFormat>{kFormat});
  VkImageView view = MakeTarget();
  VkRenderPassAttachmentBeginInfo attachments = {VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO, nullptr, 1,
                                                 &view};
  VkRenderPassBeginInfo info = BeginPart(pass, framebuffer, &attachments);
  VkCommandBuffer commands = Begun();
  vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  EXPECT_EQ(Scope(commands).ViewOf(0), StateOf<ImageView>(view));
  // The instance holds its attachments while it lasts.
  DestroyNow(view);
  EXPECT_EQ(Scope(commands).ViewOf(0)->format, kFormat);
  vk.CmdEndRenderPass(commands);
  info.pNext = nullptr;
  vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  EXPECT_EQ(Scope(commands).ViewOf(0), nullptr);
  EXPECT_NE(Scope(commands).framebuffer(), nullptr);
}
TEST_F(RenderingState, DestroyedOrNullHandles) {
  driver().CheckHandles(false);
  VkRenderPass pass = MakePass({0});
  VkImageView view = MakeTarget();
  VkFramebuffer framebuffer = MakeFramebuffer(pass, {view}, 16, 16);
  VkCommandBuffer commands = Begun();
  VkRenderPassBeginInfo info = BeginPart(VK_NULL_HANDLE, VK_NULL_HANDLE);
  vk.CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  EXPECT_FALSE(Scope(commands).is_active());
  vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  EXPECT_EQ(Scope(commands).subpass(), nullptr);
  EXPECT_EQ(Scope(commands).view_mask(), 0u);
  vk.CmdEndRenderPass(commands);
  info = BeginPart(pass, framebuffer);
  vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  DestroyNow(framebuffer);
  DestroyNow(pass);
  EXPECT_NE(Scope(commands).subpass(), nullptr);
  EXPECT_EQ(Scope(commands).framebuffer()->width, 16u);
  vk.CmdEndRenderPass(commands);
  // An attachment that is no view any more when the framebuffer is made.
  VkRenderPass other = MakePass({0});
  DestroyNow(view);
  info = BeginPart(other, MakeFramebuffer(other, {view}, 16, 16));
  vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  EXPECT_EQ(Scope(commands).ViewOf(0), nullptr);
}

TEST_F(RenderingState, DepthAndStencilOfASubpass) {
  const auto attachments = [&](VkFormat format) {
    VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2, .format = format};
    VkAttachmentReference2 reference = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0, kGeneral};
    VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                     .pDepthStencilAttachment = &reference};
    VkRenderPass pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass});
    VkImageView view = MakeView(MakeImage(format, 16, 16));
    VkRenderPassBeginInfo info = BeginPart(pass, MakeFramebuffer(pass, {view}, 16, 16));
    RenderPassInstance scope;
    scope.Begin(info, VK_SUBPASS_CONTENTS_INLINE);
    EXPECT_EQ(scope.color_count(), 0u);
    return std::pair(scope.DepthAttachment() == StateOf<ImageView>(view),
                     scope.StencilAttachment() == StateOf<ImageView>(view));
  };
  EXPECT_EQ(attachments(VK_FORMAT_D32_SFLOAT), std::pair(true, false));
  EXPECT_EQ(attachments(VK_FORMAT_S8_UINT), std::pair(false, true));
  EXPECT_EQ(attachments(VK_FORMAT_D32_SFLOAT_S8_UINT), std::pair(true, true));
}

TEST_F(RenderingState, SecondaryInheritsSubpass) {
  VkRenderPass pass = MakePass({0, 2});
  VkFramebuffer framebuffer = MakeFramebuffer(pass, {MakeTarget()}, 16, 16, 3);
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, nullptr, pass, 1,
                                                framebuffer};
  VkCommandBuffer commands = MakeSecondary();
  BeginInheriting(commands, inheritance);
  const RenderPassInstance& scope = Scope(commands);
  EXPECT_TRUE(scope.is_inherited());
  EXPECT_EQ(scope.view_mask(), 2u);
  EXPECT_NE(scope.ViewOf(0), nullptr);
  EXPECT_EQ(scope.layer_count(), 3u);
  EXPECT_EQ(scope.render_area().extent.width, 0x7fffffffu);
  End(commands);
  inheritance.framebuffer = VK_NULL_HANDLE;
  BeginInheriting(commands, inheritance);
  EXPECT_NE(scope.subpass(), nullptr);
  EXPECT_EQ(scope.ViewOf(0), nullptr);
  End(commands);
  // Without the usage flag, inheritance of a render pass is ignored.
  BeginInheriting(commands, inheritance, 0);
  EXPECT_FALSE(scope.is_active());
  End(commands);
  // So it is for a primary command buffer.
  VkCommandBuffer primary = MakeCommandBuffer();
  BeginInheriting(primary, inheritance);
  EXPECT_FALSE(Scope(primary).is_active());
}

}  // namespace
}  // namespace assay::state
