// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SECONDARIES_SECONDARY_TEST_H_
#define ASSAY_CORE_SECONDARIES_SECONDARY_TEST_H_

#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

// Test-only: secondary command buffers, and those that execute them.
namespace assay::core {

inline constexpr VkFormat kColor = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepth = VK_FORMAT_D24_UNORM_S8_UINT;
inline constexpr VkFormat kUnsupported = VK_FORMAT_D16_UNORM_S8_UINT;
inline constexpr VkFormat kUnsupportedColor = VK_FORMAT_R16G16B16A16_UNORM;
inline constexpr auto kSecondary = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
inline constexpr auto kContinue = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
inline constexpr auto kSimultaneous = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;

using test::Of, test::Typed;

class Secondaries : public test::ValidationTest {
 protected:
  enum Rendering : uint8_t { kNone, kRenderPass, kDynamic };
  // A secondary command buffer, and the render pass instance in which another executes it.
  struct Case {
    VkCommandBufferUsageFlags usage = kContinue;
    VkCommandBufferInheritanceInfo info = Typed(VkCommandBufferInheritanceInfo());
    VkFormat color_format = kColor;
    // Flags, view mask, colors, and formats of depth and stencil.
    VkCommandBufferInheritanceRenderingInfo rendering =
        Of<VkCommandBufferInheritanceRenderingInfo>(0, 0, 1, nullptr, kDepth, kDepth, VK_SAMPLE_COUNT_1_BIT);
    // With VkAttachmentSampleCountInfoAMD.
    VkSampleCountFlagBits own_color = VK_SAMPLE_COUNT_1_BIT;
    std::optional<VkAttachmentSampleCountInfoAMD> own_samples;
    bool has_rendering_info = true;
    Rendering in = kDynamic;
    VkRenderingFlags flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    VkSubpassContents contents = VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS;
    bool is_in_second_subpass = false;
    bool has_color = true, has_depth = true, has_stencil = true;
    VkQueryPool query = VK_NULL_HANDLE;
    uint32_t executions = 1;
    uint32_t family = 0;
    VkCommandBufferLevel level = kSecondary;
    VkCommandPoolCreateFlags pool_flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  };
  struct Row {
    const char* rule;
    std::function<void(Case&)> change;
    Rendering in = kDynamic;
  };

  void SetUp() override { Start({}); }
  // Starts anew.
  void Start(std::set<std::string> without) {
    Destroy();
    driver().config().disabled_features = without;
    for (const VkFormat format : {kUnsupported, kUnsupportedColor}) driver().config().formats[format] = {};
    const std::vector<const char*> extensions = {"VK_AMD_mixed_attachment_samples", "VK_EXT_nested_command_buffer",
                                                 "VK_NV_inherited_viewport_scissor", "VK_EXT_transform_feedback",
                                                 "VK_EXT_conditional_rendering"};
    Create({.device_extensions = extensions,
            .settings = {{"validate_sync", false}},
            .features = features_.Enable(extensions, without)});
    color_ = MakeView(MakeImage(kColor, 64, 64, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
    depth_ = MakeView(MakeImage(kDepth, 64, 64, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT));
    pass_ = MakePass(kColor);
    framebuffer_ = MakeFramebuffer(pass_, {color_}, 64, 64);
  }
  VkRenderPass MakePass(VkFormat format) {
    const VkAttachmentDescription2 attachment = {.format = format,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                 .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const auto reference = Of<VkAttachmentReference2>(0, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_ASPECT_COLOR_BIT);
    const VkSubpassDescription2 subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
    return MakeRenderPass({attachment}, {subpass, subpass});
  }

  Case Base(Rendering in) {
    Case made;
    made.in = in;
    made.has_rendering_info = in == kDynamic;
    if (in == kNone) made.usage = 0;
    if (in == kRenderPass) made.info.renderPass = pass_;
    return made;
  }
  VkCommandBuffer MakeOf(const Case& of) { return MakeCommandBuffer(of.family, of.level, of.pool_flags); }
  void BeginSecondary(VkCommandBuffer commands, Case of) {
    of.rendering.pColorAttachmentFormats = &of.color_format;
    if (of.own_samples) {
      of.own_samples->pColorAttachmentSamples = &of.own_color;
      of.rendering.pNext = &*of.own_samples;
    }
    if (of.has_rendering_info) of.info.pNext = &of.rendering;
    const auto info = Of<VkCommandBufferBeginInfo>(of.usage, &of.info);
    vk.BeginCommandBuffer(commands, &info);
  }
  VkCommandBuffer RecordSecondary(const Case& of) {
    const VkCommandBuffer commands = MakeOf(of);
    BeginSecondary(commands, of);
    vk.EndCommandBuffer(commands);
    return commands;
  }
  void BeginRendering(VkCommandBuffer c, const Case& of) {
    const auto attachment = [](bool has_view, VkImageView view) {
      return Of<VkRenderingAttachmentInfo>(has_view ? view : VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
    };
    const auto color = attachment(of.has_color, color_), depth = attachment(of.has_depth, depth_),
               stencil = attachment(of.has_stencil, depth_);
    // Of one layer, without multiview, with one color attachment.
    const auto info = Of<VkRenderingInfo>(of.flags, VkRect2D{{0, 0}, {64, 64}}, 1, 0, 1, &color, &depth, &stencil);
    vk.CmdBeginRendering(c, &info);
  }
  // Executes it, and expects the rule; empty for none.
  void Execute(std::string_view rule, const Case& of, VkCommandBuffer secondary) {
    const VkRenderPassBeginInfo begin = BeginInfo(pass_, framebuffer_);
    Record([&](VkCommandBuffer c) {
      if (of.query != VK_NULL_HANDLE) {
        vk.CmdResetQueryPool(c, of.query, 0, 1);
        vk.CmdBeginQuery(c, of.query, 0, 0);
      }
      if (of.in == kDynamic) BeginRendering(c, of);
      if (of.in == kRenderPass) vk.CmdBeginRenderPass(c, &begin, of.contents);
      if (of.in == kRenderPass && of.is_in_second_subpass) vk.CmdNextSubpass(c, of.contents);
      ExpectNothing();
      const std::vector<VkCommandBuffer> all(of.executions, secondary);
      vk.CmdExecuteCommands(c, of.executions, all.data());
      ExpectAlone("vkCmdExecuteCommands", rule);
      if (of.in == kDynamic) vk.CmdEndRendering(c);
      if (of.in == kRenderPass && !of.is_in_second_subpass) vk.CmdNextSubpass(c, of.contents);
      if (of.in == kRenderPass) vk.CmdEndRenderPass(c);
      if (of.query != VK_NULL_HANDLE) vk.CmdEndQuery(c, of.query, 0);
    });
  }
  void RunRows(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      SCOPED_TRACE(row.rule);
      const Case right = Base(row.in);
      Execute("", right, RecordSecondary(right));
      Case wrong = Base(row.in);
      row.change(wrong);
      Execute(row.rule, wrong, RecordSecondary(wrong));
    }
  }
  // Begins secondaries, and expects the rules, which follow "VUID-" and the owner.
  void ExpectBegins(const std::vector<Row>& rows, std::string_view owner = "") {
    for (const Row& row : rows) {
      SCOPED_TRACE(row.rule);
      Case of = Base(row.in);
      row.change(of);
      const VkCommandBuffer commands = MakeOf(of);
      BeginSecondary(commands, of);
      ExpectAlone(absl::StrCat("VUID-", owner, row.rule));
      vk.EndCommandBuffer(commands);
    }
  }

  VkImageView color_ = VK_NULL_HANDLE;
  VkImageView depth_ = VK_NULL_HANDLE;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;

 private:
  test::ExtensionFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SECONDARIES_SECONDARY_TEST_H_
