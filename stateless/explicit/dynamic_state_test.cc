// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A graphics pipeline whose static values all break a rule, and dynamic state that replaces them.

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/test_cases/graphics_pipeline_states.h"
#include "testing/fixture.h"

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

class ReplacedValues : public test::ValidationTest {
 protected:
  // No features but those of dynamic state and dynamic rendering.
  void SetUp() override {
    driver().config().limits.maxVertexInputBindingStride = 2048;
    CreateInstance(
        {.api_version = VK_API_VERSION_1_3, .settings = {{"fold_messages", false}, {"enable_message_limit", false}}});
    auto dynamic = Of<VkPhysicalDeviceExtendedDynamicState3FeaturesEXT>();
    VkPhysicalDeviceFeatures2 query = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &dynamic, {}};
    vk.GetPhysicalDeviceFeatures2(physical_device, &query);
    auto rendering = Typed(VkPhysicalDeviceVulkan13Features{.pNext = &dynamic, .dynamicRendering = VK_TRUE});
    CreateDevice({.api_version = VK_API_VERSION_1_3,
                  .device_extensions = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME},
                  .core_features = false,
                  .features = &rendering});
  }
  // Expects the ids of all values but those which the states replace.
  void TryPipeline(const std::vector<VkDynamicState>& states) {
    SCOPED_TRACE(states[0]);
    GraphicsPipelineStates pipeline(*this, 1);
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    const VkViewport area = {0, 0, 16, 16, 0, 1};
    const VkRect2D scissor = {{0, 0}, {16, 16}};
    pipeline.viewport.pViewports = &area;
    pipeline.viewport.pScissors = &scissor;
    pipeline.multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    pipeline.rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
    // The mistakes. The first is the stride.
    const VkVertexInputBindingDescription binding = {0, 4096, VK_VERTEX_INPUT_RATE_VERTEX};
    pipeline.input = Of<VkPipelineVertexInputStateCreateInfo>(0, 1, &binding, 1, &attribute);
    pipeline.assembly.primitiveRestartEnable = VK_TRUE;
    pipeline.rasterization.depthClampEnable = VK_TRUE;
    pipeline.rasterization.polygonMode = VK_POLYGON_MODE_LINE;
    pipeline.multisample.alphaToOneEnable = VK_TRUE;
    pipeline.depth.depthBoundsTestEnable = VK_TRUE;
    pipeline.attachment.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
    pipeline.blend.logicOpEnable = VK_TRUE;
    pipeline.states = states;
    ASSERT_EQ(pipeline.Create(), VK_SUCCESS);
    std::vector<std::string> ids;
    for (const Replacement& each : kReplacements) {
      if (std::ranges::find(states, each.state) == states.end()) ids.push_back(each.id);
    }
    ExpectMessages(ids);
  }
};

TEST_F(ReplacedValues, EachStateReplacesItsOwnValueAlone) {
  // The mistake: this replaces none.
  TryPipeline({VK_DYNAMIC_STATE_LINE_WIDTH});
  std::vector<VkDynamicState> all;
  for (const Replacement& each : kReplacements) {
    TryPipeline({each.state});
    all.push_back(each.state);
  }
  // The correct program.
  TryPipeline(all);
}

}  // namespace
}  // namespace assay::stateless
