// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What must be bound: a pipeline or shader objects.

#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "core/interfaces/resource_accesses.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using vk::FeatureId;

// A stage that vkCmdBindShadersEXT must bind, if the device has the feature.
struct CalledStage {
  VkShaderStageFlagBits stage;
  ActionRule rule;
  std::optional<FeatureId> feature;
};
constexpr CalledStage kCalledStages[] = {
    {VK_SHADER_STAGE_VERTEX_BIT, ActionRule("None-08684"), std::nullopt},
    {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, ActionRule("None-08685"), FeatureId::kTessellationShader},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, ActionRule("None-08686"), FeatureId::kTessellationShader},
    {VK_SHADER_STAGE_GEOMETRY_BIT, ActionRule("None-08687"), FeatureId::kGeometryShader},
    {VK_SHADER_STAGE_FRAGMENT_BIT, ActionRule("None-08688"), std::nullopt},
    {VK_SHADER_STAGE_TASK_BIT_EXT, ActionRule("None-08689"), FeatureId::kTaskShader},
    {VK_SHADER_STAGE_MESH_BIT_EXT, ActionRule("None-08690"), FeatureId::kMeshShader},
};

// The mesh shader that a draw needs.
struct MeshRule {
  ActionRule rule;
  spv::ExecutionModel model;
};
constexpr MeshRule kMeshRules[] = {
    {"MeshNV-07080", spv::ExecutionModel::MeshNV},   {"MeshNV-07081", spv::ExecutionModel::MeshNV},
    {"MeshNV-07082", spv::ExecutionModel::MeshNV},   {"MeshEXT-07087", spv::ExecutionModel::MeshEXT},
    {"MeshEXT-07091", spv::ExecutionModel::MeshEXT}, {"MeshEXT-07100", spv::ExecutionModel::MeshEXT},
};

constexpr VkShaderStageFlags kMeshStages = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;

}  // namespace

void DrawRules::Check(Action& action) const {
  const DrawRecording& draw = action.draw();
  if (draw.HasPipeline(action.form.point)) {
    CheckCode(action);
    return CheckPipeline(action);
  }
  const VkShaderStageFlags stages = action.form.point == DrawRecording::kGraphics  ? vk::kAnyGraphicsStage
                                    : action.form.point == DrawRecording::kCompute ? VK_SHADER_STAGE_COMPUTE_BIT
                                                                                   : 0;
  if (has_shader_objects_ && (draw.called_stages() & stages) != 0) {
    if (action.form.point == DrawRecording::kGraphics) CheckShaders(action);
    return;
  }
  const std::string_view executed =
      draw.has_executed() ? " since vkCmdExecuteCommands, after which nothing is bound or set" : "";
  const bool may_have_shaders = has_shader_objects_ && stages != 0;
  Report(action, has_shader_objects_ ? ActionRule("None-08607") : ActionRule("None-08606"),
         absl::StrCat("No pipeline", may_have_shaders ? " and no shader object" : "", " is bound to ",
                      PointName(action), executed, "."));
}

void DrawRules::CheckCode(Action& action) {
  const BoundShaders shaders{action.form.point, action.buffer, action.draw(),
                             action.buffer.At(PointOf(action.form.point))};
  shaders.ForEach([&](const ResourceAccesses& code, const state::Pipeline*, const state::Shader*) {
    const bool is_protected = (action.buffer.pool.flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0;
    if (code.has_ray_queries && is_protected) {
      Report(action, "commandBuffer-04617",
             absl::StrCat("The command buffer is protected, but ", PipelineText(action), " uses RayQueryKHR."));
    }
    if (code.mesh_model == spv::ExecutionModel::Max) return;
    for (const MeshRule& row : kMeshRules) {
      if (row.model == code.mesh_model || !action.Has(row.rule)) continue;
      Report(action, row.rule,
             absl::StrCat("The mesh shader of ", PipelineText(action), " is one of the other extension."));
    }
  });
}

void DrawRules::CheckPipeline(Action& action) const {
  const PipelineStates* const pipeline = action.draw().pipeline(action.form.point);
  if (pipeline == nullptr) return;
  if (action.form.point == DrawRecording::kGraphics) {
    const bool has_mesh = (pipeline->stages & kMeshStages) != 0;
    const bool has_vertices = (pipeline->stages & kVertexStages) != 0;
    if (has_mesh && action.Has("stage-06481")) {
      return Report(action, "stage-06481",
                    absl::StrCat(PipelineText(action), " has a mesh shader. It does not draw vertices."));
    }
    if (has_vertices && action.Has("stage-06480")) {
      return Report(action, "stage-06480",
                    absl::StrCat(PipelineText(action), " has a vertex shader. It does not draw meshes."));
    }
    CheckBuffers(action);
    CheckRendering(action);
    CheckCounts(action);
    CheckAttachments(action);
    CheckValues(action);
  }
  CheckNeededStates(action);
  const StateSet wrong = action.draw().set_since_bind() & pipeline->fixed;
  if (action.form.point == DrawRecording::kCompute || wrong.empty()) return;
  Report(action, "None-08608",
         absl::StrCat(PipelineText(action), " is not created with ", Names(wrong),
                      " as dynamic state, but that state was set after the pipeline was bound."));
}

void DrawRules::CheckShaderStages(Action& action) const {
  const VkShaderStageFlags called = action.draw().called_stages();
  for (const CalledStage& stage : kCalledStages) {
    if ((called & stage.stage) != 0 || !action.Has(stage.rule)) continue;
    if (stage.feature && !device_.HasFeature(*stage.feature)) continue;
    Report(action, stage.rule,
           absl::StrCat("No pipeline is bound, and vkCmdBindShadersEXT was not called for ",
                        vk::EnumName(vk::EnumId::kShaderStageFlagBits, stage.stage),
                        ". A stage that is not used needs VK_NULL_HANDLE."));
  }
  if (action.is_wrong) return;
  const auto has = [&](VkShaderStageFlagBits stage) { return action.buffer.draw.shader(stage) != VK_NULL_HANDLE; };
  const bool has_vertex = has(VK_SHADER_STAGE_VERTEX_BIT);
  const bool has_task = has(VK_SHADER_STAGE_TASK_BIT_EXT);
  const bool has_mesh = has(VK_SHADER_STAGE_MESH_BIT_EXT);
  const bool may_have_mesh = device_.HasFeature(FeatureId::kTaskShader) || device_.HasFeature(FeatureId::kMeshShader);
  if (may_have_mesh && has_vertex == has_mesh) {
    Report(action, "None-08693",
           has_vertex ? "A vertex shader and a mesh shader are bound."
                      : "Neither a vertex shader nor a mesh shader is bound.");
  } else if (has_vertex && has_task) {
    Report(action, "None-08696", "A task shader is bound together with a vertex shader.");
  } else if (has_task || has_mesh) {
    Report(action, "None-08885", "A task or mesh shader is bound, but the command draws vertices.");
  }
}

void DrawRules::CheckShaders(Action& action) const {
  CheckShaderStages(action);
  if (action.is_wrong) return;
  if (!action.buffer.draw.has_graphics_shaders()) return;
  CheckLinkedShaders(action);
  if (action.buffer.rendering.kind() == state::RenderPassInstance::Kind::kRenderPass) {
    Report(action, "None-08876",
           "Shader objects are bound, but the render pass instance was not begun with vkCmdBeginRendering.");
  }
  CheckBuffers(action);
  CheckNeededStates(action);
  CheckCounts(action);
  CheckAttachments(action);
  CheckValues(action);
}

}  // namespace assay::core
