// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands in render pass instances of two subpasses, and of dynamic rendering.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/render_passes/pass_creation_test.h"

namespace assay::core {
namespace {

class InstanceCommands : public PassFixture {
 protected:
  using Commands = std::function<void(VkCommandBuffer)>;

  void SetUp() override { StartWithout({}); }
  void StartWithout(const std::set<std::string>& features) {
    Start({"VK_EXT_transform_feedback", "VK_KHR_maintenance7", "VK_EXT_nested_command_buffer"}, features);
    const VkRenderPass pass = MakeRenderPass({}, std::vector<VkSubpassDescription2>(2));
    begin_ = BeginInfo(pass, MakeFramebuffer(pass, {}, 64, 64));
    pipeline_ = MakeGraphicsPipeline(MakePipelineLayout({}), {.color_formats = {}, .render_pass = pass});
    dynamic_pipeline_ = MakeGraphicsPipeline(MakePipelineLayout({}), {.color_formats = {}});
  }
  // Calls f(c) in an instance that has done `next` times vkCmdNextSubpass, or in dynamic rendering; expects the rule.
  enum Kind { kFirst, kLast, kDynamic };
  void Expect(const std::string& rule, Kind kind, const Commands& f, bool has_feedback = false) {
    SCOPED_TRACE(rule);
    const VkCommandBuffer c = MakeCommandBuffer();
    Begin(c);
    vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, kind == kDynamic ? dynamic_pipeline_ : pipeline_);
    kind == kDynamic ? vk.CmdBeginRendering(c, &rendering_)
                     : vk.CmdBeginRenderPass(c, &begin_, VK_SUBPASS_CONTENTS_INLINE);
    if (kind == kLast) vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    if (has_feedback) vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
    ExpectNothing();
    const SkipCalls skip(*this);
    f(c);
    ExpectAlone(rule.empty() ? "" : "VUID-" + rule);
  }

  const VkSubpassBeginInfo contents_ = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr, VK_SUBPASS_CONTENTS_INLINE};
  const VkSubpassEndInfo end_ = {VK_STRUCTURE_TYPE_SUBPASS_END_INFO, nullptr};
  const Commands next_ = [this](auto c) { vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE); };
  const Commands next2_ = [this](auto c) { vk.CmdNextSubpass2(c, &contents_, &end_); };
  const Commands end1_ = [this](auto c) { vk.CmdEndRenderPass(c); };
  const Commands end2_ = [this](auto c) { vk.CmdEndRenderPass2(c, &end_); };
  const Commands end_rendering_ = [this](auto c) { vk.CmdEndRendering(c); };
  const VkRenderingInfo rendering_ = Typed(VkRenderingInfo{.renderArea = {{0, 0}, {64, 64}}, .layerCount = 1});
  VkRenderPassBeginInfo begin_ = {};
  VkPipeline pipeline_ = VK_NULL_HANDLE, dynamic_pipeline_ = VK_NULL_HANDLE;
};

TEST_F(InstanceCommands, Subpasses) {
  for (const auto& next : {next_, next2_}) Expect("", kFirst, next);
  for (const auto& end : {end1_, end2_}) Expect("", kLast, end);
  Expect("vkCmdNextSubpass-None-00909", kLast, next_);
  Expect("vkCmdNextSubpass2-None-03102", kLast, next2_);
  Expect("vkCmdEndRenderPass-None-00910", kFirst, end1_);
  Expect("vkCmdEndRenderPass2-None-03103", kFirst, end2_);
}

TEST_F(InstanceCommands, Kinds) {
  Expect("", kDynamic, end_rendering_);
  Expect("vkCmdEndRenderPass-None-06170", kDynamic, end1_);
  Expect("vkCmdEndRenderPass2-None-06171", kDynamic, end2_);
  Expect("vkCmdEndRendering-None-06161", kLast, end_rendering_);
  const auto rendering = Typed(VkCommandBufferInheritanceRenderingInfo{.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT});
  const auto inherited = Typed(VkCommandBufferInheritanceInfo{.pNext = &rendering});
  const auto begin = Of<VkCommandBufferBeginInfo>(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inherited);
  const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  vk.BeginCommandBuffer(secondary, &begin);
  ExpectNothing();
  const SkipCalls skip(*this);
  vk.CmdEndRendering(secondary);
  ExpectMessage("VUID-vkCmdEndRendering-commandBuffer-06162");
}

TEST_F(InstanceCommands, TransformFeedback) {
  Expect("vkCmdNextSubpass-None-02349", kFirst, next_, true);
  Expect("vkCmdNextSubpass2-None-02350", kFirst, next2_, true);
  Expect("vkCmdEndRenderPass-None-02351", kLast, end1_, true);
  Expect("vkCmdEndRenderPass2-None-02352", kLast, end2_, true);
  Expect("vkCmdEndRendering-None-06781", kDynamic, end_rendering_, true);
}

TEST_F(InstanceCommands, Mappings) {
  const uint32_t number = 0;
  for (const uint32_t count : {0, 1}) {
    const auto locations = Of<VkRenderingAttachmentLocationInfo>(count, &number);
    const auto indices = Typed(
        VkRenderingInputAttachmentIndexInfo{.colorAttachmentCount = count, .pColorAttachmentInputIndices = &number});
    const auto locate = [&](auto c) { vk.CmdSetRenderingAttachmentLocations(c, &locations); };
    const auto index = [&](auto c) { vk.CmdSetRenderingInputAttachmentIndices(c, &indices); };
    Expect(count == 0 ? "" : "vkCmdSetRenderingAttachmentLocations-pLocationInfo-09510", kDynamic, locate);
    Expect(count == 0 ? "" : "vkCmdSetRenderingInputAttachmentIndices-pInputAttachmentIndexInfo-09517", kDynamic,
           index);
    Expect("vkCmdSetRenderingAttachmentLocations-commandBuffer-09511", kFirst, locate);
    Expect("vkCmdSetRenderingInputAttachmentIndices-commandBuffer-09518", kFirst, index);
  }
}

TEST_F(InstanceCommands, Contents) {
  constexpr auto kMixed = VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR;
  const VkSubpassBeginInfo mixed = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr, kMixed};
  const auto begin_all = [&](bool is_wrong) {
    for (const bool is_second : {false, true}) {
      const VkCommandBuffer c = MakeCommandBuffer();
      Begin(c);
      is_second ? vk.CmdBeginRenderPass2(c, &begin_, &mixed) : vk.CmdBeginRenderPass(c, &begin_, kMixed);
      if (is_wrong) {
        ExpectMessage(is_second ? "VUID-VkSubpassBeginInfo-contents-09382"
                                : "VUID-vkCmdBeginRenderPass-contents-09640");
      }
      ExpectNothing();
    }
  };
  begin_all(false);
  Destroy();
  StartWithout(
      {"maintenance7", "nestedCommandBuffer", "nestedCommandBufferRendering", "nestedCommandBufferSimultaneousUse"});
  begin_all(true);
}

}  // namespace
}  // namespace assay::core
