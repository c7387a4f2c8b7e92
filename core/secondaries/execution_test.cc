// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Secondary command buffers where they are executed, through the whole layer.

#include "core/secondaries/secondary_test.h"

namespace assay::core {
namespace {

TEST_F(Secondaries, DynamicRendering) {
  const auto own_samples = [](Case& it, VkSampleCountFlagBits color, VkSampleCountFlagBits depth) {
    it.own_samples = Of<VkAttachmentSampleCountInfoAMD>(1, nullptr, depth);
    it.own_color = color;
  };
  constexpr auto kOne = VK_SAMPLE_COUNT_1_BIT, kFour = VK_SAMPLE_COUNT_4_BIT;
  const auto depth_only = [](Case& it) {
    it.has_color = it.has_stencil = false;
    it.color_format = it.rendering.stencilAttachmentFormat = VK_FORMAT_UNDEFINED;
  };
  const auto stencil_only = [](Case& it) {
    it.has_color = it.has_depth = false;
    it.color_format = it.rendering.depthAttachmentFormat = VK_FORMAT_UNDEFINED;
  };
  RunRows({
      {"flags-06024", [](Case& it) { it.flags = 0; }},
      {"pCommandBuffers-00096", [](Case& it) { it.usage = 0; }},
      {"pBeginInfo-06025", [&](Case& it) { it.info.renderPass = pass_, it.has_rendering_info = false; }},
      {"flags-06026", [](Case& it) { it.rendering.flags = VK_RENDERING_SUSPENDING_BIT; }},
      {"viewMask-06031", [](Case& it) { it.rendering.viewMask = 1; }},
      {"colorAttachmentCount-06027", [](Case& it) { it.rendering.colorAttachmentCount = 0; }},
      {"imageView-06028", [](Case& it) { it.color_format = VK_FORMAT_R8G8B8A8_SRGB; }},
      {"imageView-07606", [](Case& it) { it.has_color = false; }},
      {"pDepthAttachment-06029", [](Case& it) { it.rendering.depthAttachmentFormat = VK_FORMAT_UNDEFINED; }},
      {"pDepthAttachment-06774", [](Case& it) { it.has_depth = false; }},
      {"pStencilAttachment-06030", [](Case& it) { it.rendering.stencilAttachmentFormat = VK_FORMAT_UNDEFINED; }},
      {"pStencilAttachment-06775", [](Case& it) { it.has_stencil = false; }},
      {"pNext-06035", [](Case& it) { it.rendering.rasterizationSamples = kFour; }},
      {"pNext-06036", [&](Case& it) { depth_only(it), it.rendering.rasterizationSamples = kFour; }},
      {"pNext-06037", [&](Case& it) { stencil_only(it), it.rendering.rasterizationSamples = kFour; }},
      {"pNext-06032", [&](Case& it) { own_samples(it, kFour, kOne); }},
      {"pNext-06033", [&](Case& it) { own_samples(it, kOne, kFour); }},
      {"pNext-06034", [&](Case& it) { stencil_only(it), own_samples(it, kOne, kFour); }},
  });
}

TEST_F(Secondaries, RenderPasses) {
  const VkRenderPass other = MakePass(VK_FORMAT_R8G8B8A8_SRGB);
  const VkFramebuffer framebuffer = MakeFramebuffer(pass_, {color_}, 64, 64);
  const auto inline_contents = [](Case& it) { it.contents = VK_SUBPASS_CONTENTS_INLINE; };
  RunRows({
      {"contents-09680", inline_contents, kRenderPass},
      {"None-09681", [&](Case& it) { inline_contents(it), it.is_in_second_subpass = true, it.info.subpass = 1; },
       kRenderPass},
      {"pCommandBuffers-06019", [](Case& it) { it.info.subpass = 1; }, kRenderPass},
      {"pBeginInfo-06020", [&](Case& it) { it.info.renderPass = other; }, kRenderPass},
      {"pCommandBuffers-00099", [&](Case& it) { it.info.framebuffer = framebuffer; }, kRenderPass},
      {"pCommandBuffers-00100", [&](Case& it) { it.usage = kContinue, it.info.renderPass = pass_; }, kNone},
  });
}

TEST_F(Secondaries, CommandBuffers) {
  const VkQueryPool occlusion = MakeQueryPool(VK_QUERY_TYPE_OCCLUSION, 1);
  const VkQueryPool statistics =
      MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT);
  RunRows({
      {"pCommandBuffers-00093", [](Case& it) { it.executions = 2; }, kNone},
      {"pCommandBuffers-00094", [](Case& it) { it.family = 1; }, kNone},
      {"commandBuffer-00102", [&](Case& it) { it.query = occlusion; }, kNone},
      {"commandBuffer-00104", [&](Case& it) { it.query = statistics; }, kNone},
  });
  Case none = Base(kNone), primary_of = none;
  primary_of.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  Execute("pCommandBuffers-00088", none, RecordSecondary(primary_of));
  const VkCommandBuffer secondary = RecordSecondary(none);
  Record([&](VkCommandBuffer c) {
    vk.CmdExecuteCommands(c, 1, &secondary);
    ExpectNothing();
    vk.CmdExecuteCommands(c, 1, &secondary);
    ExpectMessage("VUID-vkCmdExecuteCommands-pCommandBuffers-00092");
  });
  driver().config().hold_work = true;
  Submit(Queue(), {Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); })});
  ExpectNothing();
  Execute("pCommandBuffers-00091", none, secondary);
  driver().CompleteWork();
  vk.DeviceWaitIdle(device);
}

TEST_F(Secondaries, Mappings) {
  const uint32_t other = 1;
  const auto locations = Of<VkRenderingAttachmentLocationInfo>(1, &other);
  const auto indices = Of<VkRenderingInputAttachmentIndexInfo>(1, &other);
  RunRows({
      {"pCommandBuffers-09504", [&](Case& it) { it.rendering.pNext = &locations; }},
      {"pCommandBuffers-09505", [&](Case& it) { it.rendering.pNext = &indices; }},
  });
}

TEST_F(Secondaries, TransformFeedback) {
  const Case of = Base(kDynamic);
  const VkCommandBuffer secondary = RecordSecondary(of);
  const VkPipeline pipeline = MakeGraphicsPipeline(MakePipelineLayout({}));
  Record([&](VkCommandBuffer c) {
    vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    BeginRendering(c, of);
    vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
    ExpectNothing();
    vk.CmdExecuteCommands(c, 1, &secondary);
    ExpectMessage("VUID-vkCmdExecuteCommands-None-02286");
    vk.CmdEndTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
    vk.CmdEndRendering(c);
  });
}

TEST_F(Secondaries, ProtectedCommandBuffers) {
  constexpr auto kProtected = VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
  ChangeProperties<VkPhysicalDeviceProtectedMemoryProperties>([](auto& it) { it.protectedNoFault = VK_FALSE; });
  Start({});
  RunRows({{"commandBuffer-01821", [](Case& it) { it.pool_flags = kProtected; }, kNone}});
  const VkCommandBuffer secondary = RecordSecondary(Base(kNone));
  const VkCommandBuffer primary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_PRIMARY, kProtected);
  Begin(primary);
  vk.CmdExecuteCommands(primary, 1, &secondary);
  ExpectMessage("VUID-vkCmdExecuteCommands-commandBuffer-01820");
  End(primary);
}

TEST_F(Secondaries, Nested) {
  // A secondary that executes another.
  const auto execute = [&](std::string_view rule, const Case& outer, const Case& inner) {
    const VkCommandBuffer executed = RecordSecondary(inner);
    const VkCommandBuffer commands = MakeOf(outer);
    BeginSecondary(commands, outer);
    ExpectNothing();
    vk.CmdExecuteCommands(commands, 1, &executed);
    ExpectAlone("vkCmdExecuteCommands", rule);
    vk.EndCommandBuffer(commands);
  };
  Case simultaneous = Base(kNone);
  simultaneous.usage = kSimultaneous;
  execute("", Base(kNone), simultaneous);
  execute("", Base(kDynamic), Base(kDynamic));
  ChangeProperties<VkPhysicalDeviceNestedCommandBufferPropertiesEXT>(
      [](auto& it) { it.maxCommandBufferNestingLevel = 0; });
  Start({});
  execute("nestedCommandBuffer-09376", Base(kNone), Base(kNone));
  driver().config().adjust_properties = nullptr;
  Start({"nestedCommandBufferRendering", "nestedCommandBufferSimultaneousUse"});
  execute("nestedCommandBufferRendering-09377", Base(kDynamic), Base(kDynamic));
  execute("nestedCommandBufferSimultaneousUse-09378", Base(kNone), simultaneous);
  Start({"nestedCommandBuffer", "nestedCommandBufferRendering", "nestedCommandBufferSimultaneousUse"});
  execute("commandBuffer-09375", Base(kNone), Base(kNone));
}

}  // namespace
}  // namespace assay::core
