// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines and shader objects.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/binding/bind_check.h"
#include "core/binding/binding_rules.h"
#include "vk/enum_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Object;
using messages::Report;
using state::DeviceState;
using vk::Vuid;

// The rules of a bind point.
struct PointIds {
  VkPipelineBindPoint point;
  vk::VuidIndex queue;
  vk::VuidIndex pipeline;
};
constexpr PointIds kPointIds[] = {
    {VK_PIPELINE_BIND_POINT_GRAPHICS, Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-00778"),
     Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-00780")},
    {VK_PIPELINE_BIND_POINT_COMPUTE, Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-00777"),
     Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-00779")},
    {VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-02391"),
     Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-02392")},
    {VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI, Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-04949"),
     Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-04950")},
};

std::string_view PointName(VkPipelineBindPoint point) { return vk::EnumName(vk::EnumId::kPipelineBindPoint, point); }

// A rule of the stages that vkCmdBindShadersEXT names.
struct StageRule {
  VkShaderStageFlags stages;
  vk::VuidIndex rule;
};
constexpr VkShaderStageFlags kRayTracingStages =
    VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR |
    VK_SHADER_STAGE_MISS_BIT_KHR | VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
constexpr VkShaderStageFlags kMeshStages = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
constexpr VkShaderStageFlags kPrimitiveStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                                VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
                                                VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
// Stages that have no shader objects.
constexpr StageRule kUnfitStages[] = {
    {kRayTracingStages, Vuid("VUID-vkCmdBindShadersEXT-pStages-08465")},
    {VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI, Vuid("VUID-vkCmdBindShadersEXT-pStages-08467")},
    {VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI, Vuid("VUID-vkCmdBindShadersEXT-pStages-08468")},
};
constexpr StageRule kQueueRules[] = {
    {VK_SHADER_STAGE_COMPUTE_BIT, Vuid("VUID-vkCmdBindShadersEXT-pShaders-08476")},
    {kPrimitiveStages, Vuid("VUID-vkCmdBindShadersEXT-pShaders-08477")},
    {kMeshStages, Vuid("VUID-vkCmdBindShadersEXT-pShaders-08478")},
};

std::string_view StageName(VkShaderStageFlagBits stage) {
  return vk::EnumName(vk::EnumId::kShaderStageFlagBits, stage);
}

// Whether the stage may have a shader object.
bool CheckStage(VkShaderStageFlagBits stage, const BindCheck& check, const Location& where) {
  // Several stages in one, which the implicit rule of the array is about.
  if (std::popcount(uint32_t{stage}) != 1) return false;
  return std::ranges::all_of(kUnfitStages, [&](const StageRule& unfit) {
    return check.Require((stage & unfit.stages) == 0, unfit.rule, where,
                         [&] { return absl::StrCat("is ", StageName(stage), ", which has no shader objects."); });
  });
}

void CheckVertexOrMesh(const vk::CmdBindShadersEXT& call, const BindCheck& check) {
  const auto shader_of = [&](VkShaderStageFlagBits stage) -> VkShaderEXT {
    const auto* const end = call.pStages + call.stageCount;
    const auto* const found = std::find(call.pStages, end, stage);
    return found != end ? call.pShaders[found - call.pStages] : VK_NULL_HANDLE;
  };
  const VkShaderEXT vertex = shader_of(VK_SHADER_STAGE_VERTEX_BIT);
  if (vertex == VK_NULL_HANDLE) return;
  const auto require = [&](VkShaderStageFlagBits stage, vk::VuidIndex rule) {
    check.Require(shader_of(stage) == VK_NULL_HANDLE, rule, Object(vertex), check.command().Dot("pShaders"), [&] {
      return absl::StrCat("has shader objects for VK_SHADER_STAGE_VERTEX_BIT and for ", StageName(stage),
                          ". One of them must be VK_NULL_HANDLE.");
    });
  };
  require(VK_SHADER_STAGE_TASK_BIT_EXT, Vuid("VUID-vkCmdBindShadersEXT-pShaders-08470"));
  require(VK_SHADER_STAGE_MESH_BIT_EXT, Vuid("VUID-vkCmdBindShadersEXT-pShaders-08471"));
}

// Images of one number for each region or ray.
struct ViewIds {
  vk::VuidIndex type;
  vk::VuidIndex format;
};
template <class C>
void CheckView(const C& call, const ViewIds& ids, bool may_have_layers, dispatch::Slot& slot, Report& report) {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const auto* const view = DeviceState::Get<state::ImageView>(call.imageView);
  if (buffer == nullptr || view == nullptr) return;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  const bool is_array = view->view_type == VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  check.Require(view->view_type == VK_IMAGE_VIEW_TYPE_2D || (may_have_layers && is_array), ids.type,
                Object(call.imageView), command.Dot("imageView"), [&] {
                  return absl::StrCat("is a view of ", vk::EnumName(vk::EnumId::kImageViewType, view->view_type), ".");
                });
  check.Require(view->format == VK_FORMAT_R8_UINT, ids.format, Object(call.imageView), command.Dot("imageView"), [&] {
    return absl::StrCat("has the format ", vk::EnumName(vk::EnumId::kFormat, view->format),
                        ". It must be VK_FORMAT_R8_UINT.");
  });
}

}  // namespace

void BindingRules::PreCallValidate(const vk::CmdBindShadingRateImageNV& call, dispatch::Slot& slot,
                                   Report& report) const {
  constexpr ViewIds kIds = {Vuid("VUID-vkCmdBindShadingRateImageNV-imageView-02059"),
                            Vuid("VUID-vkCmdBindShadingRateImageNV-imageView-02060")};
  CheckView(call, kIds, true, slot, report);
}
void BindingRules::PreCallValidate(const vk::CmdBindInvocationMaskHUAWEI& call, dispatch::Slot& slot,
                                   Report& report) const {
  constexpr ViewIds kIds = {Vuid("VUID-vkCmdBindInvocationMaskHUAWEI-imageView-04977"),
                            Vuid("VUID-vkCmdBindInvocationMaskHUAWEI-imageView-04978")};
  CheckView(call, kIds, false, slot, report);
}

void BindingRules::PreCallValidate(const vk::CmdBindPipeline& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const auto* const ids = std::ranges::find(kPointIds, call.pipelineBindPoint, &PointIds::point);
  if (buffer == nullptr || ids == std::end(kPointIds)) return;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  check.RequirePoint(call.pipelineBindPoint, ids->queue, command.Dot("pipelineBindPoint"));
  check.Require(!buffer->draw.transform_feedback_is_active(), Vuid("VUID-vkCmdBindPipeline-None-02323"),
                Object(call.pipeline), command,
                [] { return "is between vkCmdBeginTransformFeedbackEXT and vkCmdEndTransformFeedbackEXT."; });
  const bool is_for_rays = call.pipelineBindPoint == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
  check.Require(!is_for_rays || !check.is_protected(), Vuid("VUID-vkCmdBindPipeline-pipelineBindPoint-06721"),
                check.pool(), command.Dot("pipelineBindPoint"),
                [] { return "is VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, but the command buffer is protected."; });

  const auto* const pipeline = DeviceState::Get<state::Pipeline>(call.pipeline);
  if (pipeline == nullptr) return;
  const auto require = [&](bool holds, vk::VuidIndex rule, auto&& text) {
    return check.Require(holds, rule, Object(call.pipeline), command.Dot("pipeline"), text);
  };
  if (!require((pipeline->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) == 0,
               Vuid("VUID-vkCmdBindPipeline-pipeline-03382"),
               [] { return "is a library: it was created with VK_PIPELINE_CREATE_LIBRARY_BIT_KHR."; })) {
    return;
  }
  require(pipeline->bind_point == call.pipelineBindPoint, ids->pipeline, [&] {
    return absl::StrCat("is a pipeline for ", PointName(pipeline->bind_point), ", but pipelineBindPoint is ",
                        PointName(call.pipelineBindPoint), ".");
  });
  if (!has_protected_access_) return;
  require(!check.is_protected() || (pipeline->flags & VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT) == 0,
          Vuid("VUID-vkCmdBindPipeline-pipelineProtectedAccess-07408"), [] {
            return "was created with VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT, but the command buffer is protected.";
          });
  require(check.is_protected() || (pipeline->flags & VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT) == 0,
          Vuid("VUID-vkCmdBindPipeline-pipelineProtectedAccess-07409"), [] {
            return "was created with VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT, but the command buffer is not "
                   "protected.";
          });
}

void BindingRules::PreCallValidate(const vk::CmdBindShadersEXT& call, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const auto stages = state::Items(call.pStages, call.stageCount);
  if (buffer == nullptr || stages.empty()) return;
  const BindCheck check(*buffer, report);
  const Location command = check.command();
  VkShaderStageFlags seen = 0;
  for (uint32_t i = 0; i < stages.size(); ++i) {
    const Location where = command.Dot("pStages", i);
    if (!CheckStage(stages[i], check, where)) return;
    if (!check.Require((seen & stages[i]) == 0, Vuid("VUID-vkCmdBindShadersEXT-pStages-08463"), where,
                       [&] { return absl::StrCat("(", StageName(stages[i]), ") is in pStages twice."); })) {
      return;
    }
    seen |= stages[i];
    const auto* const queue =
        std::ranges::find_if(kQueueRules, [&](const StageRule& rule) { return (stages[i] & rule.stages) != 0; });
    if (queue != std::end(kQueueRules)) check.RequireStages(stages[i], queue->rule, where);
    const VkShaderEXT handle = call.pShaders != nullptr ? call.pShaders[i] : VK_NULL_HANDLE;
    const auto* const shader = DeviceState::Get<state::Shader>(handle);
    if (shader == nullptr) continue;
    check.Require(shader->stage.stage == stages[i], Vuid("VUID-vkCmdBindShadersEXT-pShaders-08469"), Object(handle),
                  command.Dot("pShaders", i), [&] {
                    return absl::StrCat("was created for ", StageName(shader->stage.stage), ", but pStages[", i,
                                        "] is ", StageName(stages[i]), ".");
                  });
  }
  if (call.pShaders != nullptr) CheckVertexOrMesh(call, check);
}

}  // namespace assay::core
