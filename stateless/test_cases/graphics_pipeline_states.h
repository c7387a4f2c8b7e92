// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_GRAPHICS_PIPELINE_STATES_H_
#define ASSAY_STATELESS_TEST_CASES_GRAPHICS_PIPELINE_STATES_H_

#include <cstdint>
#include <vector>

#include "testing/shaders.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::stateless {

using test::Of, test::Typed;

// Test-only: a graphics pipeline without a render pass, whose states tests change.
struct GraphicsPipelineStates {
  // The device makes shaders, of which the first has so many attributes, and a layout.
  GraphicsPipelineStates(test::TestDevice& made_on, uint32_t attributes) : device(made_on) {
    stages[0].module = device.MakeShader(test::VertexShader(attributes));
    stages[1].module = device.MakeShader(test::FragmentShader(1));
    create.layout = device.MakePipelineLayout({});
  }
  GraphicsPipelineStates(const GraphicsPipelineStates&) = delete;
  GraphicsPipelineStates& operator=(const GraphicsPipelineStates&) = delete;

  // Makes and destroys the pipeline.
  VkResult Create() {
    rendering.colorAttachmentCount = static_cast<uint32_t>(formats.size());
    rendering.pColorAttachmentFormats = formats.data();
    dynamic.dynamicStateCount = static_cast<uint32_t>(states.size());
    dynamic.pDynamicStates = states.data();
    VkPipeline made = VK_NULL_HANDLE;
    const VkResult result =
        device.vk.CreateGraphicsPipelines(device.device, VK_NULL_HANDLE, 1, &create, nullptr, &made);
    device.vk.DestroyPipeline(device.device, made, nullptr);
    return result;
  }

  test::TestDevice& device;
  VkPipelineShaderStageCreateInfo stages[2] = {
      Typed(VkPipelineShaderStageCreateInfo{.stage = VK_SHADER_STAGE_VERTEX_BIT, .pName = "main"}),
      Typed(VkPipelineShaderStageCreateInfo{.stage = VK_SHADER_STAGE_FRAGMENT_BIT, .pName = "main"})};
  VkPipelineVertexInputStateCreateInfo input = Of<VkPipelineVertexInputStateCreateInfo>();
  VkPipelineInputAssemblyStateCreateInfo assembly =
      Typed(VkPipelineInputAssemblyStateCreateInfo{.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST});
  VkPipelineViewportStateCreateInfo viewport =
      Typed(VkPipelineViewportStateCreateInfo{.viewportCount = 1, .scissorCount = 1});
  VkPipelineRasterizationStateCreateInfo rasterization = Typed(VkPipelineRasterizationStateCreateInfo{.lineWidth = 1});
  VkPipelineMultisampleStateCreateInfo multisample =
      Typed(VkPipelineMultisampleStateCreateInfo{.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT});
  VkPipelineDepthStencilStateCreateInfo depth = Of<VkPipelineDepthStencilStateCreateInfo>();
  VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
  VkPipelineColorBlendStateCreateInfo blend =
      Typed(VkPipelineColorBlendStateCreateInfo{.attachmentCount = 1, .pAttachments = &attachment});
  std::vector<VkDynamicState> states = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic = Of<VkPipelineDynamicStateCreateInfo>();
  std::vector<VkFormat> formats = {VK_FORMAT_R8G8B8A8_UNORM};
  VkPipelineRenderingCreateInfo rendering = Of<VkPipelineRenderingCreateInfo>();
  VkGraphicsPipelineCreateInfo create = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
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
                                         .pDynamicState = &dynamic};
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_GRAPHICS_PIPELINE_STATES_H_
