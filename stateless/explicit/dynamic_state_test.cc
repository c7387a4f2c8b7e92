// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A graphics pipeline whose static values all break a rule, and dynamic state that replaces them.

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::stateless {
namespace {

struct Replacement {
  VkDynamicState state;
  std::string id;
};

const std::vector<Replacement>& Replacements() {
  static const auto* const all = new std::vector<Replacement>{
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
  return *all;
}

class ReplacedValues : public test::ValidationTest {
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
    vertex = MakeShader(test::VertexShader(1));
    fragment = MakeShader(test::FragmentShader(1));
    layout = MakePipelineLayout({});
  }

  void MakePipeline(const std::vector<VkDynamicState>& states) {
    VkPipelineShaderStageCreateInfo stages[2] = {};
    for (uint32_t i : {0, 1}) {
      stages[i] = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT,
                   .module = i == 0 ? vertex : fragment,
                   .pName = "main"};
    }
    const VkVertexInputBindingDescription binding = {0, 4096, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = 1,
        .pVertexAttributeDescriptions = &attribute};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .primitiveRestartEnable = VK_TRUE};
    const VkViewport area = {0, 0, 16, 16, 0, 1};
    const VkRect2D scissor = {{0, 0}, {16, 16}};
    const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                        .viewportCount = 1,
                                                        .pViewports = &area,
                                                        .scissorCount = 1,
                                                        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .depthClampEnable = VK_TRUE,
        .polygonMode = VK_POLYGON_MODE_LINE,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
        .alphaToOneEnable = VK_TRUE};
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .depthBoundsTestEnable = VK_TRUE};
    const VkPipelineColorBlendAttachmentState attachment = {.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR,
                                                            .colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .logicOpEnable = VK_TRUE,
        .attachmentCount = 1,
        .pAttachments = &attachment};
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = static_cast<uint32_t>(states.size()),
                                                      .pDynamicStates = states.data()};
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &format,
                                                     .depthAttachmentFormat = VK_FORMAT_D32_SFLOAT};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &rasterization,
                                               .pMultisampleState = &multisample,
                                               .pDepthStencilState = &depth,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic,
                                               .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    ASSERT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  // The ids of all values but that which the state replaces.
  static std::vector<std::string> IdsWithout(VkDynamicState state) {
    std::vector<std::string> ids;
    for (const Replacement& each : Replacements()) {
      if (each.state != state) ids.push_back(each.id);
    }
    return ids;
  }

  VkShaderModule vertex = VK_NULL_HANDLE;
  VkShaderModule fragment = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
};

// The mistake.
TEST_F(ReplacedValues, WithoutDynamicState) {
  MakePipeline({VK_DYNAMIC_STATE_LINE_WIDTH});
  ExpectMessages(IdsWithout(VK_DYNAMIC_STATE_LINE_WIDTH));
}

// The correct program.
TEST_F(ReplacedValues, WithAllOfThemDynamic) {
  std::vector<VkDynamicState> states;
  for (const Replacement& each : Replacements()) states.push_back(each.state);
  MakePipeline(states);
}

TEST_F(ReplacedValues, EachStateReplacesItsOwnValueAlone) {
  for (const Replacement& each : Replacements()) {
    MakePipeline({each.state});
    ExpectMessages(IdsWithout(each.state));
  }
}

}  // namespace
}  // namespace assay::stateless
