// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The values of states, and active queries: for every draw, through the whole layer.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/draw/cases/attachments_test.h"

namespace assay::core {
namespace {

class Values : public Attachments {
 protected:
  // Sets numbers of viewports, and of what there is for each viewport; nothing where it is 0.
  static SetFunction Counts(uint32_t viewports, uint32_t scalings = 0, uint32_t swizzles = 0, uint32_t palettes = 0) {
    return [=](auto& vk, auto commands) {
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
    states.insert(states.end(), {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT});
    return {.dynamic = states, .viewport_chain = viewport_chain};
  }
  // Draws of vertices or of meshes that have the rule. `bind` binds and sets; `right` makes it correct, `wrong` not.
  template <class F>
  void RunPair(const char* rule, bool draws_meshes, const SetFunction& right, const SetFunction& wrong, const F& bind) {
    RecordEach(rule, [&] {
      // SPIRV-Tools takes no array of rates from mesh shaders of VK_NV_mesh_shader.
      if (call_->draws_meshes != draws_meshes || StagesOf(*call_) == Stages::kMeshNv) return;
      bind();
      right(vk, commands_);
      ExpectSilence();
      wrong(vk, commands_);
      ExpectRule(rule);
    });
  }
};

TEST_F(Values, NumbersOfViewports) {
  Start({.has_shader_objects = true});
  const auto scaling = Of<VkPipelineViewportWScalingStateCreateInfoNV>(VK_TRUE, 1, kScalings);
  const auto no_scaling = Of<VkPipelineViewportWScalingStateCreateInfoNV>(VK_FALSE, 1, kScalings);
  const auto swizzle = Of<VkPipelineViewportSwizzleStateCreateInfoNV>(0, 1, kSwizzles);
  const auto exclusive = Of<VkPipelineViewportExclusiveScissorStateCreateInfoNV>(1, kScissors);
  const auto none = Of<VkPipelineViewportExclusiveScissorStateCreateInfoNV>();
  const PipelineOptions sets_scaling =
      With({VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV, VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV});
  const PipelineOptions sets_swizzle = With({VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV});
  RunCases({
      {"", With({}), {}, Counts(2)},
      {"viewportCount-04137", With({}, &scaling), {}, Counts(2), Counts(1)},
      {"", With({}, &no_scaling), {}, Counts(2)},
      {"None-08636", sets_scaling, {}, Counts(2, 1), Counts(2, 2)},
      {"viewportCount-07492", With({}, &swizzle), {}, Counts(2), Counts(1)},
      {"viewportCount-07493", sets_swizzle, {}, Counts(2, 0, 1), Counts(2, 0, 2)},
      {"VkPipelineVieportCreateInfo-04142", With({}, &exclusive), {}, Counts(2), Counts(1)},
      {"", With({}, &none), {}, Counts(2)},
  });
  RunShaders("None-08636", {}, Counts(2, 1, 2));
  RunShaders("viewportCount-09421", {}, Counts(2, 2, 1), Counts(2, 2, 2));
}
TEST_F(Values, NumbersOfPalettes) {
  Start({.has_rate_images = true, .has_shader_objects = true});
  const auto rates = Of<VkPipelineViewportShadingRateImageStateCreateInfoNV>(VK_TRUE, 1, kPalettes);
  const PipelineOptions sets =
      With({VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV, VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV});
  RunCases({
      {"viewportCount-04139", With({}, &rates), {}, Counts(2), Counts(1)},
      {"None-08637", sets, {}, Counts(2, 0, 0, 1), Counts(2, 0, 0, 2)},
  });
  RunShaders("None-08637", {}, Counts(2, 0, 2, 1), Counts(2, 0, 2, 2));
}

TEST_F(Values, RatesOfPrimitives) {
  ChangeProperties<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>(
      [](auto& limits) { limits.primitiveFragmentShadingRateWithMultipleViewports = VK_FALSE; });
  Start({.has_shader_objects = true});
  for (const bool draws_meshes : {false, true}) {
    ShaderAddition writes = {
        .stages = VkShaderStageFlags{draws_meshes ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT},
        .capabilities = Capabilities("FragmentShadingRateKHR", "SPV_KHR_fragment_shading_rate"),
        .declarations =
            "%one = OpConstant %uint 1\n%rates = OpTypeArray %uint %one\n"
            "%element = OpTypePointer Output %uint\n",
        .globals = {{"%rate", "Output", "%uint", "BuiltIn PrimitiveShadingRateKHR"}},
        .body = "OpStore %rate %zero\n"};
    if (draws_meshes) {
      writes.globals = {{"%rate", "Output", "%rates", "BuiltIn PrimitiveShadingRateKHR, PerPrimitiveEXT"}};
      writes.body = "%first = OpAccessChain %element %rate %zero\nOpStore %first %zero\n";
    }
    // A rate that is only declared is right.
    ShaderAddition declares = writes;
    declares.body.clear();
    Add(declares);
    if (!draws_meshes) RunCases({{"", With({}), {}, Counts(2)}});
    Add(writes);
    RunPair("primitiveFragmentShadingRateWithMultipleViewports-04552", draws_meshes, Counts(1), Counts(2),
            [&] { BindWith(With({})); });
    RunPair("primitiveFragmentShadingRateWithMultipleViewports-08642", draws_meshes, Counts(1, 0, 2), Counts(2),
            [&] { BindAndSetAll(); });
    Add({});
  }
}

SetFunction StippledLines(VkLineRasterizationMode mode, VkBool32 is_stippled = VK_TRUE) {
  return Both(Sets(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, is_stippled),
              Sets(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, mode));
}

TEST_F(Values, StippledLines) {
  const PipelineOptions sets = {
      .dynamic = {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT}};
  const std::set<std::string> features = {"stippledRectangularLines", "stippledBresenhamLines", "stippledSmoothLines"};
  for (const bool has_features : {false, true}) {
    Start({.without = has_features ? std::set<std::string>() : features});
    const auto rule = [&](const char* of) { return has_features ? "" : of; };
    RunCases({
        {rule("stippledLineEnable-07495"), sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_RECTANGULAR)},
        {rule("stippledLineEnable-07496"), sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_BRESENHAM)},
        {rule("stippledLineEnable-07497"), sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH)},
        {rule("stippledLineEnable-07498"), sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_DEFAULT)},
        {"", sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_BRESENHAM, VK_FALSE)},
    });
  }
  driver().config().limits.strictLines = VK_FALSE;
  Start();
  RunCases({{"stippledLineEnable-07498", sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_DEFAULT)},
            {"", sets, {}, StippledLines(VK_LINE_RASTERIZATION_MODE_RECTANGULAR)}});
}

const std::string kLinesOfMeshes = Modes("LocalSize 1 1 1, OutputLinesEXT, OutputVertices 3, OutputPrimitivesEXT 1");
const std::string kLinesOfGeometry = Modes("Triangles, Invocations 1, OutputLineStrip, OutputVertices 3");
const std::string kLinesOfEvaluation = Modes("Isolines, SpacingEqual, VertexOrderCcw, OutputVertices 3");

TEST_F(Values, ConservativeRasterization) {
  ChangeProperties<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>(
      [](auto& limits) { limits.conservativePointAndLineRasterization = VK_FALSE; });
  Start();
  constexpr const char* kRule = "conservativePointAndLineRasterization-07499";
  constexpr VkDynamicState kMode = VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT;
  const auto on = Sets(kMode, VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT);
  const auto off = Sets(kMode, VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
  const PipelineOptions lines = {.dynamic = {kMode}, .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST};
  RunCases({{"", {.dynamic = {kMode}}, {}, on}});
  Add({.stages = VK_SHADER_STAGE_MESH_BIT_EXT, .modes = kLinesOfMeshes});
  RunCases({{kRule, lines, {}, on, off}});
  Add({.stages = VK_SHADER_STAGE_GEOMETRY_BIT, .modes = kLinesOfGeometry});
  const VkPipeline pipeline = MakePipeline({.stages = Stages::kAllVertex, .dynamic = {kMode}});
  RunPair(kRule, false, off, on, [&] { Bind(pipeline); });
}

TEST_F(Values, Topologies) {
  ChangeProperties<VkPhysicalDeviceExtendedDynamicState3PropertiesEXT>(
      [](auto& limits) { limits.dynamicPrimitiveTopologyUnrestricted = VK_FALSE; });
  Start({.has_shader_objects = true, .without = {"primitiveTopologyListRestart"}});
  constexpr VkDynamicState kTopology = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
  constexpr VkDynamicState kRestart = VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE;
  const auto with = [&](VkDynamicState state) { return [=, this] { BindWith({.dynamic = {state}}); }; };
  const auto strip = Sets(kTopology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  const auto lines = Sets(kTopology, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
  const auto list = Sets(kTopology, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY);
  const auto patches = Sets(kTopology, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
  RunPair("dynamicPrimitiveTopologyUnrestricted-07500", false, strip, lines, with(kTopology));
  RunPair("primitiveTopology-10286", false, patches, strip, [&] { BindAndSetAll(Stages::kAllVertex); });
  RunPair("None-09637", false, Sets(kRestart, VK_FALSE), Sets(kRestart, VK_TRUE), with(kRestart));
  RunPair("None-09637", false, strip, list, [&] {
    BindAndSetAll(Stages::kVertex);
    Set(kRestart, VK_TRUE);
  });
}

TEST_F(Values, StatesOfLines) {
  Start({.has_shader_objects = true});
  constexpr std::pair<VkDynamicState, const char*> kRows[] = {
      {VK_DYNAMIC_STATE_LINE_WIDTH, "None-08619"},
      {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, "None-08668"},
      {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, "None-08671"}};
  for (const VkShaderStageFlagBits last : {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT}) {
    const bool has_geometry = last == VK_SHADER_STAGE_GEOMETRY_BIT;
    for (const auto& [state, rule] : kRows) {
      for (const bool makes_lines : {false, true}) {
        ShaderAddition lines;
        if (makes_lines)
          lines = {.stages = VkShaderStageFlags{last}, .modes = has_geometry ? kLinesOfGeometry : kLinesOfEvaluation};
        Add(lines);
        RecordEach(rule, [&, state = state, rule = rule] {
          if (call_->draws_meshes) return;
          BindShaders(Stages::kAllVertex);
          BindShader(VK_SHADER_STAGE_GEOMETRY_BIT, has_geometry);
          SetAll({state});
          Set(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
          ExpectRule(makes_lines ? rule : "");
          Set(state);
          ExpectSilence();
        });
      }
    }
  }
}

TEST_F(Values, Queries) {
  Start({.extensions = {"VK_EXT_primitives_generated_query"}});
  const auto statistics = [&](VkQueryPipelineStatisticFlags flags) {
    return MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, flags);
  };
  const VkQueryPool tasks = statistics(VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT);
  const VkQueryPool fragments = statistics(VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT);
  const VkQueryPool vertices = statistics(VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT);
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
    RecordEach(row.rule, [&] {
      if (call_->draws_meshes != row.draws_meshes) return;
      BindPlain();
      vk.CmdBeginQuery(commands_, row.right, 0, 0);
      ExpectSilence();
      vk.CmdEndQuery(commands_, row.right, 0);
      vk.CmdBeginQuery(commands_, row.wrong, 0, 0);
      ExpectRule(row.rule);
      vk.CmdEndQuery(commands_, row.wrong, 0);
    });
  }
}

TEST_F(Values, LastInstance) {
  ChangeProperties<VkPhysicalDeviceMultiviewProperties>(
      [](auto& limits) { limits.maxMultiviewInstanceIndex = 1u << 27; });
  Start();
  for (const vk::CommandId command :
       {vk::CommandId::kCmdDraw, vk::CommandId::kCmdDrawIndexed, vk::CommandId::kCmdDrawMultiEXT,
        vk::CommandId::kCmdDrawMultiIndexedEXT, vk::CommandId::kCmdDrawIndirectByteCountEXT}) {
    for (const uint32_t view_mask : {0u, 1u}) {
      RecordFor(command, [&] {
        RenderInstead({.view_mask = view_mask});
        messages.Take();
        BindWith({.view_mask = view_mask});
        numbers.first_instance = 1u << 27;
        ExpectSilence();
        numbers.first_instance += 1;
        ExpectRule(view_mask != 0 ? "maxMultiviewInstanceIndex-02688" : "");
      });
    }
  }
}

TEST_F(Values, GroupsOfMeshes) {
  ChangeProperties<VkPhysicalDeviceMeshShaderPropertiesEXT>([](auto& limits) {
    limits.maxTaskWorkGroupTotalCount = limits.maxMeshWorkGroupTotalCount = 100;
    for (int i = 0; i < 3; ++i) limits.maxTaskWorkGroupCount[i] = limits.maxMeshWorkGroupCount[i] = 10;
  });
  Start();
  constexpr struct {
    VkExtent3D groups;
    const char* of_tasks;
    const char* of_meshes;
  } kRows[] = {{{11, 1, 1}, "TaskEXT-07322", "TaskEXT-07326"},
               {{1, 11, 1}, "TaskEXT-07323", "TaskEXT-07327"},
               {{1, 1, 11}, "TaskEXT-07324", "TaskEXT-07328"},
               {{10, 5, 3}, "TaskEXT-07325", "TaskEXT-07329"}};
  for (const bool has_task : {true, false}) {
    RecordFor(vk::CommandId::kCmdDrawMeshTasksEXT, [&] {
      Bind(MakePipeline({.stages = has_task ? Stages::kTask : Stages::kMesh}));
      vk.CmdDrawMeshTasksEXT(commands_, 10, 5, 2);
      ExpectNothing();
      for (const auto& [groups, of_tasks, of_meshes] : kRows) {
        vk.CmdDrawMeshTasksEXT(commands_, groups.width, groups.height, groups.depth);
        ExpectMessage(std::string("VUID-vkCmdDrawMeshTasksEXT-") + (has_task ? of_tasks : of_meshes));
      }
    });
  }
}

}  // namespace
}  // namespace assay::core
