// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The values of states, and active queries: for every draw, through the whole layer.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/draw/cases/attachments_test.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

constexpr VkViewport kViewports[2] = {{0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}};
constexpr VkRect2D kScissors[2] = {{{0, 0}, {64, 64}}, {{0, 0}, {64, 64}}};
constexpr VkViewportWScalingNV kScalings[2] = {{1, 1}, {1, 1}};
constexpr VkViewportSwizzleNV kSwizzle = {
    VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_X_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Y_NV,
    VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Z_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_W_NV};
constexpr VkViewportSwizzleNV kSwizzles[2] = {kSwizzle, kSwizzle};
constexpr VkShadingRatePaletteEntryNV kRate = VK_SHADING_RATE_PALETTE_ENTRY_NO_INVOCATIONS_NV;
constexpr VkShadingRatePaletteNV kPalettes[2] = {{1, &kRate}, {1, &kRate}};

class Values : public Attachments {
 protected:
  // The device does not have the limit.
  template <class T, VkBool32 T::* kLimit>
  void Lose() {
    driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
      if (properties->sType == vk::kStructureTypeOf<T>) reinterpret_cast<T*>(properties)->*kLimit = VK_FALSE;
    };
  }
  // Sets numbers of viewports, and of what there is for each viewport; nothing where it is 0.
  static SetFunction Counts(uint32_t viewports, uint32_t scalings = 0, uint32_t swizzles = 0, uint32_t palettes = 0) {
    return [=](const test::Functions& vk, VkCommandBuffer commands) {
      vk.CmdSetViewportWithCount(commands, viewports, kViewports);
      vk.CmdSetScissorWithCount(commands, viewports, kScissors);
      if (scalings != 0) {
        vk.CmdSetViewportWScalingEnableNV(commands, VK_TRUE);
        vk.CmdSetViewportWScalingNV(commands, 0, scalings, kScalings);
      }
      if (swizzles != 0) vk.CmdSetViewportSwizzleNV(commands, 0, swizzles, kSwizzles);
      if (palettes == 0) return;
      vk.CmdSetShadingRateImageEnableNV(commands, VK_TRUE);
      vk.CmdSetViewportShadingRatePaletteNV(commands, 0, palettes, kPalettes);
    };
  }
  // A pipeline whose numbers of viewports and scissors are dynamic.
  static PipelineOptions With(std::vector<VkDynamicState> states, const void* viewport_chain = nullptr) {
    states.push_back(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
    states.push_back(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
    return {.dynamic = states, .viewport_chain = viewport_chain};
  }
  static SetFunction SetTo(VkDynamicState state, uint32_t value) {
    return [=](const test::Functions& vk, VkCommandBuffer commands) { SetState(vk, commands, state, value); };
  }
  // Draws of vertices or of meshes that have the rule. `bind` binds and sets; `right` makes it correct, `wrong` not.
  template <class F>
  void RunPair(const char* rule, bool draws_meshes, const F& bind, const SetFunction& right, const SetFunction& wrong) {
    ForEach(rule, [&](const ActionCall& call) {
      // SPIRV-Tools takes no array of rates from mesh shaders of VK_NV_mesh_shader.
      if (call.draws_meshes != draws_meshes || StagesOf(call) == Stages::kMeshNv) return;
      const VkCommandBuffer commands = BeginFor(call);
      stages_ = StagesOf(call);
      bind(commands);
      right(vk, commands);
      ExpectSilence(call, commands);
      wrong(vk, commands);
      ExpectRule(call, commands, rule);
      EndFor(call, commands);
    });
  }

  // Of the call of a pair.
  Stages stages_ = Stages::kVertex;
};

TEST_F(Values, NumbersOfViewports) {
  Start({.has_shader_objects = true});
  const VkPipelineViewportWScalingStateCreateInfoNV scaling = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV, nullptr, VK_TRUE, 1, kScalings};
  const VkPipelineViewportWScalingStateCreateInfoNV no_scaling = {scaling.sType, nullptr, VK_FALSE, 1, kScalings};
  const VkPipelineViewportSwizzleStateCreateInfoNV swizzle = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV, nullptr, 0, 1, kSwizzles};
  const VkPipelineViewportExclusiveScissorStateCreateInfoNV exclusive = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV, nullptr, 1, kScissors};
  const VkPipelineViewportExclusiveScissorStateCreateInfoNV none = {exclusive.sType};
  const PipelineOptions sets_scaling =
      With({VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV, VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV});
  const PipelineOptions sets_swizzle = With({VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV});
  RunCases({
      {nullptr, With({}), {}, Counts(2)},
      {"viewportCount-04137", With({}, &scaling), {}, Counts(2)},
      {nullptr, With({}, &scaling), {}, Counts(1)},
      {nullptr, With({}, &no_scaling), {}, Counts(2)},
      {"None-08636", sets_scaling, {}, Counts(2, 1)},
      {nullptr, sets_scaling, {}, Counts(2, 2)},
      {"viewportCount-07492", With({}, &swizzle), {}, Counts(2)},
      {nullptr, With({}, &swizzle), {}, Counts(1)},
      {"viewportCount-07493", sets_swizzle, {}, Counts(2, 0, 1)},
      {nullptr, sets_swizzle, {}, Counts(2, 0, 2)},
      {"VkPipelineVieportCreateInfo-04142", With({}, &exclusive), {}, Counts(2)},
      {nullptr, With({}, &exclusive), {}, Counts(1)},
      {nullptr, With({}, &none), {}, Counts(2)},
  });
  RunShaders("None-08636", {}, Counts(2, 1, 2));
  RunShaders("viewportCount-09421", {}, Counts(2, 2, 1));
  RunShaders(nullptr, {}, Counts(2, 2, 2));
}
TEST_F(Values, NumbersOfPalettes) {
  Start({.has_rate_images = true, .has_shader_objects = true});
  const VkPipelineViewportShadingRateImageStateCreateInfoNV rates = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV, nullptr, VK_TRUE, 1, kPalettes};
  const PipelineOptions sets =
      With({VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV, VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV});
  RunCases({
      {"viewportCount-04139", With({}, &rates), {}, Counts(2)},
      {nullptr, With({}, &rates), {}, Counts(1)},
      {"None-08637", sets, {}, Counts(2, 0, 0, 1)},
      {nullptr, sets, {}, Counts(2, 0, 0, 2)},
  });
  RunShaders("None-08637", {}, Counts(2, 0, 2, 1));
  RunShaders(nullptr, {}, Counts(2, 0, 2, 2));
}

TEST_F(Values, RatesOfPrimitives) {
  using Limits = VkPhysicalDeviceFragmentShadingRatePropertiesKHR;
  Lose<Limits, &Limits::primitiveFragmentShadingRateWithMultipleViewports>();
  Start({.has_shader_objects = true});
  for (const bool draws_meshes : {false, true}) {
    ShaderAddition writes = {.capabilities = "OpCapability FragmentShadingRateKHR\n",
                             .extensions = "OpExtension \"SPV_KHR_fragment_shading_rate\"\n",
                             .variables = "%rate",
                             .decorations = "OpDecorate %rate BuiltIn PrimitiveShadingRateKHR\n"};
    if (draws_meshes) {
      writes.stages = VK_SHADER_STAGE_MESH_BIT_EXT;
      writes.decorations += "OpDecorate %rate PerPrimitiveEXT\n";
      writes.declarations =
          "%one = OpConstant %uint 1\n%rates = OpTypeArray %uint %one\n%pointer = OpTypePointer Output %rates\n"
          "%rate = OpVariable %pointer Output\n%element = OpTypePointer Output %uint\n";
      writes.body = "%first = OpAccessChain %element %rate %zero\nOpStore %first %zero\n";
    } else {
      writes.stages = VK_SHADER_STAGE_VERTEX_BIT;
      writes.declarations = "%pointer = OpTypePointer Output %uint\n%rate = OpVariable %pointer Output\n";
      writes.body = "OpStore %rate %zero\n";
    }
    PipelineOptions options = With({});
    const auto bind = [&](VkCommandBuffer commands) {
      options.stages = stages_;
      Bind(commands, MakePipeline(options));
    };
    // A rate that is only declared is right.
    ShaderAddition declares = writes;
    declares.body.clear();
    Add(declares, VK_NULL_HANDLE);
    if (!draws_meshes) RunCases({{nullptr, With({}), {}, Counts(2)}});
    Add(writes, VK_NULL_HANDLE);
    RunPair("primitiveFragmentShadingRateWithMultipleViewports-04552", draws_meshes, bind, Counts(1), Counts(2));
    const auto bind_shaders = [&](VkCommandBuffer commands) { BindShaders(commands, stages_), SetAll(commands); };
    RunPair("primitiveFragmentShadingRateWithMultipleViewports-08642", draws_meshes, bind_shaders, Counts(1, 0, 2),
            Counts(2));
    Add({}, VK_NULL_HANDLE);
  }
}

SetFunction StippledLines(VkLineRasterizationMode mode, VkBool32 is_stippled = VK_TRUE) {
  return [=](const test::Functions& vk, VkCommandBuffer commands) {
    vk.CmdSetLineStippleEnableEXT(commands, is_stippled);
    vk.CmdSetLineRasterizationModeEXT(commands, mode);
  };
}

TEST_F(Values, StippledLines) {
  const PipelineOptions sets = {
      .dynamic = {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT}};
  for (const bool has_features : {false, true}) {
    Start({.without = has_features ? std::set<std::string>()
                                   : std::set<std::string>{"stippledRectangularLines", "stippledBresenhamLines",
                                                           "stippledSmoothLines"}});
    const auto rule = [&](const char* of) { return has_features ? nullptr : of; };
    RunCases({
        {rule("stippledLineEnable-07495"), sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_RECTANGULAR)},
        {rule("stippledLineEnable-07496"), sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_BRESENHAM)},
        {rule("stippledLineEnable-07497"), sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH)},
        {rule("stippledLineEnable-07498"), sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_DEFAULT)},
        {nullptr, sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_BRESENHAM, VK_FALSE)},
    });
    Destroy();
  }
  driver().config().limits.strictLines = VK_FALSE;
  Start();
  RunCases({{"stippledLineEnable-07498", sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_DEFAULT)},
            {nullptr, sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_RECTANGULAR)}});
}

constexpr char kLinesOfMeshes[] =
    "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputLinesEXT\n"
    "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 1\n";
constexpr char kLinesOfGeometry[] =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
    "OpExecutionMode %main OutputLineStrip\nOpExecutionMode %main OutputVertices 3\n";
constexpr char kLinesOfEvaluation[] =
    "OpExecutionMode %main Isolines\nOpExecutionMode %main SpacingEqual\nOpExecutionMode %main VertexOrderCcw\n"
    "OpExecutionMode %main OutputVertices 3\n";

TEST_F(Values, ConservativeRasterization) {
  using Limits = VkPhysicalDeviceConservativeRasterizationPropertiesEXT;
  Lose<Limits, &Limits::conservativePointAndLineRasterization>();
  Start();
  constexpr const char* kRule = "conservativePointAndLineRasterization-07499";
  constexpr VkDynamicState kMode = VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT;
  const auto on = SetTo(kMode, VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT);
  const auto off = SetTo(kMode, VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
  const PipelineOptions lines = {.dynamic = {kMode}, .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST};
  RunCases({{nullptr, {.dynamic = {kMode}}, {}, on}});
  Add({.stages = VK_SHADER_STAGE_MESH_BIT_EXT, .modes = kLinesOfMeshes}, VK_NULL_HANDLE);
  RunCases({{kRule, lines, {}, on}, {nullptr, lines, {}, off}});
  Add({.stages = VK_SHADER_STAGE_GEOMETRY_BIT, .modes = kLinesOfGeometry}, VK_NULL_HANDLE);
  const VkPipeline pipeline = MakePipeline({.stages = Stages::kAllVertex, .dynamic = {kMode}});
  RunPair(kRule, false, [&](VkCommandBuffer commands) { Bind(commands, pipeline); }, off, on);
}

TEST_F(Values, Topologies) {
  using Limits = VkPhysicalDeviceExtendedDynamicState3PropertiesEXT;
  Lose<Limits, &Limits::dynamicPrimitiveTopologyUnrestricted>();
  Start({.has_shader_objects = true, .without = {"primitiveTopologyListRestart"}});
  constexpr VkDynamicState kTopology = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
  const auto with = [&](const PipelineOptions& options) {
    return [this, pipeline = MakePipeline(options)](VkCommandBuffer commands) { Bind(commands, pipeline); };
  };
  const auto strip = SetTo(kTopology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  RunPair("dynamicPrimitiveTopologyUnrestricted-07500", false, with({.dynamic = {kTopology}}), strip,
          SetTo(kTopology, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP));
  const auto all = [&](VkCommandBuffer commands) { BindShaders(commands, Stages::kAllVertex), SetAll(commands); };
  RunPair("primitiveTopology-10286", false, all, SetTo(kTopology, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST), strip);

  constexpr VkDynamicState kRestart = VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE;
  RunPair("None-09637", false, with({.dynamic = {kRestart}}), SetTo(kRestart, VK_FALSE), SetTo(kRestart, VK_TRUE));
  const auto shaders = [&](VkCommandBuffer commands) {
    BindShaders(commands, Stages::kVertex);
    SetAll(commands);
    Set(commands, kRestart, VK_TRUE);
  };
  RunPair("None-09637", false, shaders, strip, SetTo(kTopology, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY));
}

TEST_F(Values, StatesOfLines) {
  Start({.has_shader_objects = true});
  constexpr struct {
    VkDynamicState state;
    const char* rule;
  } kRows[] = {{VK_DYNAMIC_STATE_LINE_WIDTH, "None-08619"},
               {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, "None-08668"},
               {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, "None-08671"}};
  for (const VkShaderStageFlagBits last : {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT}) {
    const bool has_geometry = last == VK_SHADER_STAGE_GEOMETRY_BIT;
    for (const auto& row : kRows) {
      for (const bool makes_lines : {false, true}) {
        Add(!makes_lines ? ShaderAddition()
                         : ShaderAddition{.stages = VkShaderStageFlags{last},
                                          .modes = has_geometry ? kLinesOfGeometry : kLinesOfEvaluation},
            VK_NULL_HANDLE);
        ForEach(row.rule, [&](const ActionCall& call) {
          if (call.draws_meshes) return;
          const VkCommandBuffer commands = BeginFor(call);
          BindShaders(commands, Stages::kAllVertex);
          BindShader(commands, VK_SHADER_STAGE_GEOMETRY_BIT, has_geometry);
          for (const VkDynamicState state : vk::kDynamicStates) {
            const bool is_other = state != row.state && state != VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR;
            if (is_other && HasState(state)) Set(commands, state);
          }
          Set(commands, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
          ExpectCase(call, commands, makes_lines ? row.rule : nullptr);
          Set(commands, row.state);
          ExpectSilence(call, commands);
          EndFor(call, commands);
        });
      }
    }
  }
}

TEST_F(Values, Queries) {
  Start({.extensions = {"VK_EXT_primitives_generated_query"}});
  const VkQueryPool tasks =
      MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT);
  const VkQueryPool fragments =
      MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT);
  const VkQueryPool vertices =
      MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT);
  const struct {
    const char* rule;
    bool draws_meshes;
    VkQueryPool wrong;
    VkQueryPool right;
  } rows[] = {
      {"stage-07073", false, MakeQueryPool(VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, 1), vertices},
      {"None-07074", true, MakeQueryPool(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 1), fragments},
      {"None-07075", true, MakeQueryPool(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 1), fragments},
      {"pipelineStatistics-07076", true, vertices, fragments},
      {"None-07819", true, tasks, fragments},
  };
  for (const auto& row : rows) {
    ForEach(row.rule, [&](const ActionCall& call) {
      if (call.draws_meshes != row.draws_meshes) return;
      const VkCommandBuffer commands = BeginFor(call);
      Bind(commands, PlainPipelineOf(call));
      vk.CmdBeginQuery(commands, row.right, 0, 0);
      ExpectSilence(call, commands);
      vk.CmdEndQuery(commands, row.right, 0);
      vk.CmdBeginQuery(commands, row.wrong, 0, 0);
      ExpectRule(call, commands, row.rule);
      vk.CmdEndQuery(commands, row.wrong, 0);
      EndFor(call, commands);
    });
  }
}

TEST_F(Values, LastInstance) {
  driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
    if (properties->sType == vk::kStructureTypeOf<VkPhysicalDeviceMultiviewProperties>)
      reinterpret_cast<VkPhysicalDeviceMultiviewProperties*>(properties)->maxMultiviewInstanceIndex = 1u << 27;
  };
  Start();
  for (const vk::CommandId command :
       {vk::CommandId::kCmdDraw, vk::CommandId::kCmdDrawIndexed, vk::CommandId::kCmdDrawMultiEXT,
        vk::CommandId::kCmdDrawMultiIndexedEXT, vk::CommandId::kCmdDrawIndirectByteCountEXT}) {
    const ActionCall& call = CallOf(command);
    SCOPED_TRACE(std::string(call.name));
    for (const uint32_t view_mask : {0u, 1u}) {
      const VkCommandBuffer commands = BeginFor(call);
      vk.CmdEndRendering(commands);
      BeginRendering(commands, {.view_mask = view_mask});
      messages.Take();
      Bind(commands, MakePipeline({.view_mask = view_mask}));
      numbers.first_instance = 1u << 27;
      ExpectSilence(call, commands);
      numbers.first_instance += 1;
      Run(call, commands);
      if (view_mask != 0) ExpectMessage("VUID-" + std::string(call.name) + "-maxMultiviewInstanceIndex-02688");
      EndFor(call, commands);
    }
  }
}

TEST_F(Values, GroupsOfMeshes) {
  driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
    if (properties->sType != vk::kStructureTypeOf<VkPhysicalDeviceMeshShaderPropertiesEXT>) return;
    auto& limits = *reinterpret_cast<VkPhysicalDeviceMeshShaderPropertiesEXT*>(properties);
    limits.maxTaskWorkGroupTotalCount = limits.maxMeshWorkGroupTotalCount = 100;
    for (int i = 0; i < 3; ++i) limits.maxTaskWorkGroupCount[i] = limits.maxMeshWorkGroupCount[i] = 10;
  };
  Start();
  const ActionCall& call = CallOf(vk::CommandId::kCmdDrawMeshTasksEXT);
  for (const bool has_task : {true, false}) {
    const VkCommandBuffer commands = BeginFor(call);
    Bind(commands, MakePipeline({.stages = has_task ? Stages::kTask : Stages::kMesh}));
    vk.CmdDrawMeshTasksEXT(commands, 10, 5, 2);
    ExpectNothing();
    vk.CmdDrawMeshTasksEXT(commands, 11, 1, 1);
    ExpectMessage(has_task ? "VUID-vkCmdDrawMeshTasksEXT-TaskEXT-07322" : "VUID-vkCmdDrawMeshTasksEXT-TaskEXT-07326");
    vk.CmdDrawMeshTasksEXT(commands, 1, 11, 1);
    ExpectMessage(has_task ? "VUID-vkCmdDrawMeshTasksEXT-TaskEXT-07323" : "VUID-vkCmdDrawMeshTasksEXT-TaskEXT-07327");
    vk.CmdDrawMeshTasksEXT(commands, 1, 1, 11);
    ExpectMessage(has_task ? "VUID-vkCmdDrawMeshTasksEXT-TaskEXT-07324" : "VUID-vkCmdDrawMeshTasksEXT-TaskEXT-07328");
    vk.CmdDrawMeshTasksEXT(commands, 10, 5, 3);
    ExpectMessage(has_task ? "VUID-vkCmdDrawMeshTasksEXT-TaskEXT-07325" : "VUID-vkCmdDrawMeshTasksEXT-TaskEXT-07329");
    EndFor(call, commands);
  }
}

}  // namespace
}  // namespace assay::core
