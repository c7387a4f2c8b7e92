// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// When a dynamic state counts as set, through the whole layer.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/draw/cases/draw_test.h"

namespace assay::core {
namespace {

// The states that a pipeline of DrawTest without dynamic state has itself. It has no structures of extensions.
std::set<VkDynamicState> StaticStates() {
  std::set<VkDynamicState> states;
  states.insert({VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                 VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                 VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, VK_DYNAMIC_STATE_LINE_WIDTH,
                 VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_CULL_MODE,
                 VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                 VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
                 VK_DYNAMIC_STATE_DEPTH_BOUNDS, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE});
  states.insert(
      {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
       VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
       VK_DYNAMIC_STATE_STENCIL_REFERENCE, VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
       VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
       VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, VK_DYNAMIC_STATE_BLEND_CONSTANTS, VK_DYNAMIC_STATE_LOGIC_OP_EXT,
       VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
       VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT});
  return states;
}

class SetStates : public DrawTest {
 protected:
  void SetUp() override { Start(); }
  void TearDown() override {
    if (commands_ != VK_NULL_HANDLE) EndFor();
    DrawTest::TearDown();
  }
  // A new recording, for a draw. The last one ends.
  void BeginDraw() {
    if (commands_ != VK_NULL_HANDLE) EndFor();
    BeginFor(CallOf(vk::CommandId::kCmdDraw));
  }
  // The draw breaks the rule; none if it is empty.
  void ExpectBound(VkPipeline pipeline, std::string_view rule) {
    Bind(pipeline);
    ExpectRule(rule);
  }
  void ExpectBound(const PipelineOptions& options, std::string_view rule) { ExpectBound(MakePipeline(options), rule); }
  void ExpectSet(VkDynamicState state, uint32_t value, std::string_view rule) {
    Set(state, value);
    ExpectRule(rule);
  }
  void ExpectSet(VkDynamicState state, std::string_view rule) { ExpectSet(state, PlainValue(state), rule); }
};

TEST_F(SetStates, StaticStateAfterBind) {
  RecordEach(DrawRecording::kGraphics, [&] {
    const VkPipeline pipeline = PlainPipelineOf(*call_);
    Set(VK_DYNAMIC_STATE_CULL_MODE);
    // Set before, it is without effect.
    ExpectBound(pipeline, "");
    ExpectSet(VK_DYNAMIC_STATE_CULL_MODE, "None-08608");
    // Binding the pipeline again makes it right.
    ExpectBound(pipeline, "");
  });
}

TEST_F(SetStates, EachStaticStateAfterBind) {
  const VkPipeline pipeline = MakePipeline({});
  const std::set<VkDynamicState> fixed = StaticStates();
  for (const VkDynamicState state : vk::kDynamicStates) {
    if (state == VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR || !HasState(state)) continue;
    SCOPED_TRACE(state);
    BeginDraw();
    Bind(pipeline);
    ExpectSet(state, fixed.contains(state) ? "None-08608" : "");
  }
}

TEST_F(SetStates, StaticStateInvalidates) {
  const VkPipeline fixed = MakePipeline({});
  constexpr std::pair<VkDynamicState, const char*> kRows[] = {
      {VK_DYNAMIC_STATE_VIEWPORT, "None-07831"},
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
    BeginDraw();
    Bind(dynamic);
    ExpectSet(state, "");
    // Another one with the state keeps it.
    Bind(MakePipeline({.dynamic = {state, VK_DYNAMIC_STATE_FRONT_FACE}}));
    ExpectSet(VK_DYNAMIC_STATE_FRONT_FACE, "");
    ExpectBound(dynamic, "");
    ExpectBound(fixed, "");
    ExpectBound(dynamic, rule);
  }
}

TEST_F(SetStates, IgnoredStatesDoNotInvalidate) {
  BeginDraw();
  Set(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
  Bind(MakePipeline({.stages = Stages::kMesh}));
  ExpectRule(CallOf(vk::CommandId::kCmdDrawMeshTasksEXT), "");
  ExpectBound({.dynamic = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY}}, "");
  Set(VK_DYNAMIC_STATE_BLEND_CONSTANTS);
  ExpectBound({.is_discarded = true}, "");
  ExpectBound({.dynamic = {VK_DYNAMIC_STATE_BLEND_CONSTANTS}}, "");
}

// States that do not matter to the draw need not be set, but to the letter.
TEST_F(SetStates, StatesThatDoNotMatter) {
  Start({.is_strict = false});
  BeginDraw();
  const std::vector<VkDynamicState> dynamic = {VK_DYNAMIC_STATE_BLEND_CONSTANTS, VK_DYNAMIC_STATE_LINE_WIDTH};
  ExpectBound({.dynamic = dynamic}, "");
  ExpectBound({.dynamic = dynamic, .has_blend_constants = true}, "None-07835");
  ExpectBound({.dynamic = dynamic, .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST}, "None-07833");
}

TEST_F(SetStates, StaticValuesDecide) {
  BeginDraw();
  ExpectBound({.dynamic = {VK_DYNAMIC_STATE_DEPTH_BIAS}}, "");
  ExpectBound({.dynamic = {VK_DYNAMIC_STATE_DEPTH_BIAS}, .has_depth_bias = true}, "None-07834");
  // Without the fragments' parts, their dynamic states are ignored.
  ExpectBound({.dynamic = {VK_DYNAMIC_STATE_BLEND_CONSTANTS, VK_DYNAMIC_STATE_STENCIL_REFERENCE}, .is_discarded = true},
              "");
}

TEST_F(SetStates, DynamicValuesDecide) {
  BeginDraw();
  // Whether the operation is needed is not known.
  ExpectBound({.dynamic = {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP}}, "None-07847");
  ExpectSet(VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_FALSE, "");
  ExpectSet(VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_TRUE, "None-07848");
}

TEST_F(SetStates, EveryMissingStateIsReported) {
  BeginDraw();
  Bind(MakePipeline({.dynamic = {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_LINE_WIDTH}}));
  Run();
  ExpectMessages({"VUID-vkCmdDraw-None-07840", "VUID-vkCmdDraw-None-07833"});
}

TEST_F(SetStates, StridesNeedTheirParameter) {
  BeginDraw();
  Bind(MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE}}));
  const VkBuffer buffer = MakeBuffer(64);
  const VkDeviceSize zero = 0;
  vk.CmdBindVertexBuffers2(commands_, 0, 1, &buffer, &zero, nullptr, nullptr);
  ExpectRule("pStrides-04913");
  vk.CmdBindVertexBuffers2(commands_, 0, 1, &buffer, &zero, nullptr, &zero);
  ExpectSilence();
  // With the vertex input, they are not needed.
  BeginDraw();
  Bind(MakePipeline({.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}}));
  ExpectSet(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, "");
}

TEST_F(SetStates, NumbersOfViewportsAndScissors) {
  for (const bool has_shader_objects : {false, true}) {
    Start({.has_shader_objects = has_shader_objects});
    RecordEach(DrawRecording::kGraphics, [&] {
      if (has_shader_objects) {
        BindAndSetAll();
      } else {
        BindWith({.dynamic = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT}});
        Set(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
        Set(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
      }
      ExpectSilence();
      vk.CmdSetScissorWithCount(commands_, 2, kScissors);
      ExpectRule("viewportCount-03419");
    });
  }
}

TEST_F(SetStates, InheritedViewports) {
  StartWithOnly({"VK_NV_inherited_viewport_scissor"});
  const VkPipeline pipeline = MakeGraphicsPipeline(MakePipelineLayout({}));
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  for (const bool inherits : {true, false}) {
    const auto viewports =
        Of<VkCommandBufferInheritanceViewportScissorInfoNV>(inherits, inherits ? 1u : 0u, kViewports);
    const auto rendering =
        Typed<VkCommandBufferInheritanceRenderingInfo>({.pNext = &viewports,
                                                        .colorAttachmentCount = 1,
                                                        .pColorAttachmentFormats = &format,
                                                        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT});
    const auto inheritance = Typed(VkCommandBufferInheritanceInfo{.pNext = &rendering});
    const auto begin = Of<VkCommandBufferBeginInfo>(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inheritance);
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
  StartWithOnly({"VK_NV_command_buffer_inheritance"});
  Record([&](VkCommandBuffer commands) {
    vk.CmdDispatch(commands, 1, 1, 1);
    ExpectNothing();
  });
}

TEST_F(SetStates, LinkedLibraries) {
  StartWithOnly({"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"});
  Add({}, VK_NULL_HANDLE);
  const auto make = [&](VkGraphicsPipelineLibraryFlagsEXT parts, PipelineOptions options) {
    const auto library = Typed<VkGraphicsPipelineLibraryCreateInfoEXT>({.flags = parts});
    options.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
    options.next = &library;
    return MakePipeline(options);
  };
  // The state of the first library is dynamic, that of the second is not.
  const VkPipeline libraries[] = {make(VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                                           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
                                       {.without = VK_SHADER_STAGE_FRAGMENT_BIT,
                                        .dynamic = {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_BLEND_CONSTANTS}}),
                                  make(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                                           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
                                       {.without = VK_SHADER_STAGE_VERTEX_BIT})};
  const auto linked = Typed<VkPipelineLibraryCreateInfoKHR>({.libraryCount = 2, .pLibraries = libraries});
  const auto info =
      Typed<VkGraphicsPipelineCreateInfo>({.pNext = &linked, .layout = layout(), .basePipelineIndex = -1});
  const VkPipeline pipeline = MakePipelineFrom(info, vk.CreateGraphicsPipelines);
  BeginWith(CallOf(vk::CommandId::kCmdDraw));
  BeginRendering(commands_, {.color = MakeAttachment(VK_FORMAT_R8G8B8A8_UNORM),
                             .depth = MakeAttachment(VK_FORMAT_D24_UNORM_S8_UINT)});
  ExpectBound(pipeline, "None-07840");
  ExpectSet(VK_DYNAMIC_STATE_CULL_MODE, "");
  ExpectSet(VK_DYNAMIC_STATE_BLEND_CONSTANTS, "None-08608");
}

}  // namespace
}  // namespace assay::core
