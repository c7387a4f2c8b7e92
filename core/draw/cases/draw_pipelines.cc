// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The pipelines of DrawTest.

#include <algorithm>
#include <vector>

#include "core/draw/cases/draw_test.h"
#include "core/pipelines/pipeline_setup.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

VkPipelineShaderStageCreateInfo StageOf(VkShaderStageFlagBits stage, VkShaderModule module,
                                        const void* next = nullptr) {
  return {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, next, 0, stage, module, "main"};
}

VkPipelineDynamicStateCreateInfo DynamicStates(const std::vector<VkDynamicState>& states) {
  return Of<VkPipelineDynamicStateCreateInfo>(0, states.size(), states.data());
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
  PipelineSetup setup;
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  for (uint32_t i = 0; i < options.vertex_bindings; ++i) {
    bindings.push_back({i, 16, options.divisor != 1 ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX});
    attributes.push_back({i, i, VK_FORMAT_R32G32B32A32_SFLOAT, 0});
  }
  setup.input.vertexBindingDescriptionCount = setup.input.vertexAttributeDescriptionCount = options.vertex_bindings;
  setup.input.pVertexBindingDescriptions = bindings.data();
  setup.input.pVertexAttributeDescriptions = attributes.data();
  const VkVertexInputBindingDivisorDescription divisor = {0, options.divisor};
  if (options.divisor != 1)
    setup.Chain<VkPipelineVertexInputDivisorStateCreateInfo>(setup.input, {{}, nullptr, 1, &divisor});
  setup.assembly.topology = options.stages == Stages::kAllVertex ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : options.topology;
  const auto has = [&](VkDynamicState state) {
    return std::ranges::find(options.dynamic, state) != options.dynamic.end();
  };
  setup.viewport.pNext = options.viewport_chain;
  if (has(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT)) setup.viewport.viewportCount = 0;
  if (has(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT)) setup.viewport.scissorCount = 0;
  // Gives the size that is not dynamic.
  if (has(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT))
    setup.Chain<VkPipelineRasterizationConservativeStateCreateInfoEXT>(setup.raster, {});
  if (options.stream != 0)
    setup.Chain<VkPipelineRasterizationStateStreamCreateInfoEXT>(setup.raster, {.rasterizationStream = options.stream});
  setup.raster.rasterizerDiscardEnable = options.is_discarded;
  setup.raster.depthBiasEnable = options.has_depth_bias;
  const auto per_pixel = static_cast<VkSampleCountFlagBits>(options.locations.per_pixel);
  const VkExtent2D grid = options.locations.grid;
  const std::vector<VkSampleLocationEXT> places(size_t{options.locations.per_pixel} * grid.width * grid.height);
  if (per_pixel != 0) {
    auto& locations = setup.Chain<VkPipelineSampleLocationsStateCreateInfoEXT>(setup.samples, {});
    locations.sampleLocationsEnable = VK_TRUE;
    locations.sampleLocationsInfo = Of<VkSampleLocationsInfoEXT>(per_pixel, grid, places.size(), places.data());
  }
  setup.samples.rasterizationSamples = options.samples;
  setup.samples.sampleShadingEnable = options.has_sample_shading;
  setup.depth.maxDepthBounds = 1;
  const auto color_count = static_cast<uint32_t>(options.colors.size());
  const std::vector<VkPipelineColorBlendAttachmentState> attachments(
      color_count, {options.has_blend_constants, options.factor, {}, {}, {}, {}, {}, 0xf});
  setup.blend.attachmentCount = setup.rendering.colorAttachmentCount = color_count;
  setup.blend.pAttachments = attachments.data();
  setup.rendering.viewMask = options.view_mask;
  setup.rendering.pColorAttachmentFormats = options.colors.data();
  setup.rendering.depthAttachmentFormat = options.depth;
  setup.rendering.stencilAttachmentFormat = options.stencil;
  const auto mixed = static_cast<VkSampleCountFlagBits>(options.mixed_samples);
  const std::vector<VkSampleCountFlagBits> color_samples(color_count, mixed);
  if (mixed != 0)
    setup.Chain<VkAttachmentSampleCountInfoNV>(setup.rendering,
                                               {{}, nullptr, color_count, color_samples.data(), mixed});
  if (options.has_discard_rectangles) {
    setup.Chain<VkPipelineDiscardRectangleStateCreateInfoEXT>(
        setup.rendering, {{}, nullptr, 0, VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT, 1, kScissors});
  }
  if (options.next != nullptr) setup.rendering.pNext = options.next;
  if (options.flags != 0) setup.Chain<VkPipelineCreateFlags2CreateInfo>(setup.info, {.flags = options.flags});
  setup.info.stageCount = static_cast<uint32_t>(stages.size());
  setup.info.pStages = stages.data();
  if ((FlagsOf(options.stages) & VK_SHADER_STAGE_MESH_BIT_EXT) != 0) {
    setup.info.pVertexInputState = nullptr;
    setup.info.pInputAssemblyState = nullptr;
  }
  const VkPipelineDynamicStateCreateInfo dynamic = DynamicStates(options.dynamic);
  if (!options.dynamic.empty()) setup.info.pDynamicState = &dynamic;
  setup.info.layout = layout_;
  setup.info.renderPass = options.render_pass;
  setup.info.subpass = options.subpass;
  const VkPipeline pipeline = MakePipelineFrom(setup.info, vk.CreateGraphicsPipelines);
  ExpectNothing();
  return pipeline;
}

VkPipeline DrawTest::MakeCompute(VkPipelineCreateFlags flags, VkShaderStageFlagBits stage, VkPipeline base) {
  if (flags == 0 && stage == VK_SHADER_STAGE_COMPUTE_BIT)
    return MakeComputePipeline(layout_, ShaderOf(VK_SHADER_STAGE_COMPUTE_BIT));
  const auto info = Typed<VkComputePipelineCreateInfo>({.flags = flags,
                                                        .stage = StageOf(stage, ShaderOf(VK_SHADER_STAGE_COMPUTE_BIT)),
                                                        .layout = layout_,
                                                        .basePipelineHandle = base,
                                                        .basePipelineIndex = -1});
  return MakePipelineFrom(info, vk.CreateComputePipelines);
}

VkPipeline DrawTest::MakeGraph(VkPipelineCreateFlags flags) {
  const auto node = Typed<VkPipelineShaderStageNodeCreateInfoAMDX>({.pName = "main"});
  const auto stage = StageOf(VK_SHADER_STAGE_COMPUTE_BIT, ShaderOf(VK_SHADER_STAGE_COMPUTE_BIT), &node);
  const auto info = Typed<VkExecutionGraphPipelineCreateInfoAMDX>(
      {.flags = flags, .stageCount = 1, .pStages = &stage, .layout = layout_});
  return MakePipelineFrom(info, vk.CreateExecutionGraphPipelinesAMDX);
}

VkPipeline DrawTest::MakeRayTracing(const std::vector<VkDynamicState>& dynamic, VkPipelineCreateFlags flags) {
  const auto stage = StageOf(VK_SHADER_STAGE_RAYGEN_BIT_KHR, ShaderOf(VK_SHADER_STAGE_RAYGEN_BIT_KHR));
  const auto group =
      Of<VkRayTracingShaderGroupCreateInfoKHR>(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 0, VK_SHADER_UNUSED_KHR,
                                               VK_SHADER_UNUSED_KHR, VK_SHADER_UNUSED_KHR);
  const VkPipelineDynamicStateCreateInfo states = DynamicStates(dynamic);
  const auto info = Typed<VkRayTracingPipelineCreateInfoKHR>({.flags = flags,
                                                              .stageCount = 1,
                                                              .pStages = &stage,
                                                              .groupCount = 1,
                                                              .pGroups = &group,
                                                              .maxPipelineRayRecursionDepth = 1,
                                                              .pDynamicState = dynamic.empty() ? nullptr : &states,
                                                              .layout = layout_});
  const VkPipeline pipeline = MakePipelineFrom(info, [&](VkDevice of, VkPipelineCache cache, auto... parameters) {
    return vk.CreateRayTracingPipelinesKHR(of, VK_NULL_HANDLE, cache, parameters...);
  });
  ExpectNothing();
  return pipeline;
}

}  // namespace assay::core
