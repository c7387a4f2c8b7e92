// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// When a dynamic state counts as set, through the whole layer.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/draw/cases/draw_test.h"
#include "core/draw/cases/static_states.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

class SetStates : public DrawTest {
 protected:
  const ActionCall& draw_ = CallOf(vk::CommandId::kCmdDraw);
};

TEST_F(SetStates, StaticStateAfterBind) {
  Start();
  for (const ActionCall& call : ActionCalls()) {
    if (call.point != DrawRecording::kGraphics) continue;
    SCOPED_TRACE(std::string(call.name));
    const VkPipeline pipeline = MakePipeline({.stages = StagesOf(call)});
    const VkCommandBuffer commands = BeginFor(call);
    Set(commands, VK_DYNAMIC_STATE_CULL_MODE);
    Bind(commands, pipeline);
    // Set before, it is without effect.
    ExpectSilence(call, commands);
    Set(commands, VK_DYNAMIC_STATE_CULL_MODE);
    ExpectRule(call, commands, "None-08608");
    // Binding the pipeline again makes it right.
    Bind(commands, pipeline);
    ExpectSilence(call, commands);
    EndFor(call, commands);
  }
}

TEST_F(SetStates, EachStaticStateAfterBind) {
  Start();
  const VkPipeline pipeline = MakePipeline({});
  for (const VkDynamicState state : vk::kDynamicStates) {
    if (state == VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR || !HasState(state)) continue;
    SCOPED_TRACE(state);
    const VkCommandBuffer commands = BeginFor(draw_);
    Bind(commands, pipeline);
    Set(commands, state);
    if (std::ranges::find(kStaticStates, state) != std::end(kStaticStates)) {
      ExpectRule(draw_, commands, "None-08608");
    } else {
      ExpectSilence(draw_, commands);
    }
    EndFor(draw_, commands);
  }
}

TEST_F(SetStates, StaticStateInvalidates) {
  Start();
  const VkPipeline fixed = MakePipeline({});
  constexpr struct {
    VkDynamicState state;
    std::string_view rule;
  } kRows[] = {{VK_DYNAMIC_STATE_VIEWPORT, "None-07831"},
               {VK_DYNAMIC_STATE_CULL_MODE, "None-07840"},
               {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, "None-07843"},
               {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, "None-07623"},
               {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, "None-07629"},
               {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, "None-07842"},
               {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, "None-04914"},
               {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, "scissorCount-03418"}};
  for (const auto& [state, rule] : kRows) {
    SCOPED_TRACE(state);
    const VkPipeline dynamic = MakePipeline({.dynamic = {state}});
    const VkCommandBuffer commands = BeginFor(draw_);
    Bind(commands, dynamic);
    Set(commands, state);
    ExpectSilence(draw_, commands);
    // Another one with the state keeps it.
    Bind(commands, MakePipeline({.dynamic = {state, VK_DYNAMIC_STATE_FRONT_FACE}}));
    Set(commands, VK_DYNAMIC_STATE_FRONT_FACE);
    ExpectSilence(draw_, commands);
    Bind(commands, dynamic);
    ExpectSilence(draw_, commands);
    Bind(commands, fixed);
    ExpectSilence(draw_, commands);
    Bind(commands, dynamic);
    ExpectRule(draw_, commands, rule);
    EndFor(draw_, commands);
  }
}

TEST_F(SetStates, IgnoredStatesDoNotInvalidate) {
  Start();
  const VkPipeline vertices = MakePipeline({.dynamic = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY}});
  const VkPipeline blends = MakePipeline({.dynamic = {VK_DYNAMIC_STATE_BLEND_CONSTANTS}});
  const VkCommandBuffer commands = BeginFor(draw_);
  Set(commands, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
  Bind(commands, MakePipeline({.stages = Stages::kMesh}));
  ExpectSilence(CallOf(vk::CommandId::kCmdDrawMeshTasksEXT), commands);
  Bind(commands, vertices);
  ExpectSilence(draw_, commands);
  Set(commands, VK_DYNAMIC_STATE_BLEND_CONSTANTS);
  Bind(commands, MakePipeline({.is_discarded = true}));
  ExpectSilence(draw_, commands);
  Bind(commands, blends);
  ExpectSilence(draw_, commands);
  EndFor(draw_, commands);
}

// Without the fragments' parts, their dynamic states are ignored.
TEST_F(SetStates, DiscardedFragmentsNeedNothing) {
  Start();
  const VkPipeline pipeline = MakePipeline(
      {.dynamic = {VK_DYNAMIC_STATE_BLEND_CONSTANTS, VK_DYNAMIC_STATE_STENCIL_REFERENCE}, .is_discarded = true});
  const VkCommandBuffer commands = BeginFor(draw_);
  Bind(commands, pipeline);
  ExpectSilence(draw_, commands);
  EndFor(draw_, commands);
}

// States that do not matter to the draw need not be set, but to the letter.
TEST_F(SetStates, StatesThatDoNotMatter) {
  Start({.is_strict = false});
  const VkCommandBuffer commands = BeginFor(draw_);
  const std::vector<VkDynamicState> dynamic = {VK_DYNAMIC_STATE_BLEND_CONSTANTS, VK_DYNAMIC_STATE_LINE_WIDTH};
  Bind(commands, MakePipeline({.dynamic = dynamic}));
  ExpectSilence(draw_, commands);
  Bind(commands, MakePipeline({.dynamic = dynamic, .has_blend_constants = true}));
  ExpectRule(draw_, commands, "None-07835");
  Bind(commands, MakePipeline({.dynamic = dynamic, .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST}));
  ExpectRule(draw_, commands, "None-07833");
  EndFor(draw_, commands);
}

TEST_F(SetStates, StaticValuesDecide) {
  Start();
  const VkCommandBuffer commands = BeginFor(draw_);
  Bind(commands, MakePipeline({.dynamic = {VK_DYNAMIC_STATE_DEPTH_BIAS}}));
  ExpectSilence(draw_, commands);
  Bind(commands, MakePipeline({.dynamic = {VK_DYNAMIC_STATE_DEPTH_BIAS}, .has_depth_bias = true}));
  ExpectRule(draw_, commands, "None-07834");
  EndFor(draw_, commands);
}

TEST_F(SetStates, DynamicValuesDecide) {
  Start();
  const VkPipeline pipeline =
      MakePipeline({.dynamic = {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP}});
  const VkCommandBuffer commands = BeginFor(draw_);
  Bind(commands, pipeline);
  // Whether the operation is needed is not known.
  ExpectRule(draw_, commands, "None-07847");
  Set(commands, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_FALSE);
  ExpectSilence(draw_, commands);
  Set(commands, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_TRUE);
  ExpectRule(draw_, commands, "None-07848");
  EndFor(draw_, commands);
}

TEST_F(SetStates, EveryMissingStateIsReported) {
  Start();
  const VkCommandBuffer commands = BeginFor(draw_);
  Bind(commands, MakePipeline({.dynamic = {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_LINE_WIDTH}}));
  Run(draw_, commands);
  ExpectMessages({"VUID-vkCmdDraw-None-07840", "VUID-vkCmdDraw-None-07833"});
  EndFor(draw_, commands);
}

TEST_F(SetStates, StridesNeedTheirParameter) {
  Start();
  const VkPipeline pipeline = MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE}});
  const VkBuffer buffer = MakeBuffer(64);
  const VkDeviceSize zero = 0;
  const VkCommandBuffer commands = BeginFor(draw_);
  Bind(commands, pipeline);
  vk.CmdBindVertexBuffers2(commands, 0, 1, &buffer, &zero, nullptr, nullptr);
  ExpectRule(draw_, commands, "pStrides-04913");
  vk.CmdBindVertexBuffers2(commands, 0, 1, &buffer, &zero, nullptr, &zero);
  ExpectSilence(draw_, commands);
  EndFor(draw_, commands);
}

TEST_F(SetStates, StridesAreNotNeededWithVertexInput) {
  Start();
  const VkCommandBuffer commands = BeginFor(draw_);
  Bind(commands,
       MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}}));
  Set(commands, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
  ExpectSilence(draw_, commands);
  EndFor(draw_, commands);
}

TEST_F(SetStates, NumbersOfViewportsAndScissors) {
  const VkRect2D scissors[] = {{{0, 0}, {64, 64}}, {{0, 0}, {64, 64}}};
  for (const bool has_shader_objects : {false, true}) {
    Start({.has_shader_objects = has_shader_objects});
    for (const ActionCall& call : ActionCalls()) {
      if (call.point != DrawRecording::kGraphics) continue;
      SCOPED_TRACE(std::string(call.name));
      const Stages stages = StagesOf(call);
      const VkCommandBuffer commands = BeginFor(call);
      if (has_shader_objects) {
        BindShaders(commands, stages);
        for (const VkDynamicState state : vk::kDynamicStates) {
          if (state != VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR && HasState(state)) Set(commands, state);
        }
      } else {
        Bind(commands,
             MakePipeline({.stages = stages,
                           .dynamic = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT}}));
        Set(commands, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
        Set(commands, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
      }
      ExpectSilence(call, commands);
      vk.CmdSetScissorWithCount(commands, 2, scissors);
      ExpectRule(call, commands, "viewportCount-03419");
      EndFor(call, commands);
    }
    Destroy();
  }
}

TEST_F(SetStates, InheritedViewports) {
  driver().config().disabled_extensions.clear();
  test::DeviceOptions options;
  options.device_extensions = {"VK_NV_inherited_viewport_scissor"};
  test::ExtensionFeatures features;
  options.features = features.Enable(options.device_extensions, {});
  Create(options);
  const VkPipeline pipeline = MakeGraphicsPipeline(MakePipelineLayout({}));
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkViewport depth = {0, 0, 64, 64, 0, 1};
  for (const bool inherits : {true, false}) {
    const VkCommandBufferInheritanceViewportScissorInfoNV viewports = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_VIEWPORT_SCISSOR_INFO_NV, nullptr, inherits, inherits ? 1u : 0u,
        &depth};
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .pNext = &viewports,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &rendering};
    const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                            VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inheritance};
    const VkCommandBuffer commands = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    vk.BeginCommandBuffer(commands, &begin);
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    ExpectNothing();
    vk.CmdDraw(commands, 3, 1, 0, 0);
    if (!inherits) ExpectMessages({"VUID-vkCmdDraw-None-07831", "VUID-vkCmdDraw-None-07832"});
    ExpectNothing();
    End(commands);
  }
}

// What the queue has bound and set is inherited.
TEST_F(SetStates, InheritedCommandBuffers) {
  driver().config().disabled_extensions.clear();
  test::DeviceOptions options;
  options.device_extensions = {"VK_NV_command_buffer_inheritance"};
  test::ExtensionFeatures features;
  options.features = features.Enable(options.device_extensions, {});
  Create(options);
  Record([&](VkCommandBuffer commands) {
    vk.CmdDispatch(commands, 1, 1, 1);
    ExpectNothing();
  });
}

TEST_F(SetStates, LinkedLibraries) {
  driver().config().disabled_extensions.clear();
  test::DeviceOptions options;
  options.device_extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"};
  test::ExtensionFeatures features;
  options.features = features.Enable(options.device_extensions, {});
  Create(options);
  const VkPipelineLayout layout = MakePipelineLayout({});
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_BLEND_CONSTANTS};
  const VkPipelineDynamicStateCreateInfo dynamic = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = 2, .pDynamicStates = states};
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkViewport viewport = {0, 0, 64, 64, 0, 1};
  const VkRect2D area = {{0, 0}, {64, 64}};
  const VkPipelineViewportStateCreateInfo viewports = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, &viewport, 1, &area};
  const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
  const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                     .attachmentCount = 1,
                                                     .pAttachments = &attachment};
  const auto make = [&](VkGraphicsPipelineLibraryFlagsEXT parts, bool is_dynamic) {
    const bool has_vertex = (parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) != 0;
    const bool has_output = (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) != 0;
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = 1,
                                               .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineLibraryCreateInfoEXT library = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
                                                            &rendering, parts};
    const VkPipelineShaderStageCreateInfo stages[] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                       .module = MakeShader(test::VertexShader(0)),
                                                       .pName = "main"},
                                                      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                       .module = MakeShader(test::FragmentShader(1)),
                                                       .pName = "main"}};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &library,
                                               .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                                               .stageCount = 1,
                                               .pStages = &stages[has_vertex ? 0 : 1],
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewports,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = has_output ? &blend : nullptr,
                                               .pDynamicState = is_dynamic ? &dynamic : nullptr,
                                               .layout = layout,
                                               .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  };
  // The state of the first library is dynamic, that of the second is not.
  const VkPipeline libraries[] = {make(VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                                           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
                                       true),
                                  make(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                                           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
                                       false)};
  ExpectNothing();
  const VkPipelineLibraryCreateInfoKHR linked = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 2,
                                                 libraries};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .pNext = &linked,
                                             .layout = layout,
                                             .basePipelineIndex = -1};
  VkPipeline pipeline = VK_NULL_HANDLE;
  vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
  const VkImageView view = MakeView(MakeImage(format, 64, 64, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
  const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                           .imageView = view,
                                           .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                           .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE};
  const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                     .renderArea = area,
                                     .layerCount = 1,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &color};
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  vk.CmdBeginRendering(commands, &rendering);
  vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vk.CmdDraw(commands, 3, 1, 0, 0);
  ExpectMessage("VUID-vkCmdDraw-None-07840");
  const float constants[4] = {};
  vk.CmdSetCullMode(commands, VK_CULL_MODE_NONE);
  vk.CmdDraw(commands, 3, 1, 0, 0);
  ExpectNothing();
  vk.CmdSetBlendConstants(commands, constants);
  vk.CmdDraw(commands, 3, 1, 0, 0);
  ExpectMessage("VUID-vkCmdDraw-None-08608");
  vk.CmdEndRendering(commands);
  End(commands);
}

}  // namespace
}  // namespace assay::core
