// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The values of states, whether a pipeline has them or commands have set them: what they are to each other, and what
// the device allows. The queries that may be active.

#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "core/draw/shader_outputs.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using vk::FeatureId;

// A state that has a value for each viewport.
struct StateOfViewports {
  VkDynamicState state;
  // It matters while that is VK_TRUE.
  std::optional<VkDynamicState> enable;
  // The rules that it has values for all viewports: if a pipeline has the state, if commands set it, and of shader
  // objects.
  ActionRule of_pipelines;
  ActionRule of_commands;
  ActionRule of_shaders;
};
constexpr StateOfViewports kStatesOfViewports[] = {
    {VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV, VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV,
     ActionRule("viewportCount-04137"), ActionRule("None-08636"), ActionRule("None-08636")},
    {VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV, VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV,
     ActionRule("viewportCount-04139"), ActionRule("None-08637"), ActionRule("None-08637")},
    {VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV, std::nullopt, ActionRule("viewportCount-07492"),
     ActionRule("viewportCount-07493"), ActionRule("viewportCount-09421")},
    // The number that commands set is not noted.
    {VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV, std::nullopt, ActionRule("VkPipelineVieportCreateInfo-04142"),
     ActionRule("VkPipelineVieportCreateInfo-04142"), ActionRule("VkPipelineVieportCreateInfo-04142")},
};

// Stippled lines of a mode need a feature.
struct StippledLines {
  VkLineRasterizationMode mode;
  FeatureId feature;
  std::string_view feature_name;
  ActionRule rule;
};
constexpr StippledLines kStippledLines[] = {
    {VK_LINE_RASTERIZATION_MODE_RECTANGULAR, FeatureId::kStippledRectangularLines, "stippledRectangularLines",
     ActionRule("stippledLineEnable-07495")},
    {VK_LINE_RASTERIZATION_MODE_BRESENHAM, FeatureId::kStippledBresenhamLines, "stippledBresenhamLines",
     ActionRule("stippledLineEnable-07496")},
    {VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH, FeatureId::kStippledSmoothLines, "stippledSmoothLines",
     ActionRule("stippledLineEnable-07497")},
    {VK_LINE_RASTERIZATION_MODE_DEFAULT, FeatureId::kStippledRectangularLines, "stippledRectangularLines",
     ActionRule("stippledLineEnable-07498")},
};

// What a draw of vertices or of meshes does not count.
struct ForbiddenQuery {
  VkQueryType type;
  ActionRule rule;
};
constexpr ForbiddenQuery kForbiddenQueries[] = {
    {VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, ActionRule("stage-07073")},
    {VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, ActionRule("None-07074")},
    {VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, ActionRule("None-07075")},
    {VK_QUERY_TYPE_PIPELINE_STATISTICS, ActionRule("pipelineStatistics-07076")},
    {VK_QUERY_TYPE_PIPELINE_STATISTICS, ActionRule("None-07819")},
};
constexpr VkQueryPipelineStatisticFlags kStatisticsOfMeshes =
    VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT |
    VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT;
constexpr VkQueryPipelineStatisticFlags kStatisticsOfVertices =
    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT | VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT;

// The topology class, as its list.
VkPrimitiveTopology ClassOf(uint32_t topology) {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
      return static_cast<VkPrimitiveTopology>(topology);
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    default:
      return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  }
}
// Of lists but those of patches.
bool IsList(uint32_t topology) {
  return topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
         topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY ||
         (topology == uint32_t{ClassOf(topology)} && topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
}
std::string_view TopologyName(uint32_t topology) { return vk::EnumName(vk::EnumId::kPrimitiveTopology, topology); }

class ValueCheck {
 public:
  ValueCheck(const dispatch::Device& device, Action& action)
      : device_(device), action_(action), draw_(action.draw()), states_(draw_.pipeline(action.form.point)) {}

  void Run() {
    CheckQueries();
    CheckTopology();
    if (ValueOf(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE) != uint32_t{VK_FALSE}) return;
    CheckViewports();
    CheckStippledLines();
    CheckConservative();
  }

 private:
  std::optional<uint32_t> ValueOf(VkDynamicState state) const { return draw_.ValueOf(IndexOf(state)); }
  // With shader objects all states are dynamic.
  bool IsDynamic(VkDynamicState state) const { return states_ == nullptr || states_->dynamic.Has(IndexOf(state)); }

  void CheckQueries() {
    // One of the rules of queries was broken perhaps (attachment_checks.cc).
    if (action_.is_wrong) return;
    for (const ActiveQuery& active : action_.scope.active_queries) {
      const auto* const pool = state::DeviceState::Get<state::QueryPool>(active.pool);
      if (pool == nullptr) continue;
      for (const ForbiddenQuery& row : kForbiddenQueries) {
        if (row.type != pool->query_type || !action_.Has(row.rule)) continue;
        // The rule of draws of vertices is one of pipelines.
        if (row.type == VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT && states_ == nullptr) continue;
        const auto statistics = row.rule == ActionRule("None-07819") ? kStatisticsOfMeshes : kStatisticsOfVertices;
        if (row.type == VK_QUERY_TYPE_PIPELINE_STATISTICS && (pool->statistics & statistics) == 0) continue;
        Report(action_, row.rule,
               absl::StrCat("Query ", active.query, " of ",
                            action_.report.reporter().Describe(messages::Object(active.pool)), " of ",
                            vk::EnumName(vk::EnumId::kQueryType, row.type),
                            " is active, which does not count what the command draws."));
      }
    }
  }

  void CheckTopology() {
    const std::optional<uint32_t> topology = ValueOf(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
    if (!topology) return;
    if (IsDynamic(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY)) CheckSetTopology(*topology);
    if (IsDynamic(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE) &&
        ValueOf(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE) == uint32_t{VK_TRUE} && IsList(*topology) &&
        !device_.HasFeature(FeatureId::kPrimitiveTopologyListRestart)) {
      Report(action_, "None-09637",
             absl::StrCat("vkCmdSetPrimitiveRestartEnable has set VK_TRUE, but the topology is ",
                          TopologyName(*topology), ", and the feature primitiveTopologyListRestart is not enabled."));
    }
  }
  void CheckSetTopology(uint32_t topology) {
    if (states_ == nullptr) {
      const bool has_patches = action_.buffer.draw.shader(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) != VK_NULL_HANDLE;
      if (!has_patches || topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST) return;
      return Report(action_, "primitiveTopology-10286",
                    absl::StrCat("A tessellation control shader is bound, but vkCmdSetPrimitiveTopology has set ",
                                 TopologyName(topology), "."));
    }
    const auto* const pipeline =
        state::DeviceState::Get<state::Pipeline>(action_.buffer.At(VK_PIPELINE_BIND_POINT_GRAPHICS).pipeline);
    if (pipeline == nullptr || pipeline->graphics == nullptr) return;
    const VkPrimitiveTopology own = pipeline->graphics->functions.topology;
    if (ClassOf(topology) == ClassOf(own)) return;
    const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceExtendedDynamicState3PropertiesEXT>();
    if (limits != nullptr && limits->dynamicPrimitiveTopologyUnrestricted == VK_TRUE) return;
    Report(action_, "dynamicPrimitiveTopologyUnrestricted-07500",
           absl::StrCat("vkCmdSetPrimitiveTopology has set ", TopologyName(topology), ", but ", PipelineText(action_),
                        " was created with ", TopologyName(own),
                        ", which is of another topology class, and the device does not have "
                        "dynamicPrimitiveTopologyUnrestricted."));
  }

  void CheckViewports() {
    const std::optional<uint32_t> count = ValueOf(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
    if (!count || *count <= 1) return;
    for (const StateOfViewports& of : kStatesOfViewports) {
      const std::optional<uint32_t> has = ValueOf(of.state);
      // An exclusiveScissorCount of 0 means none.
      if (!has || *has == 0 || *has >= *count || (of.enable && ValueOf(*of.enable) != uint32_t{VK_TRUE})) continue;
      Report(action_,
             states_ == nullptr    ? of.of_shaders
             : IsDynamic(of.state) ? of.of_commands
                                   : of.of_pipelines,
             absl::StrCat("vkCmdSetViewportWithCount has set viewportCount ", *count, ", but ",
                          vk::EnumName(vk::EnumId::kDynamicState, of.state),
                          states_ != nullptr && !IsDynamic(of.state)
                              ? absl::StrCat(" of ", PipelineText(action_), " has only ")
                              : " is set for only ",
                          *has, "."));
    }
    const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>();
    if (limits == nullptr || limits->primitiveFragmentShadingRateWithMultipleViewports == VK_TRUE ||
        !OutputsOf(action_).writes_shading_rate) {
      return;
    }
    Report(action_,
           states_ != nullptr ? ActionRule("primitiveFragmentShadingRateWithMultipleViewports-04552")
                              : ActionRule("primitiveFragmentShadingRateWithMultipleViewports-08642"),
           absl::StrCat("vkCmdSetViewportWithCount has set viewportCount ", *count,
                        ", but a shader writes PrimitiveShadingRateKHR, and the device does not have "
                        "primitiveFragmentShadingRateWithMultipleViewports."));
  }

  void CheckStippledLines() {
    // Shader objects do not have the rules.
    if (states_ == nullptr || ValueOf(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT) != uint32_t{VK_TRUE}) return;
    if (!IsDynamic(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT) &&
        !IsDynamic(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT)) {
      return;
    }
    const std::optional<uint32_t> mode = ValueOf(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT);
    for (const StippledLines& lines : kStippledLines) {
      if (mode != uint32_t{lines.mode}) continue;
      const bool is_strict = lines.mode != VK_LINE_RASTERIZATION_MODE_DEFAULT ||
                             device_.physical_device->properties.limits.strictLines == VK_TRUE;
      if (device_.HasFeature(lines.feature) && is_strict) continue;
      Report(action_, lines.rule,
             absl::StrCat("stippledLineEnable is VK_TRUE and lineRasterizationMode is ",
                          vk::EnumName(vk::EnumId::kLineRasterizationMode, lines.mode), ", but ",
                          is_strict ? absl::StrCat("the feature ", lines.feature_name, " is not enabled.")
                                    : "the device does not have strictLines."));
    }
  }

  void CheckConservative() {
    const std::optional<uint32_t> mode = ValueOf(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT);
    if (states_ == nullptr || !IsDynamic(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT) || !mode ||
        *mode == VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT) {
      return;
    }
    const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>();
    if (limits == nullptr || limits->conservativePointAndLineRasterization == VK_TRUE) return;
    const ShaderOutputs outputs = OutputsOf(action_);
    const std::optional<uint32_t> topology = ValueOf(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
    const bool makes_points_or_lines = outputs.last_stage == VK_SHADER_STAGE_VERTEX_BIT
                                           ? topology && ClassOf(*topology) <= VK_PRIMITIVE_TOPOLOGY_LINE_LIST
                                           : outputs.primitive != OutputPrimitive::kOther;
    if (!makes_points_or_lines) return;
    Report(action_, "conservativePointAndLineRasterization-07499",
           absl::StrCat("vkCmdSetConservativeRasterizationModeEXT has set ",
                        vk::EnumName(vk::EnumId::kConservativeRasterizationModeEXT, *mode), ", but the draw of ",
                        PipelineText(action_),
                        " makes points or lines, and the device does not have conservativePointAndLineRasterization."));
  }

  const dispatch::Device& device_;
  Action& action_;
  const DrawRecording& draw_;
  // Null for shader objects.
  const PipelineStates* const states_;
};

}  // namespace

void DrawRules::CheckValues(Action& action) const { ValueCheck(device_, action).Run(); }

}  // namespace assay::core
