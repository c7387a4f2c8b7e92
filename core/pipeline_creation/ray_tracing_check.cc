// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipeline_creation/ray_tracing_check.h"

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "state/state.h"
#include "vk/enum_to_string.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::FeatureId;
using vk::IsAddress;
using vk::Vuid;

constexpr VkShaderStageFlags kRayStages = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                                          VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                          VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;

// Ids of rules that both kinds have, under numbers of their own.
struct RayIds {
  vk::VuidIndex stage;
  vk::VuidIndex depth;
  vk::VuidIndex ray_generation;
};
constexpr RayIds kKhrIds = {Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-stage-06899"),
                            Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-maxPipelineRayRecursionDepth-03589"),
                            Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-stage-03425")};
constexpr RayIds kNvIds = {Vuid("VUID-VkRayTracingPipelineCreateInfoNV-stage-06898"),
                           Vuid("VUID-VkRayTracingPipelineCreateInfoNV-maxRecursionDepth-03457"),
                           Vuid("VUID-VkRayTracingPipelineCreateInfoNV-stage-06232")};

// Returns the stages.
template <class I>
VkShaderStageFlags CheckStages(const I& info, const RayIds& ids, CreationReport& report) {
  VkShaderStageFlags stages = 0;
  if (!IsAddress(info.pStages)) return stages;
  for (uint32_t i = 0; i < info.stageCount; ++i) {
    const VkShaderStageFlagBits stage = info.pStages[i].stage;
    stages |= stage;
    if ((stage & kRayStages) != 0) continue;
    report.Error(ids.stage, report.where().Dot("pStages", i).Dot("stage"),
                 absl::StrCat("(", vk::ToString(stage), ") is no stage of ray tracing."));
  }
  return stages;
}

void CheckDepth(uint32_t depth, uint32_t limit, std::string_view member, const RayIds& ids, CreationReport& report) {
  if (depth > limit)
    report.Error(ids.depth, member, absl::StrCat("(", depth, ") is larger than the limit (", limit, ")."));
}

bool HasLibraries(const VkRayTracingPipelineCreateInfoKHR& info) {
  return IsAddress(info.pLibraryInfo) && info.pLibraryInfo->libraryCount != 0;
}

// All of them if a library is not known.
VkShaderStageFlags LibraryStages(const VkRayTracingPipelineCreateInfoKHR& info) {
  VkShaderStageFlags stages = 0;
  if (!HasLibraries(info)) return stages;
  if (!IsAddress(info.pLibraryInfo->pLibraries)) return kRayStages;
  for (uint32_t i = 0; i < info.pLibraryInfo->libraryCount; ++i) {
    const auto* library = state::DeviceState::Get<state::Pipeline>(info.pLibraryInfo->pLibraries[i]);
    if (library == nullptr) return kRayStages;
    for (const state::PipelineStage& stage : library->stages) stages |= stage.stage;
  }
  return stages;
}

void CheckInterface(const CreationView& view, const VkRayTracingPipelineCreateInfoKHR& info, CreationReport& report) {
  if (!view.device.IsEnabled(vk::ExtensionId::kKhrPipelineLibrary)) {
    if (info.pLibraryInfo != nullptr || info.pLibraryInterface != nullptr) {
      report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03595"),
                   info.pLibraryInfo != nullptr ? "pLibraryInfo" : "pLibraryInterface",
                   "is not NULL, but VK_KHR_pipeline_library is not enabled.");
    }
    return;
  }
  if (info.pLibraryInterface == nullptr) {
    if (view.HasFlag(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR)) {
      report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-03465"), "pLibraryInterface",
                   "is NULL, but flags has VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.");
    } else if (HasLibraries(info)) {
      report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03590"), "pLibraryInterface",
                   "is NULL, but pLibraryInfo has libraries.");
    }
    return;
  }
  const auto* limits = view.device.physical_device->Find<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>();
  if (limits == nullptr || !IsAddress(info.pLibraryInterface)) return;
  const uint32_t size = info.pLibraryInterface->maxPipelineRayHitAttributeSize;
  if (size <= limits->maxRayHitAttributeSize) return;
  report.Error(
      Vuid("VUID-VkRayTracingPipelineInterfaceCreateInfoKHR-maxPipelineRayHitAttributeSize-03605"),
      report.where().Dot("pLibraryInterface").Dot("maxPipelineRayHitAttributeSize"),
      absl::StrCat("(", size, ") is larger than maxRayHitAttributeSize (", limits->maxRayHitAttributeSize, ")."));
}

// Whether the pipeline has stages and groups, or libraries instead.
void CheckCounts(const CreationView& view, const VkRayTracingPipelineCreateInfoKHR& info, VkShaderStageFlags stages,
                 CreationReport& report) {
  const bool is_library = view.HasFlag(VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR);
  if (!HasLibraries(info) && info.stageCount == 0) {
    report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-07999"), "stageCount",
                 "is 0, but there are no libraries.");
  } else if (!is_library && ((stages | LibraryStages(info)) & VK_SHADER_STAGE_RAYGEN_BIT_KHR) == 0) {
    report.Error(kKhrIds.ray_generation, "pStages", "has no stage VK_SHADER_STAGE_RAYGEN_BIT_KHR, nor have libraries.");
  }
  if (!is_library && !HasLibraries(info) && info.groupCount == 0) {
    report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-08700"), "groupCount",
                 "is 0, but there are no libraries.");
  }
}

void CheckFlagPairs(const CreationView& view, CreationReport& report) {
  const auto has_both = [&](VkPipelineCreateFlags2 pair) { return (view.flags & pair) == pair; };
  if (has_both(VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR |
               VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR)) {
    report.FlagError(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-06546"),
                     "has both VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR and "
                     "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR.");
  }
  if (has_both(VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT |
               VK_PIPELINE_CREATE_2_DISALLOW_OPACITY_MICROMAP_BIT_ARM)) {
    report.FlagError(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-10392"),
                     "has both VK_PIPELINE_CREATE_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT and "
                     "VK_PIPELINE_CREATE_2_DISALLOW_OPACITY_MICROMAP_BIT_ARM.");
  }
}

bool IsHitGroup(VkRayTracingShaderGroupTypeKHR type) {
  return type == VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR ||
         type == VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
}

// What flags ask of groups.
void CheckGroupsOfFlags(const CreationView& view, const VkRayTracingPipelineCreateInfoKHR& info,
                        CreationReport& report) {
  if (!IsAddress(info.pGroups)) return;
  const bool captures = view.HasFlag(VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR);
  for (uint32_t i = 0; i < info.groupCount; ++i) {
    const VkRayTracingShaderGroupCreateInfoKHR& group = info.pGroups[i];
    const Location where = report.where().Dot("pGroups", i);
    if (group.pShaderGroupCaptureReplayHandle != nullptr && !captures &&
        view.device.HasFeature(FeatureId::kRayTracingPipelineShaderGroupHandleCaptureReplay)) {
      report.Error(
          Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-rayTracingPipelineShaderGroupHandleCaptureReplay-03599"),
          where.Dot("pShaderGroupCaptureReplayHandle"),
          "is not NULL, but flags has no VK_PIPELINE_CREATE_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR.");
    }
    if (!IsHitGroup(group.type)) continue;
    if (view.HasFlag(VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR) &&
        group.anyHitShader == VK_SHADER_UNUSED_KHR) {
      report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-03470"), where.Dot("anyHitShader"),
                   "is VK_SHADER_UNUSED_KHR, but flags has "
                   "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR.");
    }
    if (view.HasFlag(VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR) &&
        group.closestHitShader == VK_SHADER_UNUSED_KHR) {
      report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-03471"), where.Dot("closestHitShader"),
                   "is VK_SHADER_UNUSED_KHR, but flags has "
                   "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR.");
    }
  }
}

void CheckDynamicStates(const VkRayTracingPipelineCreateInfoKHR& info, CreationReport& report) {
  const VkPipelineDynamicStateCreateInfo* dynamic = info.pDynamicState;
  if (!IsAddress(dynamic) || !IsAddress(dynamic->pDynamicStates)) return;
  const Location where = report.where().Dot("pDynamicState");
  for (uint32_t i = 0; i < dynamic->dynamicStateCount; ++i) {
    if (dynamic->pDynamicStates[i] == VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR) continue;
    report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pDynamicStates-03602"), where.Dot("pDynamicStates", i),
                 absl::StrCat("(", vk::ToString(dynamic->pDynamicStates[i]),
                              ") is not VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR."));
  }
}

}  // namespace

void CheckRayTracing(const CreationView& view, const VkRayTracingPipelineCreateInfoKHR& info, CreationReport& report) {
  const VkShaderStageFlags stages = CheckStages(info, kKhrIds, report);
  CheckCounts(view, info, stages, report);
  CheckInterface(view, info, report);
  CheckFlagPairs(view, report);
  CheckGroupsOfFlags(view, info, report);
  CheckDynamicStates(info, report);
  if (const auto* limits = view.device.physical_device->Find<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>()) {
    CheckDepth(info.maxPipelineRayRecursionDepth, limits->maxRayRecursionDepth, "maxPipelineRayRecursionDepth", kKhrIds,
               report);
  }
  if (view.Chained<VkRayTracingPipelineClusterAccelerationStructureCreateInfoNV>() != nullptr &&
      !view.device.HasFeature(FeatureId::kClusterAccelerationStructure)) {
    report.Error(
        Vuid("VUID-VkRayTracingPipelineClusterAccelerationStructureCreateInfoNV-clusterAccelerationStructure-10576"),
        report.where().Next("VkRayTracingPipelineClusterAccelerationStructureCreateInfoNV"),
        "is in the chain, but the feature clusterAccelerationStructure is not enabled.");
  }
}

void CheckRayTracing(const CreationView& view, const VkRayTracingPipelineCreateInfoNV& info, CreationReport& report) {
  const VkShaderStageFlags stages = CheckStages(info, kNvIds, report);
  if ((stages & VK_SHADER_STAGE_RAYGEN_BIT_KHR) == 0)
    report.Error(kNvIds.ray_generation, "pStages", "has no stage VK_SHADER_STAGE_RAYGEN_BIT_KHR.");
  const auto* limits = view.device.physical_device->Find<VkPhysicalDeviceRayTracingPropertiesNV>();
  if (limits != nullptr)
    CheckDepth(info.maxRecursionDepth, limits->maxRecursionDepth, "maxRecursionDepth", kNvIds, report);
  constexpr VkPipelineCreateFlags2 kBoth =
      VK_PIPELINE_CREATE_2_DEFER_COMPILE_BIT_NV | VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  if ((view.flags & kBoth) == kBoth) {
    report.FlagError(Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-02957"),
                     "has both VK_PIPELINE_CREATE_DEFER_COMPILE_BIT_NV and "
                     "VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT.");
  }
}

}  // namespace assay::core
