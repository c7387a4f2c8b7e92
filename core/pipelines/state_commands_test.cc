// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Structures of states that commands set, through the whole layer; and a device without graphics.

#include "testing/features/extension_features.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

class StateCommandsTest : public test::ValidationTest {
 protected:
  void SetUp() override {}
  // A device with extensions and all of their features but one.
  void Start(std::vector<const char*> extensions, const std::set<std::string>& without = {}) {
    driver().config().disabled_features = without;
    driver().config().disabled_extensions.clear();
    Start(features_.EnableOnly(std::move(extensions), without));
  }
  void Start(const test::DeviceOptions& options) {
    Create(options);
    commands_ = MakeCommandBuffer();
    Begin(commands_);
  }
  void TearDown() override {
    End(commands_);
    ValidationTest::TearDown();
  }
  // What a command must report: the rule, or nothing.
  void Expect(const std::string& rule) {
    SCOPED_TRACE(rule);
    ExpectMessages(rule.empty() ? std::vector<std::string>() : std::vector{"VUID-" + rule});
  }

  VkCommandBuffer commands_ = VK_NULL_HANDLE;

 private:
  test::ExtensionFeatures features_;
};

TEST_F(StateCommandsTest, AdvancedBlending) {
  ChangeProperties<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>([](auto& limits) {
    limits.advancedBlendNonPremultipliedSrcColor = limits.advancedBlendNonPremultipliedDstColor =
        limits.advancedBlendCorrelatedOverlap = VK_FALSE;
  });
  Start({"VK_EXT_extended_dynamic_state3", "VK_EXT_blend_operation_advanced"});
  constexpr VkBlendOverlapEXT kUncorrelated = VK_BLEND_OVERLAP_UNCORRELATED_EXT;
  const auto set = [&](const char* rule, VkBool32 source, VkBool32 destination, VkBlendOverlapEXT overlap) {
    const VkColorBlendAdvancedEXT blend = {VK_BLEND_OP_MULTIPLY_EXT, source, destination, overlap, VK_FALSE};
    vk.CmdSetColorBlendAdvancedEXT(commands_, 0, 1, &blend);
    Expect(rule);
  };
  set("", VK_TRUE, VK_TRUE, kUncorrelated);
  set("VkColorBlendAdvancedEXT-srcPremultiplied-07505", VK_FALSE, VK_TRUE, kUncorrelated);
  set("VkColorBlendAdvancedEXT-dstPremultiplied-07506", VK_TRUE, VK_FALSE, kUncorrelated);
  set("VkColorBlendAdvancedEXT-blendOverlap-07507", VK_TRUE, VK_TRUE, VK_BLEND_OVERLAP_DISJOINT_EXT);
}

TEST_F(StateCommandsTest, Blending) {
  Start({"VK_EXT_extended_dynamic_state3", "VK_EXT_blend_operation_advanced", "VK_KHR_portability_subset"},
        {"constantAlphaColorBlendFactors"});
  constexpr VkBlendFactor kOne = VK_BLEND_FACTOR_ONE;
  constexpr VkBlendFactor kAlpha = VK_BLEND_FACTOR_CONSTANT_ALPHA;
  const auto set = [&](const char* rule, VkBlendFactor source, VkBlendFactor destination, VkBlendOp of_alpha) {
    const VkColorBlendEquationEXT blend = {source, destination, VK_BLEND_OP_ADD, kAlpha, kOne, of_alpha};
    vk.CmdSetColorBlendEquationEXT(commands_, 0, 1, &blend);
    Expect(rule);
  };
  set("", kOne, kOne, VK_BLEND_OP_ADD);
  set("VkColorBlendEquationEXT-colorBlendOp-07361", kOne, kOne, VK_BLEND_OP_MULTIPLY_EXT);
  set("VkColorBlendEquationEXT-constantAlphaColorBlendFactors-07362", VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA, kOne,
      VK_BLEND_OP_ADD);
  set("VkColorBlendEquationEXT-constantAlphaColorBlendFactors-07363", kOne, kAlpha, VK_BLEND_OP_ADD);
}

TEST_F(StateCommandsTest, DepthBias) {
  Start({"VK_EXT_depth_bias_control"}, {"depthBiasClamp"});
  VkDepthBiasInfoEXT bias = {VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT, nullptr, 1, 0, 1};
  vk.CmdSetDepthBias2EXT(commands_, &bias);
  ExpectNothing();
  bias.depthBiasClamp = 1;
  vk.CmdSetDepthBias2EXT(commands_, &bias);
  ExpectMessage("VUID-VkDepthBiasInfoEXT-depthBiasClamp-08950");
}

TEST_F(StateCommandsTest, NegativeViewport) {
  driver().config().api_version = VK_API_VERSION_1_0;
  Start({.api_version = VK_API_VERSION_1_0, .core_features = false});
  const VkViewport viewport = {0, 64, 64, -64, 0, 1};
  vk.CmdSetViewport(commands_, 0, 1, &viewport);
  ExpectMessage("VUID-VkViewport-apiVersion-07917");
}

TEST_F(StateCommandsTest, VertexInput) {
  Start({"VK_EXT_vertex_input_dynamic_state", "VK_EXT_vertex_attribute_divisor", "VK_KHR_portability_subset"},
        {"vertexAttributeAccessBeyondStride"});
  auto binding = test::Typed(
      VkVertexInputBindingDescription2EXT{.stride = 16, .inputRate = VK_VERTEX_INPUT_RATE_INSTANCE, .divisor = 2});
  auto attribute = test::Typed(VkVertexInputAttributeDescription2EXT{.format = VK_FORMAT_R32G32B32A32_SFLOAT});
  const auto set = [&](const char* rule) {
    vk.CmdSetVertexInputEXT(commands_, 1, &binding, 1, &attribute);
    Expect(rule);
  };
  set("");
  vk.CmdSetVertexInputEXT(commands_, 0, nullptr, 0, nullptr);
  ExpectNothing();
  binding.inputRate = VK_VERTEX_INPUT_RATE_VERTEX;
  set("VkVertexInputBindingDescription2EXT-divisor-06227");
  binding.divisor = 1;
  set("");
  attribute.offset = 4;
  set("VkVertexInputAttributeDescription2EXT-vertexAttributeAccessBeyondStride-04806");
  attribute = {.sType = attribute.sType, .format = VK_FORMAT_BC1_RGB_UNORM_BLOCK};
  for (int i = 0; i < 2; ++i) set("VkVertexInputAttributeDescription2EXT-format-04805");
}

TEST_F(StateCommandsTest, VertexInputPastTheStride) {
  Start({"VK_EXT_vertex_input_dynamic_state"});
  const auto binding = test::Of<VkVertexInputBindingDescription2EXT>(0, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1);
  const auto attribute = test::Of<VkVertexInputAttributeDescription2EXT>(0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 4);
  vk.CmdSetVertexInputEXT(commands_, 1, &binding, 1, &attribute);
  ExpectNothing();
}

constexpr auto k2x2 = VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X2_PIXELS_NV;

TEST_F(StateCommandsTest, SampleOrders) {
  ChangeProperties<VkPhysicalDeviceShadingRateImagePropertiesNV>(
      [](auto& limits) { limits.shadingRateMaxCoarseSamples = 4; });
  Start({"VK_NV_shading_rate_image"});
  const auto set = [&](const char* rule, const std::vector<VkCoarseSampleLocationNV>& at, uint32_t samples = 1,
                       VkShadingRatePaletteEntryNV rate = k2x2) {
    const VkCoarseSampleOrderCustomNV order = {rate, samples, static_cast<uint32_t>(at.size()), at.data()};
    vk.CmdSetCoarseSampleOrderNV(commands_, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 1, &order);
    if (rule != nullptr) Expect(rule);
  };
  set("", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}});
  set("VkCoarseSampleOrderCustomNV-shadingRate-02073", {{0, 0, 0}}, 1,
      VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_PIXEL_NV);
  set("VkCoarseSampleOrderCustomNV-sampleLocationCount-02075", {{0, 0, 0}}, 1,
      VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X1_PIXELS_NV);
  set("VkCoarseSampleOrderCustomNV-sampleLocationCount-02076",
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}, 2);
  // The first location twice.
  set("VkCoarseSampleOrderCustomNV-pSampleLocations-02077", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}});
  set("VkCoarseSampleLocationNV-pixelX-02078", {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}});
  set("VkCoarseSampleLocationNV-pixelY-02079", {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 1, 0}});
  set("VkCoarseSampleLocationNV-sample-02080", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}});
  set(nullptr, {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}}, 3,
      VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_1X2_PIXELS_NV);
  ExpectMessages({"VUID-VkCoarseSampleOrderCustomNV-sampleCount-02074",
                  "VUID-VkCoarseSampleOrderCustomNV-sampleLocationCount-02076"});
}

TEST_F(StateCommandsTest, NoGraphicsQueue) {
  for (VkQueueFamilyProperties& family : driver().config().queue_families) family.queueFlags &= ~VK_QUEUE_GRAPHICS_BIT;
  Start({"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"});
  const auto info = test::Typed(VkGraphicsPipelineCreateInfo{.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR});
  VkPipeline pipeline = VK_NULL_HANDLE;
  const SkipCalls skip(*this);
  vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  ExpectMessage("VUID-vkCreateGraphicsPipelines-device-09662");
}

}  // namespace
}  // namespace assay::core
