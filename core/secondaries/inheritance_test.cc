// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Where command buffers begin and end, through the whole layer.

#include "core/secondaries/secondary_test.h"

namespace assay::core {
namespace {

TEST_F(Secondaries, Begins) {
  const VkFramebuffer incompatible = MakeFramebuffer(
      MakePass(VK_FORMAT_R8G8B8A8_SRGB),
      {MakeView(MakeImage(VK_FORMAT_R8G8B8A8_SRGB, 64, 64, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT))}, 64, 64);
  const VkViewport depths = {0, 0, 1, 1, 0, 1};
  const auto viewports = Of<VkCommandBufferInheritanceViewportScissorInfoNV>(VK_TRUE, 1, &depths);
  constexpr auto kUnknownBit = VkFlags{1} << 30;
  ExpectBegins({
      {"VkCommandBufferBeginInfo-flags-06001", [](Case& it) { it.info.subpass = 2; }, kRenderPass},
      {"VkCommandBufferBeginInfo-flags-00055", [=](Case& it) { it.info.framebuffer = incompatible; }, kRenderPass},
      {"VkCommandBufferBeginInfo-flags-06002", [](Case& it) { it.has_rendering_info = false; }},
      {"VkCommandBufferBeginInfo-flags-06003",
       [](Case& it) { it.own_samples = Of<VkAttachmentSampleCountInfoAMD>(0, nullptr, VK_SAMPLE_COUNT_1_BIT); }},
      {"VkCommandBufferInheritanceRenderingInfo-colorAttachmentCount-06004",
       [](Case& it) { it.rendering.rasterizationSamples = {}; }},
      {"VkCommandBufferInheritanceInfo-queryFlags-00057", [](Case& it) { it.info.queryFlags = kUnknownBit; }},
      {"VkCommandBufferInheritanceInfo-pipelineStatistics-02789",
       [](Case& it) { it.info.pipelineStatistics = kUnknownBit; }},
      {"vkBeginCommandBuffer-commandBuffer-00052", [](Case& it) { it.info.queryFlags = VK_QUERY_CONTROL_PRECISE_BIT; }},
      {"VkCommandBufferInheritanceViewportScissorInfoNV-viewportScissor2D-04786",
       [&](Case& it) { it.info.pNext = &viewports; }, kNone},
      {"VkCommandBufferBeginInfo-flags-09123", [](Case& it) { it.family = 1; }},
  });
}

TEST_F(Secondaries, InheritedFormats) {
  const auto formats = [](VkFormat depth, VkFormat stencil) {
    return [=](Case& it) {
      it.rendering.depthAttachmentFormat = depth;
      it.rendering.stencilAttachmentFormat = stencil;
    };
  };
  ChangeProperties<VkPhysicalDeviceMultiviewProperties>([](auto& it) { it.maxMultiviewViewCount = 31; });
  Start({"variableMultisampleRate"});
  ExpectBegins({{"variableMultisampleRate-06005", [](Case& it) { it.rendering.rasterizationSamples = {}; }},
                {"pColorAttachmentFormats-06492", [](Case& it) { it.color_format = kUnsupportedColor; }},
                {"depthAttachmentFormat-06540", formats(kColor, VK_FORMAT_UNDEFINED)},
                {"depthAttachmentFormat-06007", formats(kUnsupported, VK_FORMAT_UNDEFINED)},
                {"stencilAttachmentFormat-06541", formats(VK_FORMAT_UNDEFINED, kColor)},
                {"stencilAttachmentFormat-06199", formats(VK_FORMAT_UNDEFINED, kUnsupported)},
                {"depthAttachmentFormat-06200", formats(VK_FORMAT_D32_SFLOAT_S8_UINT, kDepth)},
                {"viewMask-06009", [](Case& it) { it.rendering.viewMask = 1u << 31; }}},
               "VkCommandBufferInheritanceRenderingInfo-");
}

TEST_F(Secondaries, PrimaryBeginsAndEnds) {
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT | kSimultaneous);
  ExpectMessage("VUID-vkBeginCommandBuffer-commandBuffer-02840");
  BeginRendering(commands, Base(kDynamic));
  ExpectNothing();
  vk.EndCommandBuffer(commands);
  ExpectMessage("VUID-vkEndCommandBuffer-commandBuffer-00060");
  Case of = Base(kNone);
  of.pool_flags = 0;
  const VkCommandBuffer once = RecordSecondary(of);
  ExpectNothing();
  BeginSecondary(once, of);
  ExpectMessage("VUID-vkBeginCommandBuffer-commandBuffer-00050");
  vk.EndCommandBuffer(once);
  const VkCommandBuffer secondary = MakeCommandBuffer(0, kSecondary);
  const auto info = Typed(VkCommandBufferBeginInfo());
  vk.BeginCommandBuffer(secondary, &info);
  ExpectMessage("VUID-vkBeginCommandBuffer-commandBuffer-00051");
  End(secondary);
}

TEST_F(Secondaries, Ends) {
  const test::Buffer predicate = MakeBuffer(64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
  const auto begin = Of<VkConditionalRenderingBeginInfoEXT>(predicate.handle);
  Record([&](VkCommandBuffer c) {
    vk.CmdBeginConditionalRenderingEXT(c, &begin);
    ExpectNothing();
  });
  ExpectMessage("VUID-vkEndCommandBuffer-None-01978");

  const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "pass"};
  for (const bool is_open : {false, true}) {
    const auto commands = [&](VkCommandBuffer c) {
      vk.CmdBeginDebugUtilsLabelEXT(c, &label);
      if (!is_open) vk.CmdEndDebugUtilsLabelEXT(c);
    };
    Record(commands, 0, kSecondary);
    ExpectAlone(is_open ? "VUID-vkEndCommandBuffer-commandBuffer-01815" : "");
  }
}

TEST_F(Secondaries, Pools) {
  vk.ResetCommandBuffer(MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 0), 0);
  ExpectMessage("VUID-vkResetCommandBuffer-commandBuffer-00046");
  vk.ResetCommandBuffer(MakeCommandBuffer(), 0);
  ExpectNothing();
  const SkipCalls skip(*this);
  CreateOnce(vk.CreateCommandPool, vk.DestroyCommandPool, {.queueFamilyIndex = 3});
  ExpectMessage("VUID-vkCreateCommandPool-queueFamilyIndex-01937");
}

}  // namespace
}  // namespace assay::core
