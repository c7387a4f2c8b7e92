// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_GRAPHICS_PIPELINE_STATES_H_
#define ASSAY_STATELESS_TEST_CASES_GRAPHICS_PIPELINE_STATES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "testing/functions.h"
#include "vk/vulkan.h"

namespace assay::stateless {

// Test-only: a graphics pipeline without a render pass, whose states tests change. It lacks the shader modules and the
// layout.
class GraphicsPipelineStates {
 protected:
  // Makes and destroys the pipeline.
  VkResult CreatePipeline(const test::Functions& vk, VkDevice device) {
    rendering_.colorAttachmentCount = static_cast<uint32_t>(formats_.size());
    rendering_.pColorAttachmentFormats = formats_.data();
    dynamic_.dynamicStateCount = static_cast<uint32_t>(states_.size());
    dynamic_.pDynamicStates = states_.data();
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &create_, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
    return result;
  }

  std::array<VkPipelineShaderStageCreateInfo, 2> stages_ = {
      {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .pName = "main"},
       {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .pName = "main"}}};
  VkPipelineVertexInputStateCreateInfo input_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  VkPipelineViewportStateCreateInfo viewport_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  VkPipelineRasterizationStateCreateInfo rasterization_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  VkPipelineMultisampleStateCreateInfo multisample_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
  VkPipelineDepthStencilStateCreateInfo depth_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendAttachmentState attachment_ = {.colorWriteMask = 0xf};
  VkPipelineColorBlendStateCreateInfo blend_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                .attachmentCount = 1,
                                                .pAttachments = &attachment_};
  std::vector<VkDynamicState> states_ = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  std::vector<VkFormat> formats_ = {VK_FORMAT_R8G8B8A8_UNORM};
  VkPipelineRenderingCreateInfo rendering_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkGraphicsPipelineCreateInfo create_ = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .pNext = &rendering_,
                                          .stageCount = 2,
                                          .pStages = stages_.data(),
                                          .pVertexInputState = &input_,
                                          .pInputAssemblyState = &assembly_,
                                          .pViewportState = &viewport_,
                                          .pRasterizationState = &rasterization_,
                                          .pMultisampleState = &multisample_,
                                          .pDepthStencilState = &depth_,
                                          .pColorBlendState = &blend_,
                                          .pDynamicState = &dynamic_};
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_GRAPHICS_PIPELINE_STATES_H_
