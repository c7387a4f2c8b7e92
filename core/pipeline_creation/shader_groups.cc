// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader groups: which stages they name, and which groups commands ask for.

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/ray_tracing_check.h"
#include "state/state.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::IsAddress;
using vk::Vuid;

struct GroupIds {
  vk::VuidIndex general;
  vk::VuidIndex general_only;
  vk::VuidIndex intersection;
  vk::VuidIndex no_intersection;
  vk::VuidIndex closest_hit;
  vk::VuidIndex any_hit;
};
constexpr GroupIds kKhrGroup = {Vuid("VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03474"),
                                Vuid("VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03475"),
                                Vuid("VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03476"),
                                Vuid("VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03477"),
                                Vuid("VUID-VkRayTracingShaderGroupCreateInfoKHR-closestHitShader-03478"),
                                Vuid("VUID-VkRayTracingShaderGroupCreateInfoKHR-anyHitShader-03479")};
constexpr GroupIds kNvGroup = {Vuid("VUID-VkRayTracingShaderGroupCreateInfoNV-type-02413"),
                               Vuid("VUID-VkRayTracingShaderGroupCreateInfoNV-type-02414"),
                               Vuid("VUID-VkRayTracingShaderGroupCreateInfoNV-type-02415"),
                               Vuid("VUID-VkRayTracingShaderGroupCreateInfoNV-type-02416"),
                               Vuid("VUID-VkRayTracingShaderGroupCreateInfoNV-closestHitShader-02417"),
                               Vuid("VUID-VkRayTracingShaderGroupCreateInfoNV-anyHitShader-02418")};

template <class I>
class GroupCheck {
 public:
  GroupCheck(const I& info, const GroupIds& ids, CreationReport& report) : info_(info), ids_(ids), report_(report) {}

  template <class G>
  void Check(const G& group, const Location& where) {
    switch (group.type) {
      case VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR:
        Expect(ids_.general, group.generalShader,
               VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR,
               where.Dot("generalShader"));
        return ExpectGeneralOnly(group, where);
      case VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR:
        if (group.intersectionShader != VK_SHADER_UNUSED_KHR) {
          report_.Error(ids_.no_intersection, where.Dot("intersectionShader"),
                        absl::StrCat("(", group.intersectionShader,
                                     ") is not VK_SHADER_UNUSED_KHR, but type is "
                                     "VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR."));
        }
        return CheckHitShaders(group, where);
      case VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR:
        Expect(ids_.intersection, group.intersectionShader, VK_SHADER_STAGE_INTERSECTION_BIT_KHR,
               where.Dot("intersectionShader"));
        return CheckHitShaders(group, where);
      default:
        return;
    }
  }

 private:
  template <class G>
  void CheckHitShaders(const G& group, const Location& where) {
    if (group.closestHitShader != VK_SHADER_UNUSED_KHR) {
      Expect(ids_.closest_hit, group.closestHitShader, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR,
             where.Dot("closestHitShader"));
    }
    if (group.anyHitShader != VK_SHADER_UNUSED_KHR)
      Expect(ids_.any_hit, group.anyHitShader, VK_SHADER_STAGE_ANY_HIT_BIT_KHR, where.Dot("anyHitShader"));
  }

  template <class G>
  void ExpectGeneralOnly(const G& group, const Location& where) {
    const bool has_hit = group.closestHitShader != VK_SHADER_UNUSED_KHR;
    const bool has_any = group.anyHitShader != VK_SHADER_UNUSED_KHR;
    if (!has_hit && !has_any && group.intersectionShader == VK_SHADER_UNUSED_KHR) return;
    report_.Error(ids_.general_only,
                  where.Dot(has_hit   ? "closestHitShader"
                            : has_any ? "anyHitShader"
                                      : "intersectionShader"),
                  "is not VK_SHADER_UNUSED_KHR, but type is VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR.");
  }

  void Expect(vk::VuidIndex id, uint32_t index, VkShaderStageFlags stages, const Location& where) {
    if (index >= info_.stageCount) {
      return report_.Error(id, where,
                           absl::StrCat("(", index, ") is no index of pStages, which has ", info_.stageCount, "."));
    }
    if (!IsAddress(info_.pStages) || (info_.pStages[index].stage & stages) != 0) return;
    report_.Error(id, where, absl::StrCat("(", index, ") is the index of a shader of another stage."));
  }

  const I& info_;
  const GroupIds& ids_;
  CreationReport& report_;
};

template <class I>
void CheckGroups(const I& info, const GroupIds& ids, CreationReport& report) {
  if (!IsAddress(info.pGroups)) return;
  GroupCheck<I> check(info, ids, report);
  for (uint32_t i = 0; i < info.groupCount; ++i) check.Check(info.pGroups[i], report.where().Dot("pGroups", i));
}

// Of the commands that return handles of groups.
struct HandleIds {
  vk::VuidIndex bind_point;
  vk::VuidIndex first;
  vk::VuidIndex range;
  vk::VuidIndex size;
  vk::VuidIndex library;
};
constexpr HandleIds kHandles = {Vuid("VUID-vkGetRayTracingShaderGroupHandlesKHR-pipeline-04619"),
                                Vuid("VUID-vkGetRayTracingShaderGroupHandlesKHR-firstGroup-04050"),
                                Vuid("VUID-vkGetRayTracingShaderGroupHandlesKHR-firstGroup-02419"),
                                Vuid("VUID-vkGetRayTracingShaderGroupHandlesKHR-dataSize-02420"),
                                Vuid("VUID-vkGetRayTracingShaderGroupHandlesKHR-pipeline-07828")};
constexpr HandleIds kCaptureReplayHandles = {
    Vuid("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-pipeline-04620"),
    Vuid("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-firstGroup-04051"),
    Vuid("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-firstGroup-03483"),
    Vuid("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-dataSize-03484"),
    Vuid("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-pipeline-07829")};

constexpr vk::VuidIndex kNoCaptureReplay = Vuid(
    "VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-rayTracingPipelineShaderGroupHandleCaptureReplay-03606");

// Null after an error, and for a pipeline that is not known.
const state::Pipeline* FindRayTracing(VkPipeline handle, vk::VuidIndex bind_point, Report& report) {
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(handle);
  if (pipeline == nullptr || pipeline->bind_point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR) return pipeline;
  report.Error(bind_point, {messages::Object(handle)}, report.location().Dot("pipeline"),
               "is no ray tracing pipeline.");
  return nullptr;
}

template <class C>
const state::Pipeline* CheckHandles(const dispatch::Device& device, const C& call, const HandleIds& ids,
                                    uint64_t handle_size, Report& report) {
  const state::Pipeline* pipeline = FindRayTracing(call.pipeline, ids.bind_point, report);
  if (pipeline == nullptr) return nullptr;
  const auto error = [&](vk::VuidIndex id, std::string_view member, std::string text) {
    report.Error(id, {messages::Object(call.pipeline)}, report.location().Dot(member), std::move(text));
  };
  const uint64_t count = pipeline->groups.size();
  if (call.firstGroup >= count) {
    error(ids.first, "firstGroup",
          absl::StrCat("(", call.firstGroup, ") is not less than the number of shader groups (", count, ")."));
  } else if (call.groupCount > count - call.firstGroup) {
    error(ids.range, "groupCount",
          absl::StrCat("(", call.groupCount, ") is larger than what is left of the shader groups (", count,
                       ") from firstGroup (", call.firstGroup, ")."));
  }
  if (call.dataSize < handle_size * call.groupCount) {
    error(ids.size, "dataSize",
          absl::StrCat("(", call.dataSize, ") is less than groupCount (", call.groupCount, ") handles of ", handle_size,
                       " bytes."));
  }
  if ((pipeline->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0 &&
      !device.HasFeature(vk::FeatureId::kPipelineLibraryGroupHandles)) {
    error(ids.library, "pipeline",
          "was created with VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, but the feature pipelineLibraryGroupHandles is not "
          "enabled.");
  }
  return pipeline;
}

// The stage that groupShader means; VK_SHADER_UNUSED_KHR if there is none.
uint32_t ShaderOf(const state::ShaderGroup& group, VkShaderGroupShaderKHR shader) {
  switch (shader) {
    case VK_SHADER_GROUP_SHADER_GENERAL_KHR:
      return group.general;
    case VK_SHADER_GROUP_SHADER_CLOSEST_HIT_KHR:
      return group.closest_hit;
    case VK_SHADER_GROUP_SHADER_ANY_HIT_KHR:
      return group.any_hit;
    case VK_SHADER_GROUP_SHADER_INTERSECTION_KHR:
      return group.intersection;
    default:
      return 0;
  }
}

}  // namespace

void CheckShaderGroups(const VkRayTracingPipelineCreateInfoKHR& info, CreationReport& report) {
  CheckGroups(info, kKhrGroup, report);
}
void CheckShaderGroups(const VkRayTracingPipelineCreateInfoNV& info, CreationReport& report) {
  CheckGroups(info, kNvGroup, report);
}

void PipelineCreationRules::PreCallValidate(const vk::GetRayTracingShaderGroupHandlesKHR& call, Report& report) const {
  const auto* limits = device_.physical_device->Find<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>();
  CheckHandles(device_, call, kHandles, limits != nullptr ? limits->shaderGroupHandleSize : 0, report);
}

void PipelineCreationRules::PreCallValidate(const vk::GetRayTracingCaptureReplayShaderGroupHandlesKHR& call,
                                            Report& report) const {
  if (!device_.HasFeature(vk::FeatureId::kRayTracingPipelineShaderGroupHandleCaptureReplay)) {
    return report.Error(kNoCaptureReplay, {messages::Object(device_.handle)}, report.location().Dot("device"),
                        "does not have the feature rayTracingPipelineShaderGroupHandleCaptureReplay enabled.");
  }
  const auto* limits = device_.physical_device->Find<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>();
  const uint64_t size = limits != nullptr ? limits->shaderGroupHandleCaptureReplaySize : 0;
  const state::Pipeline* pipeline = CheckHandles(device_, call, kCaptureReplayHandles, size, report);
  constexpr VkPipelineCreateFlags2 kFlag = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
  if (pipeline == nullptr || (pipeline->flags & kFlag) != 0) return;
  report.Error(Vuid("VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-pipeline-03607"),
               {messages::Object(call.pipeline)}, report.location().Dot("pipeline"),
               "was created without VK_PIPELINE_CREATE_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR.");
}

void PipelineCreationRules::PreCallValidate(const vk::GetRayTracingShaderGroupStackSizeKHR& call,
                                            Report& report) const {
  const state::Pipeline* pipeline =
      FindRayTracing(call.pipeline, Vuid("VUID-vkGetRayTracingShaderGroupStackSizeKHR-pipeline-04622"), report);
  if (pipeline == nullptr) return;
  if (call.group >= pipeline->groups.size()) {
    return report.Error(Vuid("VUID-vkGetRayTracingShaderGroupStackSizeKHR-group-03608"),
                        {messages::Object(call.pipeline)}, report.location().Dot("group"),
                        absl::StrCat("(", call.group, ") is not less than the number of shader groups (",
                                     pipeline->groups.size(), ")."));
  }
  if (ShaderOf(pipeline->groups[call.group], call.groupShader) != VK_SHADER_UNUSED_KHR) return;
  report.Error(Vuid("VUID-vkGetRayTracingShaderGroupStackSizeKHR-groupShader-03609"), {messages::Object(call.pipeline)},
               report.location().Dot("groupShader"), "is a shader that the group does not have.");
}

void PipelineCreationRules::PreCallValidate(const vk::CompileDeferredNV& call, Report& report) const {
  const state::Pipeline* pipeline =
      FindRayTracing(call.pipeline, Vuid("VUID-vkCompileDeferredNV-pipeline-04621"), report);
  if (pipeline == nullptr || (pipeline->flags & VK_PIPELINE_CREATE_2_DEFER_COMPILE_BIT_NV) != 0) return;
  report.Error(Vuid("VUID-vkCompileDeferredNV-pipeline-02237"), {messages::Object(call.pipeline)},
               report.location().Dot("pipeline"), "was created without VK_PIPELINE_CREATE_DEFER_COMPILE_BIT_NV.");
}

}  // namespace assay::core
