// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines that are linked from libraries.

#include "state/pipelines/pipeline_test.h"

namespace assay::state {
namespace {

TEST_F(PipelineState, LinkedLibraries) {
  VkPipelineLayout layout = MakePipelineLayout({});
  GraphicsInfo info;
  const VkPipeline vertex_input = MakeLibrary(info, kVertexInput);
  info.stages = {VertexStage()};
  info.info.layout = layout;
  const VkPipeline pre_rasterization = MakeLibrary(info, kPreRasterization);
  info.stages = {FragmentStage()};
  const VkPipeline fragment = MakeLibrary(info, kFragmentShader);
  info.stages = {};
  info.info.layout = VK_NULL_HANDLE;
  const VkPipeline output = MakeLibrary(info, kFragmentOutput);
  // Each library has only its own part.
  EXPECT_EQ(Graphics(vertex_input).parts, VkGraphicsPipelineLibraryFlagsEXT{kVertexInput});
  EXPECT_FALSE(Graphics(vertex_input).functions.depth_test);
  EXPECT_EQ(Graphics(fragment).functions.topology, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  EXPECT_TRUE(Graphics(fragment).color_formats.empty());
  EXPECT_EQ(Graphics(pre_rasterization).vertex_input.described_bindings, 0u);
  EXPECT_FALSE(StateOf<Pipeline>(output)->layout);

  const VkPipeline linked = MakeLinked({output, fragment, pre_rasterization, vertex_input});
  DestroyNow(output);
  DestroyNow(fragment);
  ExpectAll(Graphics(linked));
  const Pipeline& state = *StateOf<Pipeline>(linked);
  EXPECT_EQ(state.layout.get(), StateOf<PipelineLayout>(layout));
  EXPECT_EQ(state.stages.size(), 2u);
  EXPECT_EQ(state.Find(VK_SHADER_STAGE_VERTEX_BIT)->interface->input_locations, 3u);
  // Libraries that were destroyed add no parts.
  driver().CheckHandles(false);
  EXPECT_EQ(Graphics(MakeLinked({fragment, VK_NULL_HANDLE})).parts, 0u);
}
TEST_F(PipelineState, LibrariesOfLibraries) {
  GraphicsInfo info = Complete();
  const VkPipeline rest = MakeLibrary(info, kVertexInput | kFragmentShader | kFragmentOutput);
  info.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  info.Link();
  VkPipelineLibraryCreateInfoKHR linked = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 1, &rest};
  VkGraphicsPipelineLibraryCreateInfoEXT own = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, &linked,
                                                kPreRasterization};
  info.rendering.pNext = &own;
  // Parameters of a part that comes from a library are ignored.
  ExpectAll(Graphics(Make(info.info)));
}
TEST_F(PipelineState, RasterAreaOfALibrary) {
  constexpr VkRect2D kAll = {{0, 0}, {64, 64}};
  const VkViewport all = {0, 0, 64, 64, 0, 1};
  GraphicsInfo info = Complete();
  info.dynamic_states = {VK_DYNAMIC_STATE_VIEWPORT};
  info.viewport.pScissors = &kAll;
  const VkPipeline rasterized = MakeLibrary(info, kPreRasterization);
  info.dynamic_states = {};
  info.viewport.pScissors = nullptr;
  const VkPipeline rest = MakeLibrary(info, kVertexInput | kFragmentShader | kFragmentOutput);
  const GraphicsState& state = Graphics(MakeLinked({rest, rasterized}));
  DrawState draw;
  EXPECT_FALSE(ResolvedDrawState(&state, draw).RasterAreaContains(kAll));
  draw.Set(vk::CmdSetViewport{.viewportCount = 1, .pViewports = &all});
  EXPECT_TRUE(ResolvedDrawState(&state, draw).RasterAreaContains(kAll));
}
TEST_F(PipelineState, DynamicStateOfALibraryCountsForItsPartOnly) {
  GraphicsInfo info = Complete();
  info.dynamic_states = {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_CULL_MODE,
                         VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
  const VkPipeline output = MakeLibrary(info, kFragmentOutput);
  const VkPipeline fragment = MakeLibrary(info, kFragmentShader);
  info.dynamic_states = {};
  const VkPipeline rest = MakeLibrary(info, kVertexInput | kPreRasterization);
  const GraphicsState& state = Graphics(MakeLinked({output, fragment, rest}));
  EXPECT_EQ(state.dynamic_functions, BitOf(FixedFunction::kDepthTest));
  EXPECT_FALSE(state.has_dynamic_vertex_input);
}

TEST_F(PipelineState, RayTracingGroupsAndLibraries) {
  VkPipelineShaderStageCreateInfo stages[] = {Stage(VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_NULL_HANDLE),
                                              Stage(VK_SHADER_STAGE_MISS_BIT_KHR, VK_NULL_HANDLE)};
  constexpr uint32_t kUnused = VK_SHADER_UNUSED_KHR;
  VkRayTracingShaderGroupCreateInfoKHR groups[] = {
      {VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR, nullptr,
       VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 1, kUnused, kUnused, kUnused, nullptr},
      {VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR, nullptr,
       VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, 77, 0, kUnused, kUnused, nullptr}};
  VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                            .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                                            .stageCount = 2,
                                            .pStages = stages,
                                            .groupCount = 2,
                                            .pGroups = groups,
                                            .layout = MakePipelineLayout({})};
  VkPipeline library = VK_NULL_HANDLE, linked = VK_NULL_HANDLE;
  vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &library);
  VkPipelineLibraryCreateInfoKHR libraries = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 1, &library};
  info.flags = 0;
  info.stageCount = 1;
  info.groupCount = 1;
  groups[0].generalShader = 0;
  info.pLibraryInfo = &libraries;
  vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &linked);
  const Pipeline& state = *StateOf<Pipeline>(linked);
  EXPECT_EQ(state.bind_point, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
  ASSERT_EQ(state.stages.size(), 3u);
  EXPECT_EQ(state.stages[2].stage, VK_SHADER_STAGE_MISS_BIT_KHR);
  ASSERT_EQ(state.groups.size(), 3u);
  EXPECT_EQ(state.groups[0].general, 0u);
  EXPECT_EQ(state.groups[1].general, 2u);
  EXPECT_EQ(state.groups[2].general, kUnused);
  EXPECT_EQ(state.groups[2].closest_hit, 1u);
  vk.DestroyPipeline(device, linked, nullptr);
  vk.DestroyPipeline(device, library, nullptr);
}

}  // namespace
}  // namespace assay::state
