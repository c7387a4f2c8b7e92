// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// vkCreateShadersEXT: each shader, and those that are linked.

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/create_info_checks.h"
#include "core/shader_stages/shader_stage_rules.h"
#include "state/state.h"
#include "vk/feature_info.h"

namespace assay::core {

using messages::Location;
using messages::Object;
using messages::Report;
using state::Items;
using vk::Vuid;

namespace {

using Infos = absl::Span<const VkShaderCreateInfoEXT>;

// In the order of a pipeline.
constexpr VkShaderStageFlagBits kPipelineOrder[] = {VK_SHADER_STAGE_TASK_BIT_EXT,
                                                    VK_SHADER_STAGE_MESH_BIT_EXT,
                                                    VK_SHADER_STAGE_VERTEX_BIT,
                                                    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                    VK_SHADER_STAGE_GEOMETRY_BIT,
                                                    VK_SHADER_STAGE_FRAGMENT_BIT};
constexpr VkShaderStageFlags kMeshStages = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;

bool IsLinked(const VkShaderCreateInfoEXT& info) { return (info.flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) != 0; }

class LinkCheck {
 public:
  LinkCheck(VkDevice device, Infos infos, const Location& command, Report& report)
      : device_(device), infos_(infos), command_(command), report_(report) {}

  void Run() {
    const auto linked = std::find_if(infos_.begin(), infos_.end(), IsLinked);
    if (linked == infos_.end()) return;
    CheckFlags();
    CheckUnique(*linked);
    CheckOrder();
  }

 private:
  void Error(vk::VuidIndex vuid, size_t index, std::string_view member, std::string text) {
    report_.Error(vuid, {Object(device_)}, command_.Dot("pCreateInfos", static_cast<uint32_t>(index)).Dot(member),
                  std::move(text));
  }

  bool HasLinked(VkShaderStageFlags stages) const {
    return std::any_of(infos_.begin(), infos_.end(),
                       [&](const auto& info) { return IsLinked(info) && (info.stage & stages) != 0; });
  }

  void CheckFlags() {
    constexpr VkShaderStageFlags kVertexPipeline = VK_SHADER_STAGE_ALL_GRAPHICS;
    for (size_t i = 0; i < infos_.size(); ++i) {
      if (IsLinked(infos_[i])) continue;
      const bool is_mesh = (infos_[i].stage & kMeshStages) != 0;
      if (!is_mesh && (infos_[i].stage & kVertexPipeline) == 0) continue;
      Error(is_mesh ? Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08403")
                    : Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08402"),
            i, "flags", "does not have VK_SHADER_CREATE_LINK_STAGE_BIT_EXT, which another element has.");
    }
    if (HasLinked(kMeshStages) && HasLinked(VK_SHADER_STAGE_VERTEX_BIT)) {
      report_.Error(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08404"), {Object(device_)}, command_.Dot("pCreateInfos"),
                    "has a vertex shader that is linked with a task or mesh shader.");
    }
    for (size_t i = 0; i < infos_.size(); ++i) {
      const bool needs_no_task = infos_[i].stage == VK_SHADER_STAGE_MESH_BIT_EXT && IsLinked(infos_[i]) &&
                                 (infos_[i].flags & VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT) != 0;
      if (!needs_no_task || !HasLinked(VK_SHADER_STAGE_TASK_BIT_EXT)) continue;
      Error(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08405"), i, "flags",
            "has VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, and a task shader is linked.");
    }
  }

  void CheckUnique(const VkShaderCreateInfoEXT& first) {
    VkShaderStageFlags seen = 0;
    for (size_t i = 0; i < infos_.size(); ++i) {
      if (!IsLinked(infos_[i])) continue;
      if ((seen & infos_[i].stage) != 0) {
        is_unique_ = false;
        Error(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08410"), i, "stage",
              "is that of another element that is linked.");
      }
      seen |= infos_[i].stage;
      if (infos_[i].codeType != first.codeType) {
        Error(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08411"), i, "codeType",
              "is not that of the other elements that are linked.");
      }
    }
  }

  // Each stage names the next one that is linked.
  void CheckOrder() {
    if (!is_unique_ || (HasLinked(kMeshStages) && HasLinked(VK_SHADER_STAGE_VERTEX_BIT))) return;
    std::vector<size_t> order;
    order.reserve(infos_.size());
    for (VkShaderStageFlagBits stage : kPipelineOrder) {
      for (size_t i = 0; i < infos_.size(); ++i) {
        if (IsLinked(infos_[i]) && infos_[i].stage == stage) order.push_back(i);
      }
    }
    for (size_t i = 0; i + 1 < order.size(); ++i) {
      if (infos_[order[i]].nextStage == static_cast<VkShaderStageFlags>(infos_[order[i + 1]].stage)) continue;
      Error(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08409"), order[i], "nextStage",
            absl::StrCat("is not the stage of pCreateInfos[", order[i + 1], "], the next one that is linked."));
    }
  }

  const VkDevice device_;
  const Infos infos_;
  const Location& command_;
  Report& report_;
  bool is_unique_ = true;
};

// What a tessellation control shader says must be what the evaluation shader says.
void CheckTessellation(const TessellationModes& control, const TessellationModes& evaluation, const Location& where,
                       Report& report) {
  const auto compare = [&](vk::VuidIndex vuid, uint32_t first, uint32_t second, const char* what) {
    if (first == 0 || first == second) return;
    report.Error(vuid, {}, where,
                 absl::StrCat("has a tessellation control shader whose ", what,
                              " is not that of the tessellation evaluation shader."));
  };
  compare(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08867"), control.subdivision, evaluation.subdivision,
          "type of subdivision");
  compare(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08868"), control.orientation, evaluation.orientation,
          "orientation of triangles");
  compare(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08869"), control.has_point_mode ? 1 : 0,
          evaluation.has_point_mode ? 1 : 0, "PointMode");
  compare(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08870"), control.spacing, evaluation.spacing,
          "spacing of segments");
  // An evaluation shader need not have an output patch.
  if (evaluation.output_vertices != 0) {
    compare(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-08871"), control.output_vertices, evaluation.output_vertices,
            "size of the output patch");
  }
}

}  // namespace

void ShaderStageRules::PreCallValidate(const vk::CreateShadersEXT& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  // Reported by stateless.
  if (!device_.HasFeature(vk::FeatureId::kShaderObject)) return;
  LinkCheck(device_.handle, infos, command, report).Run();
  std::shared_ptr<const StageFacts> control;
  std::shared_ptr<const StageFacts> evaluation;
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const VkShaderCreateInfoEXT& info = infos[i];
    const Location where = command.Dot("pCreateInfos", i);
    CheckShaderObject(device_, info, where, report);
    if (info.codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT || info.pName == nullptr || info.pCode == nullptr ||
        !HasModel(info.stage) || reinterpret_cast<uintptr_t>(info.pCode) % alignof(uint32_t) != 0) {
      continue;
    }
    const auto code = codes_.Get(Items(static_cast<const uint32_t*>(info.pCode), info.codeSize / sizeof(uint32_t)));
    auto facts = object_cache_.Get(*code, info.pName, info.stage, info.pSpecializationInfo,
                                   StageFactsReader{device_, info.stage, StageOwner::kShaderObject});
    CheckSpecialization(info.pSpecializationInfo, *facts, where.Dot("pSpecializationInfo"), report);
    if (!facts->is_read) continue;
    CheckShaderObjectStage(device_, info, *facts, where, report);
    if (!IsLinked(info)) continue;
    if (info.stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)
      control = std::move(facts);
    else if (info.stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
      evaluation = std::move(facts);
  }
  if (control != nullptr && evaluation != nullptr) {
    CheckTessellation(control->tessellation, evaluation->tessellation, command.Dot("pCreateInfos"), report);
  }
}

}  // namespace assay::core
