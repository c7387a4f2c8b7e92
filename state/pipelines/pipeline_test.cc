// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines of all kinds and shader objects.

#include <algorithm>
#include <utility>
#include <vector>

#include "state/hooks/state_test.h"
#include "testing/shaders.h"

namespace assay::state {
namespace {

constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkGraphicsPipelineLibraryFlagBitsEXT kVertexInput =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagBitsEXT kPreRasterization =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagBitsEXT kFragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagBitsEXT kFragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// What an ignored pointer may be.
template <class T>
const T* Garbage() {
  return reinterpret_cast<const T*>(uintptr_t{16});
}

// A pipeline's parameters, all parts of which can be changed before it is made.
struct GraphicsInfo {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  std::vector<VkVertexInputBindingDescription> bindings = {{3, 20, VK_VERTEX_INPUT_RATE_INSTANCE}};
  std::vector<VkVertexInputAttributeDescription> attributes = {{1, 3, VK_FORMAT_R32_SFLOAT, 4}};
  VkVertexInputBindingDivisorDescription divisor = {3, 7};
  VkPipelineVertexInputDivisorStateCreateInfo divisors = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO, nullptr, 1, &divisor};
  VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, .pNext = &divisors};
  VkPipelineInputAssemblyStateCreateInfo assembly = {VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                     nullptr, 0, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_TRUE};
  VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .cullMode = VK_CULL_MODE_BACK_BIT,
      .lineWidth = 1};
  VkPipelineMultisampleStateCreateInfo multisample = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                      .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
  VkPipelineDepthStencilStateCreateInfo depth_stencil = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = VK_COMPARE_OP_LESS,
      .stencilTestEnable = VK_TRUE,
      .front = {VK_STENCIL_OP_ZERO, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 1, 2, 3},
      .back = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INVERT, VK_COMPARE_OP_LESS, 4, 5, 6}};
  std::vector<VkPipelineColorBlendAttachmentState> blend_attachments = {
      {.blendEnable = VK_TRUE, .colorWriteMask = VK_COLOR_COMPONENT_R_BIT}, {.colorWriteMask = 0}};
  std::vector<VkBool32> write_enables = {VK_FALSE, VK_TRUE};
  VkPipelineColorWriteCreateInfoEXT color_write = {VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT};
  VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                               .logicOp = VK_LOGIC_OP_XOR};
  std::vector<VkDynamicState> dynamic_states = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  std::vector<VkFormat> color_formats = {kFormat, kFormat};
  VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                             .viewMask = 3,
                                             .depthAttachmentFormat = VK_FORMAT_D32_SFLOAT};
  VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};

  // Points everything at what is here.
  VkGraphicsPipelineCreateInfo& Link() {
    vertex_input.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings.size());
    vertex_input.pVertexBindingDescriptions = bindings.data();
    vertex_input.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size());
    vertex_input.pVertexAttributeDescriptions = attributes.data();
    color_write.attachmentCount = static_cast<uint32_t>(write_enables.size());
    color_write.pColorWriteEnables = write_enables.data();
    blend.pNext = &color_write;
    blend.attachmentCount = static_cast<uint32_t>(blend_attachments.size());
    blend.pAttachments = blend_attachments.data();
    dynamic.dynamicStateCount = static_cast<uint32_t>(dynamic_states.size());
    dynamic.pDynamicStates = dynamic_states.data();
    rendering.colorAttachmentCount = static_cast<uint32_t>(color_formats.size());
    rendering.pColorAttachmentFormats = color_formats.data();
    info.pNext = &rendering;
    info.stageCount = static_cast<uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &vertex_input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &rasterization;
    info.pMultisampleState = &multisample;
    info.pDepthStencilState = &depth_stencil;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    return info;
  }
};

class PipelineState : public StateTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = StateTest::Options();
    options.device_extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                 VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                                 VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
                                 VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
                                 VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME,
                                 VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                 VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                 VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                                 VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                 VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
    return options;
  }

  VkPipelineShaderStageCreateInfo Stage(VkShaderStageFlagBits stage, VkShaderModule module) {
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = stage,
            .module = module,
            .pName = "main"};
  }
  VkPipelineShaderStageCreateInfo VertexStage() {
    return Stage(VK_SHADER_STAGE_VERTEX_BIT, MakeShader(test::VertexShader(2)));
  }
  VkPipelineShaderStageCreateInfo FragmentStage() {
    return Stage(VK_SHADER_STAGE_FRAGMENT_BIT, MakeShader(test::FragmentShader(1)));
  }
  GraphicsInfo Complete() {
    GraphicsInfo info;
    info.stages = {VertexStage(), FragmentStage()};
    info.info.layout = MakePipelineLayout({});
    return info;
  }
  VkPipeline Make(const VkGraphicsPipelineCreateInfo& info) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  VkPipeline Make(GraphicsInfo info) { return Make(info.Link()); }
  VkPipeline MakeLibrary(GraphicsInfo info, VkGraphicsPipelineLibraryFlagsEXT parts) {
    info.Link();
    VkGraphicsPipelineLibraryCreateInfoEXT library = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
                                                      &info.rendering, parts};
    info.info.pNext = &library;
    info.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    return Make(info.info);
  }
  VkPipeline MakeLinked(std::vector<VkPipeline> libraries, VkPipelineLayout layout = VK_NULL_HANDLE) {
    VkPipelineLibraryCreateInfoKHR linked = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr,
                                             static_cast<uint32_t>(libraries.size()), libraries.data()};
    return Make(VkGraphicsPipelineCreateInfo{
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = layout});
  }
  static const GraphicsState& Graphics(VkPipeline pipeline) { return *StateOf<Pipeline>(pipeline)->graphics; }
  // Everything that the parameters of GraphicsInfo say.
  static void ExpectAll(const GraphicsState& state) {
    EXPECT_EQ(state.parts, GraphicsState::kAllParts);
    EXPECT_EQ(state.vertex_input.described_bindings, 0b1000u);
    EXPECT_EQ(state.vertex_input.bindings[3].stride, 20u);
    EXPECT_EQ(state.vertex_input.bindings[3].divisor, 7u);
    EXPECT_EQ(state.vertex_input.attribute_count, 1u);
    EXPECT_EQ(state.vertex_input.attributes[0].offset, 4u);
    EXPECT_EQ(state.functions.topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    EXPECT_TRUE(state.functions.primitive_restart);
    EXPECT_EQ(state.functions.cull_mode, VkCullModeFlags{VK_CULL_MODE_BACK_BIT});
    EXPECT_EQ(state.functions.samples, VK_SAMPLE_COUNT_4_BIT);
    EXPECT_TRUE(state.functions.depth_test);
    EXPECT_TRUE(state.functions.depth_write);
    EXPECT_TRUE(state.functions.stencil_test);
    EXPECT_EQ(state.functions.stencil_faces[0].fail_op, VK_STENCIL_OP_ZERO);
    EXPECT_EQ(state.functions.stencil_faces[1].depth_fail_op, VK_STENCIL_OP_INVERT);
    EXPECT_EQ(state.functions.stencil_compare_masks, (StencilMasks{1, 4}));
    EXPECT_EQ(state.functions.stencil_write_masks, (StencilMasks{2, 5}));
    EXPECT_EQ(state.functions.blend_enables, 1u);
    EXPECT_EQ(state.functions.color_write_enables, ~1u);
    EXPECT_EQ(state.functions.color_write_masks[0], VK_COLOR_COMPONENT_R_BIT);
    EXPECT_EQ(state.functions.color_write_masks[1], 0);
    EXPECT_EQ(state.functions.logic_op, VK_LOGIC_OP_XOR);
    EXPECT_EQ(state.color_attachment_count, 2u);
    EXPECT_EQ(state.color_formats, (std::vector<VkFormat>{kFormat, kFormat}));
    EXPECT_EQ(state.depth_format, VK_FORMAT_D32_SFLOAT);
    EXPECT_EQ(state.view_mask, 3u);
  }
};

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
  EXPECT_EQ(state->Find(VK_SHADER_STAGE_VERTEX_BIT)->interface.input_locations, 3u);
  EXPECT_EQ(state->Find(VK_SHADER_STAGE_FRAGMENT_BIT)->interface.output_locations, 1u);
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
TEST_F(PipelineState, DynamicStateTakesTheParametersPlace) {
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
TEST_F(PipelineState, WhatIsDynamicIsNotRead) {
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
  // Each has its own alone.
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
  EXPECT_EQ(state.Find(VK_SHADER_STAGE_VERTEX_BIT)->interface.input_locations, 3u);
  // Of libraries that are gone nothing is left.
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
  // What parameters say of a part that comes from a library is not looked at.
  ExpectAll(Graphics(Make(info.info)));
}
TEST_F(PipelineState, DynamicStateOfALibraryIsItsPartsAlone) {
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
  EXPECT_EQ(StateOf<Pipeline>(pipeline)->stages[0].interface.local_size[1], 8u);
  EXPECT_EQ(StateOf<Pipeline>(pipeline)->graphics, nullptr);
  vk.DestroyPipeline(device, pipeline, nullptr);
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
  EXPECT_EQ(StateOf<Shader>(shaders[0])->stage.interface.input_locations, 7u);
  ASSERT_NE(StateOf<Shader>(shaders[1]), nullptr);
  EXPECT_FALSE(StateOf<Shader>(shaders[1])->stage.interface.found);
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
