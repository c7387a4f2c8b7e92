// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A graphics pipeline whose static values all break a rule, and dynamic state that replaces them.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/test_cases/graphics_pipeline_states.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::stateless {
namespace {

struct Replacement {
  VkDynamicState state;
  const char* id;
};

constexpr Replacement kReplacements[] = {
    {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, "VUID-VkVertexInputBindingDescription-stride-00619"},
    {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, "VUID-VkPipelineInputAssemblyStateCreateInfo-topology-06252"},
    {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, "VUID-VkPipelineRasterizationStateCreateInfo-depthClampEnable-00782"},
    {VK_DYNAMIC_STATE_POLYGON_MODE_EXT, "VUID-VkPipelineRasterizationStateCreateInfo-polygonMode-01507"},
    {VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, "VUID-VkPipelineMultisampleStateCreateInfo-alphaToOneEnable-00785"},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
     "VUID-VkPipelineDepthStencilStateCreateInfo-depthBoundsTestEnable-00598"},
    {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, "VUID-VkPipelineColorBlendStateCreateInfo-logicOpEnable-00606"},
    {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, "VUID-VkPipelineColorBlendAttachmentState-srcColorBlendFactor-00608"},
};

class ReplacedValues : public test::ValidationTest, protected GraphicsPipelineStates {
 protected:
  // No features but those of dynamic state and dynamic rendering.
  void SetUp() override {
    driver().config().limits.maxVertexInputBindingStride = 2048;
    CreateInstance(
        {.api_version = VK_API_VERSION_1_3, .settings = {{"fold_messages", false}, {"enable_message_limit", false}}});
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 query = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &dynamic, {}};
    vk.GetPhysicalDeviceFeatures2(physical_device, &query);
    VkPhysicalDeviceVulkan13Features rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &dynamic, .dynamicRendering = VK_TRUE};
    CreateDevice({.api_version = VK_API_VERSION_1_3,
                  .device_extensions = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME},
                  .core_features = false,
                  .features = &rendering});
    stages_[0].module = MakeShader(test::VertexShader(1));
    stages_[1].module = MakeShader(test::FragmentShader(1));
    create_.layout = MakePipelineLayout({});
    input_.vertexBindingDescriptionCount = input_.vertexAttributeDescriptionCount = 1;
    input_.pVertexBindingDescriptions = &binding;
    input_.pVertexAttributeDescriptions = &attribute;
    viewport_.pViewports = &area;
    viewport_.pScissors = &scissor;
    multisample_.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    rendering_.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
    // The mistakes, besides the stride of the binding.
    assembly_.primitiveRestartEnable = VK_TRUE;
    rasterization_.depthClampEnable = VK_TRUE;
    rasterization_.polygonMode = VK_POLYGON_MODE_LINE;
    multisample_.alphaToOneEnable = VK_TRUE;
    depth_.depthBoundsTestEnable = VK_TRUE;
    attachment_.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
    blend_.logicOpEnable = VK_TRUE;
  }

  void MakePipeline(const std::vector<VkDynamicState>& states) {
    states_ = states;
    ASSERT_EQ(CreatePipeline(vk, device), VK_SUCCESS);
  }
  // The ids of all values but that which the state replaces.
  static std::vector<std::string> IdsWithout(VkDynamicState state) {
    std::vector<std::string> ids;
    for (const Replacement& each : kReplacements) {
      if (each.state != state) ids.push_back(each.id);
    }
    return ids;
  }

  const VkVertexInputBindingDescription binding = {0, 4096, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
  const VkViewport area = {0, 0, 16, 16, 0, 1};
  const VkRect2D scissor = {{0, 0}, {16, 16}};
};

// The mistake.
TEST_F(ReplacedValues, WithoutDynamicState) {
  MakePipeline({VK_DYNAMIC_STATE_LINE_WIDTH});
  ExpectMessages(IdsWithout(VK_DYNAMIC_STATE_LINE_WIDTH));
}

// The correct program.
TEST_F(ReplacedValues, WithAllOfThemDynamic) {
  std::vector<VkDynamicState> states;
  for (const Replacement& each : kReplacements) states.push_back(each.state);
  MakePipeline(states);
}

TEST_F(ReplacedValues, EachStateReplacesItsOwnValueAlone) {
  for (const Replacement& each : kReplacements) {
    MakePipeline({each.state});
    ExpectMessages(IdsWithout(each.state));
  }
}

}  // namespace
}  // namespace assay::stateless
