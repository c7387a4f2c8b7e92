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
  // The device does not have the limit.
  template <class T, VkBool32 T::* kLimit>
  void Lose() {
    ChangeProperties<T>([](T& limits) { limits.*kLimit = VK_FALSE; });
  }
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
    states.push_back(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
    states.push_back(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
    return {.dynamic = states, .viewport_chain = viewport_chain};
  }
  // Draws of vertices or of meshes that have the rule. `bind` binds and sets; `right` makes it correct, `wrong` not.
  template <class F>
  void RunPair(const char* rule, bool draws_meshes, const F& bind, const SetFunction& right, const SetFunction& wrong) {
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
      {"viewportCount-04137", With({}, &scaling), {}, Counts(2), Counts(1)},
      {nullptr, With({}, &no_scaling), {}, Counts(2)},
      {"None-08636", sets_scaling, {}, Counts(2, 1), Counts(2, 2)},
      {"viewportCount-07492", With({}, &swizzle), {}, Counts(2), Counts(1)},
      {"viewportCount-07493", sets_swizzle, {}, Counts(2, 0, 1), Counts(2, 0, 2)},
      {"VkPipelineVieportCreateInfo-04142", With({}, &exclusive), {}, Counts(2), Counts(1)},
      {nullptr, With({}, &none), {}, Counts(2)},
  });
  RunShaders("None-08636", {}, Counts(2, 1, 2));
  RunShaders("viewportCount-09421", {}, Counts(2, 2, 1), Counts(2, 2, 2));
}
TEST_F(Values, NumbersOfPalettes) {
  Start({.has_rate_images = true, .has_shader_objects = true});
  const VkPipelineViewportShadingRateImageStateCreateInfoNV rates = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV, nullptr, VK_TRUE, 1, kPalettes};
  const PipelineOptions sets =
      With({VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV, VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV});
  RunCases({
      {"viewportCount-04139", With({}, &rates), {}, Counts(2), Counts(1)},
      {"None-08637", sets, {}, Counts(2, 0, 0, 1), Counts(2, 0, 0, 2)},
  });
  RunShaders("None-08637", {}, Counts(2, 0, 2, 1), Counts(2, 0, 2, 2));
}

TEST_F(Values, RatesOfPrimitives) {
  using Limits = VkPhysicalDeviceFragmentShadingRatePropertiesKHR;
  Lose<Limits, &Limits::primitiveFragmentShadingRateWithMultipleViewports>();
  Start({.has_shader_objects = true});
  for (const bool draws_meshes : {false, true}) {
    ShaderAddition writes = {
        .stages = VkShaderStageFlags{draws_meshes ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT},
        .capabilities = "OpCapability FragmentShadingRateKHR\n",
        .extensions = "OpExtension \"SPV_KHR_fragment_shading_rate\"\n",
        .variables = "%rate",
        .decorations = "OpDecorate %rate BuiltIn PrimitiveShadingRateKHR\n",
        .declarations = "%pointer = OpTypePointer Output %uint\n%rate = OpVariable %pointer Output\n",
        .body = "OpStore %rate %zero\n"};
    if (draws_meshes) {
      writes.decorations += "OpDecorate %rate PerPrimitiveEXT\n";
      writes.declarations =
          "%one = OpConstant %uint 1\n%rates = OpTypeArray %uint %one\n%pointer = OpTypePointer Output %rates\n"
          "%rate = OpVariable %pointer Output\n%element = OpTypePointer Output %uint\n";
      writes.body = "%first = OpAccessChain %element %rate %zero\nOpStore %first %zero\n";
    }
    // A rate that is only declared is right.
    ShaderAddition declares = writes;
    declares.body.clear();
    Add(declares);
    if (!draws_meshes) RunCases({{nullptr, With({}), {}, Counts(2)}});
    Add(writes);
    RunPair(
        "primitiveFragmentShadingRateWithMultipleViewports-04552", draws_meshes, [&] { BindWith(With({})); }, Counts(1),
        Counts(2));
    RunPair(
        "primitiveFragmentShadingRateWithMultipleViewports-08642", draws_meshes, [&] { BindAndSetAll(); },
        Counts(1, 0, 2), Counts(2));
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

const std::string kLinesOfMeshes =
    ExecutionModes("LocalSize 1 1 1; OutputLinesEXT; OutputVertices 3; OutputPrimitivesEXT 1");
const std::string kLinesOfGeometry = ExecutionModes("Triangles; Invocations 1; OutputLineStrip; OutputVertices 3");
const std::string kLinesOfEvaluation = ExecutionModes("Isolines; SpacingEqual; VertexOrderCcw; OutputVertices 3");

TEST_F(Values, ConservativeRasterization) {
  using Limits = VkPhysicalDeviceConservativeRasterizationPropertiesEXT;
  Lose<Limits, &Limits::conservativePointAndLineRasterization>();
  Start();
  constexpr const char* kRule = "conservativePointAndLineRasterization-07499";
  constexpr VkDynamicState kMode = VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT;
  const auto on = Sets(kMode, VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT);
  const auto off = Sets(kMode, VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
  const PipelineOptions lines = {.dynamic = {kMode}, .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST};
  RunCases({{nullptr, {.dynamic = {kMode}}, {}, on}});
  Add({.stages = VK_SHADER_STAGE_MESH_BIT_EXT, .modes = kLinesOfMeshes});
  RunCases({{kRule, lines, {}, on, off}});
  Add({.stages = VK_SHADER_STAGE_GEOMETRY_BIT, .modes = kLinesOfGeometry});
  const VkPipeline pipeline = MakePipeline({.stages = Stages::kAllVertex, .dynamic = {kMode}});
  RunPair(kRule, false, [&] { Bind(pipeline); }, off, on);
}

TEST_F(Values, Topologies) {
  using Limits = VkPhysicalDeviceExtendedDynamicState3PropertiesEXT;
  Lose<Limits, &Limits::dynamicPrimitiveTopologyUnrestricted>();
  Start({.has_shader_objects = true, .without = {"primitiveTopologyListRestart"}});
  constexpr VkDynamicState kTopology = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
  constexpr VkDynamicState kRestart = VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE;
  const auto with = [&](VkDynamicState state) { return [=, this] { BindWith({.dynamic = {state}}); }; };
  const auto strip = Sets(kTopology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  const auto lines = Sets(kTopology, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
  const auto list = Sets(kTopology, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY);
  const auto patches = Sets(kTopology, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
  const auto all = [&] { BindAndSetAll(Stages::kAllVertex); };
  const auto shaders = [&] {
    BindAndSetAll(Stages::kVertex);
    Set(kRestart, VK_TRUE);
  };
  RunPair("dynamicPrimitiveTopologyUnrestricted-07500", false, with(kTopology), strip, lines);
  RunPair("primitiveTopology-10286", false, all, patches, strip);
  RunPair("None-09637", false, with(kRestart), Sets(kRestart, VK_FALSE), Sets(kRestart, VK_TRUE));
  RunPair("None-09637", false, shaders, strip, list);
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
          ExpectCase(makes_lines ? rule : nullptr);
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
        ExpectCase(view_mask != 0 ? "maxMultiviewInstanceIndex-02688" : nullptr);
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
