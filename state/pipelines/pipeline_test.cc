// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines of all kinds and shader objects.

#include "state/pipelines/pipeline_test.h"

#include <vector>

namespace assay::state {
namespace {

TEST_F(PipelineState, CompletePipelines) {
  GraphicsInfo info = Complete();
  VkPipeline pipeline = Make(info);
  const Pipeline* state = StateOf<Pipeline>(pipeline);
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->bind_point, VK_PIPELINE_BIND_POINT_GRAPHICS);
  ExpectAll(*state->graphics);
  EXPECT_TRUE(state->graphics->dynamic_states.Has(VK_DYNAMIC_STATE_SCISSOR));
  EXPECT_FALSE(state->graphics->dynamic_states.Has(VK_DYNAMIC_STATE_LINE_WIDTH));
  EXPECT_FALSE(state->graphics->dynamic_states.Has(static_cast<VkDynamicState>(12345)));
  EXPECT_EQ(state->graphics->dynamic_functions, 0u);
  EXPECT_EQ(state->graphics->patch_control_points, 0u);
  ASSERT_NE(state->Find(VK_SHADER_STAGE_VERTEX_BIT), nullptr);
  EXPECT_EQ(state->Find(VK_SHADER_STAGE_VERTEX_BIT)->interface->input_locations, 3u);
  EXPECT_EQ(state->Find(VK_SHADER_STAGE_FRAGMENT_BIT)->interface->output_locations, 1u);
  EXPECT_EQ(state->Find(VK_SHADER_STAGE_GEOMETRY_BIT), nullptr);
  DestroyNow(pipeline);
  EXPECT_EQ(StateOf<Pipeline>(pipeline), nullptr);
}
TEST_F(PipelineState, CompletePipelinesOfASubpass) {
  VkAttachmentDescription2 attachments[] = {
      {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2, .format = kFormat},
      {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2, .format = VK_FORMAT_D32_SFLOAT}};
  VkAttachmentReference2 color = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0},
                         depth = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 1},
                         unused = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, VK_ATTACHMENT_UNUSED};
  VkSubpassDescription2 subpasses[] = {{.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachments = &unused,
                                        .pDepthStencilAttachment = &depth},
                                       {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                        .viewMask = 4,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachments = &color,
                                        .pDepthStencilAttachment = &unused}};
  VkRenderPass pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                      .attachmentCount = 2,
                                      .pAttachments = attachments,
                                      .subpassCount = 2,
                                      .pSubpasses = subpasses});
  GraphicsInfo info = Complete();
  info.Link();
  info.info.renderPass = pass;
  info.info.subpass = 1;
  info.info.pDepthStencilState = Garbage<VkPipelineDepthStencilStateCreateInfo>();
  const GraphicsState& colored = Graphics(Make(info.info));
  EXPECT_EQ(colored.render_pass.get(), StateOf<RenderPass>(pass));
  EXPECT_EQ(colored.view_mask, 4u);
  EXPECT_FALSE(colored.functions.depth_test);
  EXPECT_EQ(colored.functions.blend_enables, 1u);
  EXPECT_TRUE(colored.color_formats.empty());
  info.info.subpass = 0;
  info.info.pDepthStencilState = &info.depth_stencil;
  info.info.pColorBlendState = Garbage<VkPipelineColorBlendStateCreateInfo>();
  const GraphicsState& deep = Graphics(Make(info.info));
  EXPECT_TRUE(deep.functions.depth_test);
  EXPECT_EQ(deep.functions.blend_enables, 0u);
  info.info.subpass = 9;
  EXPECT_FALSE(Graphics(Make(info.info)).functions.depth_test);
}
TEST_F(PipelineState, DynamicStateReplacesParameters) {
  GraphicsInfo info = Complete();
  info.dynamic_states = {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_CULL_MODE,
                         VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, VK_DYNAMIC_STATE_LINE_WIDTH};
  const GraphicsState& state = Graphics(Make(info));
  EXPECT_EQ(state.dynamic_functions, BitOf(FixedFunction::kDepthTest) | BitOf(FixedFunction::kCullMode));
  VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  vk.CmdSetDepthTestEnable(commands, VK_FALSE);
  vk.CmdSetDepthWriteEnable(commands, VK_FALSE);
  test::Buffer buffer = MakeBuffer(64);
  VkBuffer handle = buffer;
  VkDeviceSize zero = 0, stride = 44;
  vk.CmdBindVertexBuffers2(commands, 3, 1, &handle, &zero, nullptr, &stride);
  const DrawState& draw = DeviceState::Get(commands)->draw;
  const ResolvedDrawState resolved(&state, draw);
  EXPECT_FALSE(resolved.functions.depth_test);
  EXPECT_TRUE(resolved.functions.depth_write);
  EXPECT_EQ(resolved.functions.cull_mode, VkCullModeFlags{VK_CULL_MODE_NONE});
  EXPECT_EQ(resolved.vertex_input, &state.vertex_input);
  EXPECT_EQ(resolved.StrideOf(3), 44u);
  // With shader objects all is dynamic.
  const ResolvedDrawState free(nullptr, draw);
  EXPECT_FALSE(free.functions.depth_write);
  EXPECT_EQ(free.vertex_input, &draw.dynamic_vertex_input());
  EXPECT_EQ(free.StrideOf(3), 44u);
}
TEST_F(PipelineState, DynamicVertexInput) {
  GraphicsInfo info = Complete();
  info.dynamic_states = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
  const GraphicsState& state = Graphics(Make(info));
  EXPECT_EQ(state.vertex_input.described_bindings, 0u);
  DrawState draw;
  const ResolvedDrawState resolved(&state, draw);
  EXPECT_EQ(resolved.vertex_input, &draw.dynamic_vertex_input());
  EXPECT_FALSE(resolved.has_dynamic_strides);
}
// A viewport and a scissor, and how a pipeline and dynamic state may have them.
TEST_F(PipelineState, RasterArea) {
  constexpr VkRect2D kAll = {{0, 0}, {64, 64}}, kHalf = {{0, 0}, {32, 64}};
  const VkViewport all = {0, 0, 64, 64, 0, 1}, half = {0, 0, 32, 64, 0, 1};
  DrawState none, dynamic;
  dynamic.Set(vk::CmdSetViewport{.viewportCount = 1, .pViewports = &all});
  dynamic.Set(vk::CmdSetScissor{.scissorCount = 1, .pScissors = &kAll});
  const auto contains = [&](GraphicsInfo& info, const DrawState& set, const VkRect2D& area) {
    const GraphicsState& state = Graphics(Make(info));
    return ResolvedDrawState(&state, set).RasterAreaContains(area);
  };
  GraphicsInfo info = Complete();
  EXPECT_TRUE(contains(info, dynamic, kAll));
  EXPECT_FALSE(contains(info, none, kAll));
  info.dynamic_states = {VK_DYNAMIC_STATE_SCISSOR};
  info.viewport.pViewports = &all;
  EXPECT_TRUE(contains(info, dynamic, kAll));
  info.viewport.pViewports = &half;
  EXPECT_FALSE(contains(info, dynamic, kAll));
  EXPECT_TRUE(contains(info, dynamic, kHalf));
  info.dynamic_states = {};
  info.viewport.pScissors = &kAll;
  EXPECT_TRUE(contains(info, none, kHalf));
  // With dynamic counts only vkCmdSet*WithCount sets them.
  info.viewport.viewportCount = info.viewport.scissorCount = 0;
  info.dynamic_states = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
  EXPECT_FALSE(contains(info, dynamic, kAll));
  dynamic.Set(vk::CmdSetViewportWithCount{.viewportCount = 1, .pViewports = &all});
  dynamic.Set(vk::CmdSetScissorWithCount{.scissorCount = 1, .pScissors = &kAll});
  EXPECT_TRUE(contains(info, dynamic, kAll));
  EXPECT_TRUE(ResolvedDrawState(nullptr, dynamic).RasterAreaContains(kAll));
  EXPECT_FALSE(ResolvedDrawState(nullptr, none).RasterAreaContains(kAll));
}
TEST_F(PipelineState, FragmentsThatMayBeLacking) {
  GraphicsInfo info = Complete();
  EXPECT_FALSE(Graphics(Make(info)).may_lack_fragments);
  info.rasterization.polygonMode = VK_POLYGON_MODE_LINE;
  EXPECT_TRUE(Graphics(Make(info)).may_lack_fragments);
  info.rasterization.polygonMode = VK_POLYGON_MODE_FILL;
  info.multisample.alphaToCoverageEnable = VK_TRUE;
  EXPECT_TRUE(Graphics(Make(info)).may_lack_fragments);
  info.multisample.alphaToCoverageEnable = VK_FALSE;
  info.dynamic_states.push_back(VK_DYNAMIC_STATE_POLYGON_MODE_EXT);
  EXPECT_TRUE(Graphics(Make(info)).may_lack_fragments);
}
TEST_F(PipelineState, DiscardedRasterization) {
  GraphicsInfo info = Complete();
  info.rasterization.rasterizerDiscardEnable = VK_TRUE;
  EXPECT_TRUE(Graphics(Make(info)).functions.rasterizer_discard);
  EXPECT_FALSE(Graphics(Make(info)).functions.depth_test);
  EXPECT_EQ(Graphics(Make(info)).color_attachment_count, 0u);
  // It may be switched off again.
  info.dynamic_states = {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE};
  EXPECT_TRUE(Graphics(Make(info)).functions.depth_test);
  EXPECT_EQ(Graphics(Make(info)).color_attachment_count, 2u);
}
TEST_F(PipelineState, WithoutAttachments) {
  GraphicsInfo info = Complete();
  info.color_formats = {};
  info.rendering.depthAttachmentFormat = VK_FORMAT_UNDEFINED;
  EXPECT_FALSE(Graphics(Make(info)).functions.depth_test);
  EXPECT_EQ(Graphics(Make(info)).color_attachment_count, 0u);
  info.rendering.stencilAttachmentFormat = VK_FORMAT_S8_UINT;
  EXPECT_TRUE(Graphics(Make(info)).functions.stencil_test);
}
TEST_F(PipelineState, DynamicStateIsNotRead) {
  GraphicsInfo info = Complete();
  info.dynamic_states = {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
                         VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                         VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
  info.Link();
  info.color_write.pColorWriteEnables = Garbage<VkBool32>();
  info.blend.pAttachments = Garbage<VkPipelineColorBlendAttachmentState>();
  info.info.pVertexInputState = Garbage<VkPipelineVertexInputStateCreateInfo>();
  info.info.pTessellationState = Garbage<VkPipelineTessellationStateCreateInfo>();
  const GraphicsState& state = Graphics(Make(info.info));
  EXPECT_EQ(state.color_attachment_count, 2u);
  EXPECT_EQ(state.functions.blend_enables, 0u);
  EXPECT_EQ(state.dynamic_functions, BitOf(FixedFunction::kColorWriteEnables) | BitOf(FixedFunction::kColorWriteMasks) |
                                         BitOf(FixedFunction::kBlendEnables));
}
TEST_F(PipelineState, NothingButStages) {
  VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  const GraphicsState& state = Graphics(Make(info));
  EXPECT_EQ(state.parts, GraphicsState::kAllParts);
  EXPECT_EQ(state.functions.topology, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  EXPECT_FALSE(state.render_pass);
}
TEST_F(PipelineState, FeedbackLoops) {
  GraphicsInfo info = Complete();
  VkPipelineCreateFlags2CreateInfo flags = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, nullptr,
                                            VK_PIPELINE_CREATE_2_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT};
  info.rendering.pNext = &flags;
  EXPECT_EQ(Graphics(Make(info)).functions.feedback_loop_aspects, VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT});
}

TEST_F(PipelineState, RasterizationOrderAccess) {
  EXPECT_FALSE(Graphics(Make(Complete())).has_rasterization_order_access);
  GraphicsInfo color = Complete(), depth = Complete();
  color.blend.flags = VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
  depth.depth_stencil.flags =
      VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;
  for (const GraphicsInfo& info : {color, depth}) EXPECT_TRUE(Graphics(Make(info)).has_rasterization_order_access);
}

TEST_F(PipelineState, SpecializedStages) {
  VkShaderModule module = MakeShader(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionModeId %main LocalSizeId %n %n %n
    OpDecorate %n SpecId 5
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %n = OpSpecConstant %uint 4
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)");
  const uint32_t value = 8;
  const VkSpecializationMapEntry entry = {5, 0, 4};
  const VkSpecializationInfo specialization = {1, &entry, 4, &value};
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .stage = Stage(VK_SHADER_STAGE_COMPUTE_BIT, module),
                                      .layout = MakePipelineLayout({})};
  info.stage.pSpecializationInfo = &specialization;
  VkPipeline pipeline = VK_NULL_HANDLE;
  vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  EXPECT_EQ(StateOf<Pipeline>(pipeline)->stages[0].interface->local_size[1], 8u);
  EXPECT_EQ(StateOf<Pipeline>(pipeline)->graphics, nullptr);
  vk.DestroyPipeline(device, pipeline, nullptr);
}

// Modules, code in the chain of a stage, and shader objects.
TEST_F(PipelineState, EqualCodeIsReflectedOnce) {
  const std::vector<uint32_t> words = test::AssembleSpirv(test::ComputeShader({.reads = {0}}));
  const VkPipelineLayout layout = MakePipelineLayout({});
  const auto interface_of = [&](VkShaderModule module, const void* next) {
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = Stage(VK_SHADER_STAGE_COMPUTE_BIT, module),
                                        .layout = layout};
    info.stage.pNext = next;
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    auto interface = StateOf<Pipeline>(pipeline)->stages[0].interface;
    vk.DestroyPipeline(device, pipeline, nullptr);
    return interface;
  };
  const VkShaderModule first = MakeShader(words);
  const auto interface = interface_of(first, nullptr);
  ASSERT_NE(interface, nullptr);
  EXPECT_TRUE(interface->found);
  EXPECT_EQ(interface_of(first, nullptr), interface);
  DestroyNow(first);
  EXPECT_EQ(interface_of(MakeShader(words), nullptr), interface);
  EXPECT_NE(interface_of(MakeShader(test::ComputeShader({.reads = {1}})), nullptr), interface);

  const VkShaderModuleCreateInfo chained = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = words.size() * 4, .pCode = words.data()};
  EXPECT_EQ(interface_of(VK_NULL_HANDLE, &chained), interface);

  const VkShaderCreateInfoEXT object = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = words.size() * 4,
                                        .pCode = words.data(),
                                        .pName = "main"};
  VkShaderEXT shader = VK_NULL_HANDLE;
  vk.CreateShadersEXT(device, 1, &object, nullptr, &shader);
  EXPECT_EQ(StateOf<Shader>(shader)->stage.interface, interface);
  vk.DestroyShaderEXT(device, shader, nullptr);
}

// Without synchronization validation.
class UnreadPipelineState : public PipelineState {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"validate_sync", false},
                         {"gpuav_enable", true},
                         {"validate_core", false},
                         {"stateless_param", false},
                         {"thread_safety", false},
                         {"object_lifetime", false}}};
  }
};

TEST_F(UnreadPipelineState, CodeIsReadForNobody) {
  const VkShaderModule shader = MakeShader(test::ComputeShader({.reads = {0}}));
  const VkPipeline pipeline = MakeComputePipeline(MakePipelineLayout({MakeSetLayout({{0}})}), shader);
  const PipelineStage& stage = StateOf<Pipeline>(pipeline)->stages[0];
  EXPECT_EQ(stage.stage, VK_SHADER_STAGE_COMPUTE_BIT);
  ASSERT_NE(stage.interface, nullptr);
  EXPECT_FALSE(stage.interface->found);
}

TEST_F(PipelineState, ShaderObjects) {
  const std::vector<uint32_t> words = test::AssembleSpirv(test::VertexShader(3));
  VkShaderCreateInfoEXT infos[] = {{.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                    .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                    .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                    .codeSize = words.size() * 4,
                                    .pCode = words.data(),
                                    .pName = "main"},
                                   {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                    .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                    .codeType = VK_SHADER_CODE_TYPE_BINARY_EXT,
                                    .codeSize = words.size() * 4,
                                    .pCode = words.data()}};
  VkShaderEXT shaders[2] = {};
  vk.CreateShadersEXT(device, 2, infos, nullptr, shaders);
  ASSERT_NE(StateOf<Shader>(shaders[0]), nullptr);
  EXPECT_EQ(StateOf<Shader>(shaders[0])->stage.interface->input_locations, 7u);
  ASSERT_NE(StateOf<Shader>(shaders[1]), nullptr);
  EXPECT_FALSE(StateOf<Shader>(shaders[1])->stage.interface->found);
  for (VkShaderEXT shader : shaders) vk.DestroyShaderEXT(device, shader, nullptr);
  EXPECT_EQ(StateOf<Shader>(shaders[0]), nullptr);
  vk.DestroyShaderEXT(device, VK_NULL_HANDLE, nullptr);
}

TEST_F(PipelineState, FailedPipelines) {
  driver().FailNext<vk::CreateGraphicsPipelines>(VK_ERROR_OUT_OF_HOST_MEMORY);
  GraphicsInfo info = Complete();
  VkPipeline pipeline = reinterpret_cast<VkPipeline>(uint64_t{77});
  vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info.Link(), nullptr, &pipeline);
  EXPECT_EQ(StateOf<Pipeline>(pipeline), nullptr);
}

}  // namespace
}  // namespace assay::state
