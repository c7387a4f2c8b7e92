// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The pipelines of DrawTest.

#include <algorithm>
#include <vector>

#include "core/draw/cases/draw_test.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

VkPipelineShaderStageCreateInfo StageOf(VkShaderStageFlagBits stage, VkShaderModule module,
                                        const void* next = nullptr) {
  return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .pNext = next,
          .stage = stage,
          .module = module,
          .pName = "main"};
}

}  // namespace

VkPipeline DrawTest::MakePipeline(const PipelineOptions& options) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  for (const VkShaderStageFlagBits stage : kGraphicsStages) {
    if ((FlagsOf(options.stages) & ~options.without & stage) == 0 ||
        (options.is_discarded && stage == VK_SHADER_STAGE_FRAGMENT_BIT))
      continue;
    const bool has_inputs = stage == VK_SHADER_STAGE_VERTEX_BIT && options.vertex_bindings != 0;
    const VkShaderModule module =
        has_inputs ? MakeShader(test::VertexShader(options.vertex_bindings))
                   : ShaderOf(stage, options.stages == Stages::kMeshNv && stage == VK_SHADER_STAGE_MESH_BIT_EXT);
    stages.push_back(StageOf(stage, module));
  }
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  for (uint32_t i = 0; i < options.vertex_bindings; ++i) {
    bindings.push_back({i, 16, options.divisor != 1 ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX});
    attributes.push_back({i, i, VK_FORMAT_R32G32B32A32_SFLOAT, 0});
  }
  const bool has_mesh = (FlagsOf(options.stages) & VK_SHADER_STAGE_MESH_BIT_EXT) != 0;
  const VkVertexInputBindingDivisorDescription divisor = {0, options.divisor};
  const VkPipelineVertexInputDivisorStateCreateInfo divisors = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO, nullptr, 1, &divisor};
  const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .pNext = options.divisor != 1 ? &divisors : nullptr,
      .vertexBindingDescriptionCount = options.vertex_bindings,
      .pVertexBindingDescriptions = bindings.data(),
      .vertexAttributeDescriptionCount = options.vertex_bindings,
      .pVertexAttributeDescriptions = attributes.data()};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = options.stages == Stages::kAllVertex ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : options.topology};
  const VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
  const VkViewport viewport = {0, 0, 64, 64, 0, 1};
  const VkRect2D area = {{0, 0}, {64, 64}};
  const auto has = [&](VkDynamicState state) {
    return std::ranges::find(options.dynamic, state) != options.dynamic.end();
  };
  const VkPipelineViewportStateCreateInfo viewports = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .pNext = options.viewport_chain,
      .viewportCount = has(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT) ? 0u : 1u,
      .pViewports = &viewport,
      .scissorCount = has(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT) ? 0u : 1u,
      .pScissors = &area};
  // Gives the size that is not dynamic.
  const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT};
  const VkPipelineRasterizationStateStreamCreateInfoEXT stream = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
      .rasterizationStream = options.stream};
  const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = has(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT) ? static_cast<const void*>(&conservative)
               : options.stream != 0                                     ? &stream
                                                                         : nullptr,
      .rasterizerDiscardEnable = options.is_discarded,
      .depthBiasEnable = options.has_depth_bias,
      .lineWidth = 1};
  const uint32_t location_count =
      options.locations.per_pixel * options.locations.grid.width * options.locations.grid.height;
  const std::vector<VkSampleLocationEXT> places(location_count);
  const VkPipelineSampleLocationsStateCreateInfoEXT locations = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
      .sampleLocationsEnable = VK_TRUE,
      .sampleLocationsInfo = {VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr,
                              static_cast<VkSampleCountFlagBits>(options.locations.per_pixel), options.locations.grid,
                              location_count, places.data()}};
  const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .pNext = options.locations.per_pixel != 0 ? &locations : nullptr,
      .rasterizationSamples = options.samples,
      .sampleShadingEnable = options.has_sample_shading};
  const VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .maxDepthBounds = 1};
  const VkPipelineColorBlendAttachmentState plain = {
      options.has_blend_constants, options.factor, {}, {}, {}, {}, {}, 0xf};
  const std::vector<VkPipelineColorBlendAttachmentState> attachments(options.colors.size(), plain);
  const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                     .attachmentCount = static_cast<uint32_t>(attachments.size()),
                                                     .pAttachments = attachments.data()};
  const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                    .dynamicStateCount = static_cast<uint32_t>(options.dynamic.size()),
                                                    .pDynamicStates = options.dynamic.data()};
  VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                             .viewMask = options.view_mask,
                                             .colorAttachmentCount = static_cast<uint32_t>(options.colors.size()),
                                             .pColorAttachmentFormats = options.colors.data(),
                                             .depthAttachmentFormat = options.depth,
                                             .stencilAttachmentFormat = options.stencil};
  const VkPipelineDiscardRectangleStateCreateInfoEXT rectangles = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
      .discardRectangleMode = VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT,
      .discardRectangleCount = 1,
      .pDiscardRectangles = &area};
  const auto mixed_samples = static_cast<VkSampleCountFlagBits>(options.mixed_samples);
  const std::vector<VkSampleCountFlagBits> color_samples(options.colors.size(), mixed_samples);
  const VkAttachmentSampleCountInfoNV mixed = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_NV,
                                               .colorAttachmentCount = rendering.colorAttachmentCount,
                                               .pColorAttachmentSamples = color_samples.data(),
                                               .depthStencilAttachmentSamples = mixed_samples};
  if (options.mixed_samples != 0) rendering.pNext = &mixed;
  if (options.has_discard_rectangles) rendering.pNext = &rectangles;
  if (options.next != nullptr) rendering.pNext = options.next;
  const VkPipelineCreateFlags2CreateInfo flags = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, &rendering,
                                                  options.flags};
  const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = options.flags != 0 ? static_cast<const void*>(&flags) : &rendering,
      .stageCount = static_cast<uint32_t>(stages.size()),
      .pStages = stages.data(),
      .pVertexInputState = has_mesh ? nullptr : &input,
      .pInputAssemblyState = has_mesh ? nullptr : &assembly,
      .pTessellationState = &tessellation,
      .pViewportState = &viewports,
      .pRasterizationState = &raster,
      .pMultisampleState = &samples,
      .pDepthStencilState = &depth,
      .pColorBlendState = &blend,
      .pDynamicState = options.dynamic.empty() ? nullptr : &dynamic,
      .layout = layout_,
      .renderPass = options.render_pass,
      .subpass = options.subpass,
      .basePipelineIndex = -1};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  ExpectNothing();
  return pipeline;
}

VkPipeline DrawTest::MakeCompute(VkPipelineCreateFlags flags, VkShaderStageFlagBits stage, VkPipeline base) {
  if (flags == 0 && stage == VK_SHADER_STAGE_COMPUTE_BIT)
    return MakeComputePipeline(layout_, ShaderOf(VK_SHADER_STAGE_COMPUTE_BIT));
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .flags = flags,
                                            .stage = StageOf(stage, ShaderOf(VK_SHADER_STAGE_COMPUTE_BIT)),
                                            .layout = layout_,
                                            .basePipelineHandle = base,
                                            .basePipelineIndex = -1};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline DrawTest::MakeGraph(VkPipelineCreateFlags flags) {
  const VkPipelineShaderStageNodeCreateInfoAMDX node = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX,
                                                        nullptr, "main", 0};
  const auto stage = StageOf(VK_SHADER_STAGE_COMPUTE_BIT, ShaderOf(VK_SHADER_STAGE_COMPUTE_BIT), &node);
  const VkExecutionGraphPipelineCreateInfoAMDX info = {
      .sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX,
      .flags = flags,
      .stageCount = 1,
      .pStages = &stage,
      .layout = layout_,
      .basePipelineIndex = -1};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateExecutionGraphPipelinesAMDX(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline DrawTest::MakeRayTracing(const std::vector<VkDynamicState>& dynamic, VkPipelineCreateFlags flags) {
  const auto stage = StageOf(VK_SHADER_STAGE_RAYGEN_BIT_KHR, ShaderOf(VK_SHADER_STAGE_RAYGEN_BIT_KHR));
  const VkRayTracingShaderGroupCreateInfoKHR group = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
      .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
      .generalShader = 0,
      .closestHitShader = VK_SHADER_UNUSED_KHR,
      .anyHitShader = VK_SHADER_UNUSED_KHR,
      .intersectionShader = VK_SHADER_UNUSED_KHR};
  const VkPipelineDynamicStateCreateInfo states = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                   .dynamicStateCount = static_cast<uint32_t>(dynamic.size()),
                                                   .pDynamicStates = dynamic.data()};
  const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                  .flags = flags,
                                                  .stageCount = 1,
                                                  .pStages = &stage,
                                                  .groupCount = 1,
                                                  .pGroups = &group,
                                                  .maxPipelineRayRecursionDepth = 1,
                                                  .pDynamicState = dynamic.empty() ? nullptr : &states,
                                                  .layout = layout_,
                                                  .basePipelineIndex = -1};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  ExpectNothing();
  return pipeline;
}

}  // namespace assay::core
