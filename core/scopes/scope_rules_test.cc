// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/scopes/scope_rules.h"

#include "absl/strings/str_cat.h"
#include "core/draw/cases/draw_test.h"

namespace assay::core {
namespace {

using test::Of, test::Typed;

class Scopes : public DrawTest {
 protected:
  void SetUp() override {
    Start({.extensions = {"VK_EXT_conditional_rendering", "VK_NV_inherited_viewport_scissor"}});
    pass_ = MakeRenderPass({}, std::vector<VkSubpassDescription2>(2));
    framebuffer_ = MakeFramebuffer(pass_, {}, 64, 64);
    commands_ = MakeCommandBuffer();
    Begin(commands_);
  }
  void BeginPass() {
    const VkRenderPassBeginInfo info = BeginInfo(pass_, framebuffer_);
    vk.CmdBeginRenderPass(commands_, &info, VK_SUBPASS_CONTENTS_INLINE);
  }
  void Next() { vk.CmdNextSubpass(commands_, VK_SUBPASS_CONTENTS_INLINE); }
  // In a secondary command buffer that continues dynamic rendering.
  VkCommandBuffer BeginSecondary(bool has_viewports) {
    const VkViewport depths = {0, 0, 0, 0, 0, 1};
    const auto viewports = Of<VkCommandBufferInheritanceViewportScissorInfoNV>(VK_TRUE, 1, &depths);
    const VkFormat color = VK_FORMAT_R8G8B8A8_UNORM;
    const auto rendering =
        Typed(VkCommandBufferInheritanceRenderingInfo{.pNext = has_viewports ? &viewports : nullptr,
                                                      .colorAttachmentCount = 1,
                                                      .pColorAttachmentFormats = &color,
                                                      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT});
    const auto inherited = Typed(VkCommandBufferInheritanceInfo{.pNext = &rendering});
    const auto info = Of<VkCommandBufferBeginInfo>(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inherited);
    const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    vk.BeginCommandBuffer(secondary, &info);
    ExpectNothing();
    return secondary;
  }
  // Expects that the call is silent if the rule is null, and else that it is skipped.
  template <class F>
  void Expect(const char* rule, F&& call) {
    SCOPED_TRACE(rule != nullptr ? rule : "correct");
    SkipCalls skip(*this);
    call();
    if (rule != nullptr) ExpectMessages({absl::StrCat("VUID-", rule)});
    ExpectNothing();
  }

  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

TEST_F(Scopes, Ends) {
  const auto end = [&] { vk.CmdEndRenderPass(commands_); };
  const auto info = Typed(VkSubpassEndInfo());
  const auto end2 = [&] { vk.CmdEndRenderPass2(commands_, &info); };
  const auto end_rendering = [&] { vk.CmdEndRendering(commands_); };
  const auto capture = [&](bool begins) {
    (begins ? vk.CmdBeginTransformFeedbackEXT : vk.CmdEndTransformFeedbackEXT)(commands_, 0, 0, nullptr, nullptr);
    messages.Take();
  };
  BeginPass();
  Expect("vkCmdEndRenderPass-None-00910", end);
  Expect("vkCmdEndRenderPass2-None-03103", end2);
  Next();
  Expect("vkCmdEndRendering-None-06161", end_rendering);
  Bind(commands_, MakePipeline({}));
  messages.Take();
  capture(true);
  Expect("vkCmdEndRenderPass-None-02351", end);
  Expect("vkCmdEndRenderPass2-None-02352", end2);
  capture(false);
  Expect(nullptr, end);
  BeginRendering(commands_);
  Expect("vkCmdEndRenderPass-None-06170", end);
  Expect("vkCmdEndRenderPass2-None-06171", end2);
  capture(true);
  Expect("vkCmdEndRendering-None-06781", end_rendering);
  capture(false);
  Expect(nullptr, end_rendering);
  const VkCommandBuffer secondary = BeginSecondary(false);
  Expect("vkCmdEndRendering-commandBuffer-06162", [&] { vk.CmdEndRendering(secondary); });
}

TEST_F(Scopes, Conditions) {
  const auto condition =
      Of<VkConditionalRenderingBeginInfoEXT>(MakeBuffer(64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT).handle);
  const auto begin = [&] { vk.CmdBeginConditionalRenderingEXT(commands_, &condition); };
  const auto end = [&] { vk.CmdEndConditionalRenderingEXT(commands_); };
  Expect("vkCmdEndConditionalRenderingEXT-None-01985", end);
  Expect(nullptr, begin);
  Expect("vkCmdBeginConditionalRenderingEXT-None-01980", begin);
  BeginPass();
  Expect("vkCmdEndConditionalRenderingEXT-None-01986", end);
  Next();
  vk.CmdEndRenderPass(commands_);
  Expect(nullptr, end);
  BeginPass();
  Expect(nullptr, begin);
  Next();
  Expect("vkCmdEndConditionalRenderingEXT-None-01987", end);
}

TEST_F(Scopes, InheritedViewports) {
  const VkCommandBuffer inherits = BeginSecondary(true), plain = BeginSecondary(false);
  const VkViewport viewport = {0, 0, 64, 64, 0, 1};
  const VkRect2D area = {{0, 0}, {64, 64}};
  const auto expect = [&](const char* rule, const auto& call) {
    Expect(nullptr, [&] { call(plain); });
    Expect(rule, [&] { call(inherits); });
  };
  expect("vkCmdSetViewport-commandBuffer-04821", [&](auto c) { vk.CmdSetViewport(c, 0, 1, &viewport); });
  expect("vkCmdSetViewportWithCount-commandBuffer-04819", [&](auto c) { vk.CmdSetViewportWithCount(c, 1, &viewport); });
  expect("vkCmdSetScissor-viewportScissor2D-04789", [&](auto c) { vk.CmdSetScissor(c, 0, 1, &area); });
  expect("vkCmdSetScissorWithCount-commandBuffer-04820", [&](auto c) { vk.CmdSetScissorWithCount(c, 1, &area); });
  expect("vkCmdSetDiscardRectangleEXT-viewportScissor2D-04788",
         [&](auto c) { vk.CmdSetDiscardRectangleEXT(c, 0, 1, &area); });
  std::vector<VkDynamicState> dynamic = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  Expect(nullptr, [&] { Bind(inherits, MakePipeline({.dynamic = dynamic})); });
  Expect("vkCmdBindPipeline-commandBuffer-04808", [&] { Bind(inherits, MakePipeline({})); });
  dynamic.push_back(VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT);
  Expect("vkCmdBindPipeline-commandBuffer-04809",
         [&] { Bind(inherits, MakePipeline({.dynamic = dynamic, .has_discard_rectangles = true})); });
}

TEST_F(Scopes, Locations) {
  const auto one = Of<VkRenderingAttachmentLocationInfo>(1), none = Of<VkRenderingAttachmentLocationInfo>(0);
  const auto one_index = Of<VkRenderingInputAttachmentIndexInfo>(1),
             no_index = Of<VkRenderingInputAttachmentIndexInfo>(0);
  const auto locate = [&](const auto& info) { vk.CmdSetRenderingAttachmentLocations(commands_, &info); };
  const auto index = [&](const auto& info) { vk.CmdSetRenderingInputAttachmentIndices(commands_, &info); };
  BeginRendering(commands_);
  Expect(nullptr, [&] { locate(one), index(one_index); });
  Expect("vkCmdSetRenderingAttachmentLocations-pLocationInfo-09510", [&] { locate(none); });
  Expect("vkCmdSetRenderingInputAttachmentIndices-pInputAttachmentIndexInfo-09517", [&] { index(no_index); });
  vk.CmdEndRendering(commands_);
  BeginPass();
  Expect("vkCmdSetRenderingAttachmentLocations-commandBuffer-09511", [&] { locate(one); });
  Expect("vkCmdSetRenderingInputAttachmentIndices-commandBuffer-09518", [&] { index(one_index); });
}

}  // namespace
}  // namespace assay::core
