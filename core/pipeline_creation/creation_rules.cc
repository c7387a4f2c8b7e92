// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipeline_creation/creation_rules.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/creation_view.h"
#include "core/pipeline_creation/ray_tracing_check.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::FeatureId;
using vk::IsAddress;
using vk::Vuid;

// Calls check(view, info, report) for each create info, after the rules that all kinds have.
template <class C, class F>
void CheckAll(const dispatch::Device& device, PipelineKind kind, const C& call, Report& report, const F& check) {
  if (!IsAddress(call.pCreateInfos)) return;
  const Location command = report.location();
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const auto& info = call.pCreateInfos[i];
    const CreationView view(device, kind, call, info, i);
    const Location where = command.Dot("pCreateInfos", i);
    CreationReport errors(view, where, report);
    CheckCreationFlags(view, errors);
    const bool has_base = view.base_index >= 0 && static_cast<uint32_t>(view.base_index) < i;
    CheckDerivative(view, has_base ? CreationFlagsOf(call.pCreateInfos[view.base_index]) : 0, errors);
    CheckCreationChain(view, errors);
    CheckRobustness(device, view.chain, where, report);
    check(view, info, errors);
  }
}

void CheckStageRobustness(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo* stages, uint32_t count,
                          const Location& where, Report& report) {
  if (!IsAddress(stages)) return;
  for (uint32_t i = 0; i < count; ++i) CheckRobustness(device, stages[i].pNext, where.Dot("pStages", i), report);
}

// The first group with a handle to replay; null if there is none.
const VkRayTracingShaderGroupCreateInfoKHR* FindReplayed(const VkRayTracingPipelineCreateInfoKHR& info) {
  for (uint32_t i = 0; IsAddress(info.pGroups) && i < info.groupCount; ++i) {
    if (info.pGroups[i].pShaderGroupCaptureReplayHandle != nullptr) return &info.pGroups[i];
  }
  return nullptr;
}
void CheckReplay(const VkRayTracingPipelineCreateInfoKHR& info, CreationReport& report) {
  const VkRayTracingShaderGroupCreateInfoKHR* group = FindReplayed(info);
  if (group == nullptr) return;
  const Location where = report.where().Dot("pGroups", static_cast<uint32_t>(group - info.pGroups));
  constexpr vk::VuidIndex kId =
      Vuid("VUID-VkRayTracingShaderGroupCreateInfoKHR-rayTracingPipelineShaderGroupHandleCaptureReplayMixed-03603");
  report.Error(kId, where.Dot("pShaderGroupCaptureReplayHandle"),
               "is not NULL, but earlier calls made groups without such handles, and the feature "
               "rayTracingPipelineShaderGroupHandleCaptureReplayMixed is not enabled.");
}

VkShaderStageFlags StagesOf(const VkPipelineShaderStageCreateInfo* stages, uint32_t count) {
  VkShaderStageFlags flags = 0;
  for (uint32_t i = 0; IsAddress(stages) && i < count; ++i) flags |= stages[i].stage;
  return flags;
}

// Whether a queue family of the device computes.
bool Computes(const dispatch::Device& device) {
  return std::ranges::any_of(device.physical_device->queue_families, [](const VkQueueFamilyProperties& family) {
    return (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
  });
}

void CheckQueues(const dispatch::Device& device, vk::VuidIndex id, Report& report) {
  if (Computes(device)) return;
  report.Error(id, {messages::Object(device.handle)}, report.location().Dot("device"),
               "is of a physical device that has no queue family with VK_QUEUE_COMPUTE_BIT.");
}

void CheckIndirect(const CreationView& view, CreationReport& report) {
  const auto* buffer = view.Chained<VkComputePipelineIndirectBufferInfoNV>();
  if (buffer == nullptr) {
    if (!view.HasFlag(VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV)) return;
    if (!view.device.HasFeature(FeatureId::kDeviceGeneratedComputePipelines)) return;
    return report.FlagError(Vuid("VUID-VkComputePipelineCreateInfo-flags-09008"),
                            "has VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV, but the chain has no "
                            "VkComputePipelineIndirectBufferInfoNV.");
  }
  const Location where = report.where().Next("VkComputePipelineIndirectBufferInfoNV");
  if (!view.device.HasFeature(FeatureId::kDeviceGeneratedComputePipelines)) {
    return report.Error(Vuid("VUID-VkComputePipelineIndirectBufferInfoNV-deviceGeneratedComputePipelines-09009"), where,
                        "is in the chain, but the feature deviceGeneratedComputePipelines is not enabled.");
  }
  if (!view.HasFlag(VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV)) {
    report.Error(Vuid("VUID-VkComputePipelineIndirectBufferInfoNV-flags-09010"), where,
                 "is in the chain, but flags has no VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV.");
  }
  if (buffer->pipelineDeviceAddressCaptureReplay != 0 &&
      !view.device.HasFeature(FeatureId::kDeviceGeneratedComputeCaptureReplay)) {
    report.Error(Vuid("VUID-VkComputePipelineIndirectBufferInfoNV-pipelineDeviceAddressCaptureReplay-09014"),
                 where.Dot("pipelineDeviceAddressCaptureReplay"),
                 "is not 0, but the feature deviceGeneratedComputeCaptureReplay is not enabled.");
  }
}

// The nodes of the graph's own stages.
void CheckNodes(const VkExecutionGraphPipelineCreateInfoAMDX& info, CreationReport& report) {
  std::set<std::pair<std::string_view, uint32_t>> seen;
  for (uint32_t i = 0; i < info.stageCount && IsAddress(info.pStages); ++i) {
    const auto* const node = vk::FindInChain<VkPipelineShaderStageNodeCreateInfoAMDX>(info.pStages[i].pNext);
    // Without an index of its own, the node has that of its code (ShaderIndexAMDX).
    if (node == nullptr || node->pName == nullptr || node->index == VK_SHADER_INDEX_UNUSED_AMDX ||
        seen.emplace(node->pName, node->index).second)
      continue;
    report.Error(Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-None-09134"), report.where().Dot("pStages", i),
                 absl::StrCat("is a second node of the name \"", node->pName, "\" and the index ", node->index, "."));
  }
}

void CheckGraphLibraries(const CreationView& view, const VkExecutionGraphPipelineCreateInfoAMDX& info,
                         CreationReport& report) {
  if (!IsAddress(info.pLibraryInfo) || !IsAddress(info.pLibraryInfo->pLibraries)) return;
  const Location libraries = report.where().Dot("pLibraryInfo");
  for (uint32_t i = 0; i < info.pLibraryInfo->libraryCount; ++i) {
    const auto* const library = state::DeviceState::Get<state::Pipeline>(info.pLibraryInfo->pLibraries[i]);
    if (library == nullptr) continue;
    const Location where = libraries.Dot("pLibraries", i);
    const bool is_graph = library->bind_point == VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX;
    const bool is_graphics = library->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS;
    const auto* const layout = state::DeviceState::Get<state::PipelineLayout>(info.layout);
    if (!is_graph && !is_graphics && library->bind_point != VK_PIPELINE_BIND_POINT_COMPUTE) {
      report.Error(Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-pLibraryInfo-09133"), where,
                   "is neither a compute pipeline nor an execution graph or a graphics pipeline.");
    } else if (is_graphics && !view.device.HasFeature(FeatureId::kShaderMeshEnqueue)) {
      report.Error(Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-shaderMeshEnqueue-10182"), where,
                   "is a graphics pipeline, but the feature shaderMeshEnqueue is not enabled.");
    } else if (!is_graph && (library->flags & VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX) == 0) {
      report.Error(Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-pLibraryInfo-10181"), where,
                   "is not created with VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX.");
    } else if (layout != nullptr && library->layout && !HaveSameSets(*layout, *library->layout)) {
      report.Error(Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-pLibraryInfo-09131"), where,
                   "has another layout.");
    }
  }
}

}  // namespace

void PipelineCreationRules::PreCallValidate(const vk::CreateComputePipelines& call, Report& report) const {
  CheckQueues(device_, Vuid("VUID-vkCreateComputePipelines-device-09661"), report);
  CheckAll(device_, PipelineKind::kCompute, call, report,
           [&](const CreationView& view, const VkComputePipelineCreateInfo& info, CreationReport& errors) {
             CheckIndirect(view, errors);
             CheckStageResources(view, info.layout, VK_SHADER_STAGE_COMPUTE_BIT, errors);
             CheckRobustness(device_, info.stage.pNext, errors.where().Dot("stage"), report);
           });
}

void PipelineCreationRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  if (!IsAddress(call.pCreateInfos)) return;
  const Location command = report.location();
  for (uint32_t i = 0; i < call.createInfoCount; ++i)
    CheckRobustness(device_, call.pCreateInfos[i].pNext, command.Dot("pCreateInfos", i), report);
}

void PipelineCreationRules::PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, Report& report) const {
  if (!device_.HasFeature(FeatureId::kRayTracingPipeline)) {
    return report.Error(Vuid("VUID-vkCreateRayTracingPipelinesKHR-rayTracingPipeline-03586"),
                        {messages::Object(device_.handle)}, report.location().Dot("device"),
                        "does not have the feature rayTracingPipeline enabled.");
  }
  CheckQueues(device_, Vuid("VUID-vkCreateRayTracingPipelinesKHR-device-09677"), report);
  const bool is_mixed = has_made_groups_ && !has_replayed_groups_ &&
                        device_.HasFeature(FeatureId::kRayTracingPipelineShaderGroupHandleCaptureReplay) &&
                        !device_.HasFeature(FeatureId::kRayTracingPipelineShaderGroupHandleCaptureReplayMixed);
  CheckAll(device_, PipelineKind::kRayTracing, call, report,
           [&](const CreationView& view, const VkRayTracingPipelineCreateInfoKHR& info, CreationReport& errors) {
             CheckStageRobustness(device_, info.pStages, info.stageCount, errors.where(), report);
             if (call.deferredOperation != VK_NULL_HANDLE &&
                 view.HasFlag(VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT)) {
               errors.FlagError(Vuid("VUID-vkCreateRayTracingPipelinesKHR-deferredOperation-03587"),
                                "has VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT, but the call is deferred.");
             }
             CheckStageResources(view, info.layout, StagesOf(info.pStages, info.stageCount), errors);
             CheckRayTracing(view, info, errors);
             CheckRayTracingLibraries(view, info, ray_tracing_, errors);
             CheckShaderGroups(info, errors);
             if (is_mixed) CheckReplay(info, errors);
           });
}

void PipelineCreationRules::PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, Report& report) const {
  CheckQueues(device_, Vuid("VUID-vkCreateRayTracingPipelinesNV-device-09677"), report);
  CheckAll(device_, PipelineKind::kRayTracingNv, call, report,
           [&](const CreationView& view, const VkRayTracingPipelineCreateInfoNV& info, CreationReport& errors) {
             CheckStageRobustness(device_, info.pStages, info.stageCount, errors.where(), report);
             CheckStageResources(view, info.layout, StagesOf(info.pStages, info.stageCount), errors);
             CheckRayTracing(view, info, errors);
             CheckShaderGroups(info, errors);
           });
}

void PipelineCreationRules::PreCallValidate(const vk::CreateExecutionGraphPipelinesAMDX& call, Report& report) const {
  CheckAll(device_, PipelineKind::kExecutionGraph, call, report,
           [](const CreationView& view, const VkExecutionGraphPipelineCreateInfoAMDX& info, CreationReport& errors) {
             if (view.HasFlag(VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV) &&
                 view.device.HasFeature(FeatureId::kDeviceGeneratedComputePipelines) &&
                 view.Chained<VkComputePipelineIndirectBufferInfoNV>() == nullptr) {
               errors.FlagError(Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-flags-09008"),
                                "has VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV, but the chain has no "
                                "VkComputePipelineIndirectBufferInfoNV.");
             }
             CheckStageResources(view, info.layout, StagesOf(info.pStages, info.stageCount), errors);
             CheckNodes(info, errors);
             CheckGraphLibraries(view, info, errors);
           });
}

void PipelineCreationRules::PostCallRecord(const vk::CreateComputePipelines& call, VkResult result) const {
  CheckWrittenFeedback(device_, call, result);
}
void PipelineCreationRules::PostCallRecord(const vk::CreateGraphicsPipelines& call, VkResult result) const {
  CheckWrittenFeedback(device_, call, result);
}
void PipelineCreationRules::PostCallRecord(const vk::CreateRayTracingPipelinesNV& call, VkResult result) const {
  CheckWrittenFeedback(device_, call, result);
}
void PipelineCreationRules::PostCallRecord(const vk::CreateExecutionGraphPipelinesAMDX& call, VkResult result) const {
  CheckWrittenFeedback(device_, call, result);
}

void PipelineCreationRules::PostCallRecord(const vk::CreateRayTracingPipelinesKHR& call, VkResult result) {
  CheckWrittenFeedback(device_, call, result);
  if (!IsAddress(call.pPipelines) || !IsAddress(call.pCreateInfos)) return;
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    if (call.pPipelines[i] == VK_NULL_HANDLE) continue;
    const VkRayTracingPipelineCreateInfoKHR& info = call.pCreateInfos[i];
    if (FindReplayed(info) != nullptr) has_replayed_groups_ = true;
    if (info.groupCount != 0) has_made_groups_ = true;
    RayTracingFacts facts = {.recursion_depth = info.maxPipelineRayRecursionDepth};
    if (IsAddress(info.pLibraryInterface)) {
      facts.has_interface = true;
      facts.payload_size = info.pLibraryInterface->maxPipelineRayPayloadSize;
      facts.hit_attribute_size = info.pLibraryInterface->maxPipelineRayHitAttributeSize;
    }
    ray_tracing_.Set(call.pPipelines[i], facts);
  }
}

void PipelineCreationRules::PreCallRecord(const vk::DestroyPipeline& call) {
  ray_tracing_.Erase(call.pipeline);
  executables_.Erase(call.pipeline);
  released_.Erase(call.pipeline);
}

}  // namespace assay::core
