// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The pipelines of commands, and dynamic rendering.

#include <utility>
#include <vector>

#include "syncval/command_matrix/command_matrix.h"

namespace assay::syncval::command_matrix {
namespace {

VkShaderStageFlags StagesOf(const std::vector<std::pair<VkShaderStageFlagBits, std::vector<uint32_t>>>& shaders) {
  VkShaderStageFlags stages = 0;
  for (const auto& [stage, words] : shaders) stages |= stage;
  return stages;
}

}  // namespace

VkPipeline CommandMatrix::MakePipeline(PipelineOptions options) {
  const VkShaderStageFlags given = StagesOf(options.shaders);
  const auto add = [&](VkShaderStageFlagBits stage) {
    if ((given & stage) == 0) options.shaders.emplace_back(stage, EmptyShader(stage));
  };
  const VkShaderStageFlags tessellation =
      VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
  const bool is_mesh = (given & (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)) != 0;
  add(is_mesh ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT);
  if ((given & tessellation) != 0) {
    add(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
    add(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
  }
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  stages.reserve(options.shaders.size());
  for (const auto& [stage, words] : options.shaders) {
    stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = stage,
                      .module = MakeShader(words),
                      .pName = "main"});
  }
  const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
  const uint32_t inputs = options.has_vertices ? 1 : 0;
  const VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = inputs,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = inputs,
      .pVertexAttributeDescriptions = &attribute};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = (given & tessellation) != 0 ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineTessellationStateCreateInfo patches = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
  const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = options.rasterizes ? VK_FALSE : VK_TRUE,
      .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  options.depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  const VkPipelineColorBlendAttachmentState written = {.colorWriteMask = options.color_writes};
  const uint32_t colors = options.color_writes != 0 ? 1 : 0;
  const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                     .attachmentCount = colors,
                                                     .pAttachments = &written};
  const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                    .dynamicStateCount = 2,
                                                    .pDynamicStates = dynamic_states};
  const VkFormat color_format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .colorAttachmentCount = colors,
      .pColorAttachmentFormats = &color_format,
      .depthAttachmentFormat = options.depth.depthTestEnable ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED};
  const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = options.render_pass == VK_NULL_HANDLE ? &rendering : nullptr,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .pVertexInputState = &vertex_input,
      .pInputAssemblyState = &assembly,
      .pTessellationState = &patches,
      .pViewportState = &viewport,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pDepthStencilState = &options.depth,
      .pColorBlendState = &blend,
      .pDynamicState = &dynamic,
      .layout = options.layout != VK_NULL_HANDLE ? options.layout : MakePipelineLayout({}),
      .renderPass = options.render_pass};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline CommandMatrix::MakeRayTracingPipeline(VkPipelineLayout layout, const std::vector<uint32_t>& ray_generation) {
  const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                 .module = MakeShader(ray_generation),
                                                 .pName = "main"};
  const VkRayTracingShaderGroupCreateInfoKHR group = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
      .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
      .generalShader = 0,
      .closestHitShader = VK_SHADER_UNUSED_KHR,
      .anyHitShader = VK_SHADER_UNUSED_KHR,
      .intersectionShader = VK_SHADER_UNUSED_KHR};
  const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                  .stageCount = 1,
                                                  .pStages = &stage,
                                                  .groupCount = 1,
                                                  .pGroups = &group,
                                                  .maxPipelineRayRecursionDepth = 1,
                                                  .layout = layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline CommandMatrix::MakePlainPipeline() { return MakePipeline({}); }
VkPipeline CommandMatrix::MakeMeshPipeline() {
  return MakePipeline({.shaders = {{VK_SHADER_STAGE_MESH_BIT_EXT, EmptyShader(VK_SHADER_STAGE_MESH_BIT_EXT)}}});
}

void CommandMatrix::Render(VkCommandBuffer c, const Attachment& color, const Attachment& depth,
                           const std::function<void(VkCommandBuffer)>& commands) {
  const auto info_of = [](const Attachment& attachment) {
    return VkRenderingAttachmentInfo{
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = attachment.view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .resolveMode = attachment.resolve != VK_NULL_HANDLE ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = attachment.resolve,
        .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = attachment.load,
        .storeOp = attachment.store};
  };
  const VkRenderingAttachmentInfo color_info = info_of(color), depth_info = info_of(depth);
  const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = {{0, 0}, {kSide, kSide}},
                                .layerCount = 1,
                                .colorAttachmentCount = color.view != VK_NULL_HANDLE ? 1u : 0u,
                                .pColorAttachments = &color_info,
                                .pDepthAttachment = depth.view != VK_NULL_HANDLE ? &depth_info : nullptr};
  vk.CmdBeginRendering(c, &info);
  commands(c);
  vk.CmdEndRendering(c);
}

void CommandMatrix::RenderNothing(VkCommandBuffer c, VkPipeline pipeline,
                                  const std::function<void(VkCommandBuffer)>& commands) {
  vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  Render(c, {}, {}, commands);
}

}  // namespace assay::syncval::command_matrix
