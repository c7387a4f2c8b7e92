// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules that all kinds of pipelines have, each with ids of its own.

#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/creation_view.h"
#include "state/state.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using vk::FeatureId;
using vk::kNoVuid;
using vk::Vuid;

struct ForbiddenFlag {
  VkPipelineCreateFlags2 flag;
  std::string_view name;
  // Allows the flag; nothing does for some.
  std::optional<FeatureId> feature;
  KindIds ids;
};
constexpr ForbiddenFlag kForbiddenFlags[] = {
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR",
     std::nullopt,
     {kNoVuid, kNoVuid, Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-03458")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-03366"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-03459")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-03367"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-03460")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-03368"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-03461")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-03369"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-03463")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-03370"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-03462")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-03576"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-03588")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV,
     "VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-04945"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-04948")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT,
     "VK_PIPELINE_CREATE_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-07367"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-07402")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV,
     "VK_PIPELINE_CREATE_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV",
     std::nullopt,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-07996"), kNoVuid,
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-07998")}},
    {VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV,
     "VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV",
     FeatureId::kDeviceGeneratedComputePipelines,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-09007"), kNoVuid, kNoVuid}},
    {VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV,
     "VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV",
     std::nullopt,
     {kNoVuid, Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-02904"),
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-02904")}},
    {VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT,
     "VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_EXT",
     FeatureId::kDeviceGeneratedCommands,
     {Vuid("VUID-VkComputePipelineCreateInfo-flags-11007"), kNoVuid, kNoVuid, kNoVuid}},
    {VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT,
     "VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_EXT",
     std::nullopt,
     {kNoVuid, kNoVuid, Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-11008")}},
    {VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR,
     "VK_PIPELINE_CREATE_LIBRARY_BIT_KHR",
     FeatureId::kShaderEnqueue,
     {Vuid("VUID-VkComputePipelineCreateInfo-shaderEnqueue-09177"), kNoVuid, kNoVuid}},
    {VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR,
     "VK_PIPELINE_CREATE_LIBRARY_BIT_KHR",
     std::nullopt,
     {kNoVuid, kNoVuid, Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-03456")}},
    {VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
     "VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT",
     FeatureId::kPipelineCreationCacheControl,
     {Vuid("VUID-VkComputePipelineCreateInfo-pipelineCreationCacheControl-02875"),
      Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pipelineCreationCacheControl-02905"),
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-pipelineCreationCacheControl-02905")}},
    {VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT,
     "VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT",
     FeatureId::kPipelineCreationCacheControl,
     {Vuid("VUID-VkComputePipelineCreateInfo-pipelineCreationCacheControl-02875"),
      Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pipelineCreationCacheControl-02905"),
      Vuid("VUID-VkRayTracingPipelineCreateInfoNV-pipelineCreationCacheControl-02905")}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR",
     FeatureId::kRayTraversalPrimitiveCulling,
     {kNoVuid, Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-rayTraversalPrimitiveCulling-03597"), kNoVuid}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR",
     FeatureId::kRayTraversalPrimitiveCulling,
     {kNoVuid, Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-rayTraversalPrimitiveCulling-03596"), kNoVuid}},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR",
     FeatureId::kRayTracingPipelineShaderGroupHandleCaptureReplay,
     {kNoVuid, Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-03598"), kNoVuid}},
    {VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT,
     "VK_PIPELINE_CREATE_DISPATCH_BASE_BIT",
     std::nullopt,
     {kNoVuid, Vuid("VUID-vkCreateRayTracingPipelinesKHR-flags-03816"),
      Vuid("VUID-vkCreateRayTracingPipelinesNV-flags-03816")}},
};

constexpr KindIds kUnknownFlags = {Vuid("VUID-VkComputePipelineCreateInfo-None-09497"),
                                   Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-None-09497"),
                                   Vuid("VUID-VkRayTracingPipelineCreateInfoNV-None-09497")};
constexpr KindIds kNoBase = {Vuid("VUID-VkComputePipelineCreateInfo-flags-07984"),
                             Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-07984"),
                             Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-07984"),
                             Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-flags-07984")};
constexpr KindIds kBaseIndex = {Vuid("VUID-VkComputePipelineCreateInfo-flags-07985"),
                                Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-07985"),
                                Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-07985"),
                                Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-flags-07985")};
constexpr KindIds kTwoBases = {Vuid("VUID-VkComputePipelineCreateInfo-flags-07986"),
                               Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-07986"),
                               Vuid("VUID-VkRayTracingPipelineCreateInfoNV-flags-07986"),
                               Vuid("VUID-VkExecutionGraphPipelineCreateInfoAMDX-flags-07986")};
constexpr KindIds kLaterBase = {Vuid("VUID-vkCreateComputePipelines-flags-00695"),
                                Vuid("VUID-vkCreateRayTracingPipelinesKHR-flags-03415"),
                                Vuid("VUID-vkCreateRayTracingPipelinesNV-flags-03415"),
                                Vuid("VUID-vkCreateExecutionGraphPipelinesAMDX-flags-09125")};
constexpr KindIds kBaseWithoutDerivatives = {Vuid("VUID-vkCreateComputePipelines-flags-00696"),
                                             Vuid("VUID-vkCreateRayTracingPipelinesKHR-flags-03416"),
                                             Vuid("VUID-vkCreateRayTracingPipelinesNV-flags-03416"),
                                             Vuid("VUID-vkCreateExecutionGraphPipelinesAMDX-flags-09126")};
constexpr KindIds kFeedbackCount = {
    Vuid("VUID-VkComputePipelineCreateInfo-pipelineStageCreationFeedbackCount-06566"),
    Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pipelineStageCreationFeedbackCount-06652"),
    Vuid("VUID-VkRayTracingPipelineCreateInfoNV-pipelineStageCreationFeedbackCount-06651")};
constexpr KindIds kCacheOfBinaries = {Vuid("VUID-vkCreateComputePipelines-pNext-09616"),
                                      Vuid("VUID-vkCreateRayTracingPipelinesKHR-pNext-09616"),
                                      Vuid("VUID-vkCreateRayTracingPipelinesNV-pNext-09616"),
                                      Vuid("VUID-vkCreateExecutionGraphPipelinesAMDX-pNext-09616")};
constexpr KindIds kCacheOfCapture = {Vuid("VUID-vkCreateComputePipelines-pNext-09617"),
                                     Vuid("VUID-vkCreateRayTracingPipelinesKHR-pNext-09617"),
                                     Vuid("VUID-vkCreateRayTracingPipelinesNV-pNext-09617"),
                                     Vuid("VUID-vkCreateExecutionGraphPipelinesAMDX-pNext-09617")};
constexpr KindIds kFailOfBinaries = {Vuid("VUID-vkCreateComputePipelines-binaryCount-09622"),
                                     Vuid("VUID-vkCreateRayTracingPipelinesKHR-binaryCount-09622"),
                                     Vuid("VUID-vkCreateRayTracingPipelinesNV-binaryCount-09622"),
                                     Vuid("VUID-vkCreateExecutionGraphPipelinesAMDX-binaryCount-09622")};
constexpr KindIds kCapture = {kNoVuid, kNoVuid, Vuid("VUID-vkCreateRayTracingPipelinesNV-pNext-10150")};

VkPipelineCreateFlags KnownFlags() {
  static const VkPipelineCreateFlags known = [] {
    VkPipelineCreateFlags all = 0;
    for (const vk::EnumValue& value : vk::FindEnumInfo("VkPipelineCreateFlagBits")->values)
      all |= static_cast<VkPipelineCreateFlags>(value.value);
    return all;
  }();
  return known;
}

// Whether the pipeline is created by the same command.
bool IsOf(const state::Pipeline& pipeline, PipelineKind kind) {
  if (kind == PipelineKind::kExecutionGraph) return pipeline.bind_point == VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX;
  if (kind != PipelineKind::kCompute) return pipeline.bind_point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
  return pipeline.bind_point == VK_PIPELINE_BIND_POINT_COMPUTE ||
         pipeline.bind_point == VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI;
}

void CheckBaseFlags(const CreationView& view, std::string_view member, VkPipelineCreateFlags2 flags,
                    CreationReport& report) {
  if ((flags & VK_PIPELINE_CREATE_2_ALLOW_DERIVATIVES_BIT) != 0) return;
  report.Error(view.Id(kBaseWithoutDerivatives), member,
               "is of a pipeline without VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT.");
}

void CheckBaseHandle(const CreationView& view, CreationReport& report) {
  if (view.base == VK_NULL_HANDLE) {
    return report.Error(view.Id(kNoBase), "basePipelineHandle",
                        "is VK_NULL_HANDLE, and basePipelineIndex is -1, but flags has "
                        "VK_PIPELINE_CREATE_DERIVATIVE_BIT.");
  }
  const auto* base = state::DeviceState::Get<state::Pipeline>(view.base);
  if (base == nullptr) return;
  if (!IsOf(*base, view.kind))
    return report.Error(view.Id(kNoBase), "basePipelineHandle", "is a pipeline of another bind point.");
  CheckBaseFlags(view, "basePipelineHandle", base->flags, report);
}

}  // namespace

void CheckCreationFlags(const CreationView& view, CreationReport& report) {
  if (view.Chained<VkPipelineCreateFlags2CreateInfo>() == nullptr && (view.own_flags & ~KnownFlags()) != 0) {
    report.Error(view.Id(kUnknownFlags), "flags",
                 absl::StrCat("(0x", absl::Hex(view.own_flags), ") has bits that VkPipelineCreateFlagBits lacks."));
  }
  // A rule of two flags is reported once.
  vk::VuidIndex last = kNoVuid;
  for (const ForbiddenFlag& row : kForbiddenFlags) {
    const vk::VuidIndex id = view.Id(row.ids);
    if (id == kNoVuid || id == last || !view.HasFlag(row.flag)) continue;
    if (row.feature && view.device.HasFeature(*row.feature)) continue;
    last = id;
    report.FlagError(id, row.feature ? absl::StrCat("has ", row.name, ", but the feature ",
                                                    vk::FeatureName(*row.feature), " is not enabled.")
                                     : absl::StrCat("has ", row.name, "."));
  }
}

void CheckDerivative(const CreationView& view, VkPipelineCreateFlags2 base_flags, CreationReport& report) {
  if (!view.HasFlag(VK_PIPELINE_CREATE_2_DERIVATIVE_BIT)) return;
  if (view.base_index == -1) return CheckBaseHandle(view, report);
  if (view.base != VK_NULL_HANDLE) {
    return report.Error(view.Id(kTwoBases), "basePipelineIndex",
                        absl::StrCat("(", view.base_index, ") is not -1, but there is a basePipelineHandle, too."));
  }
  if (view.base_index < 0 || static_cast<uint32_t>(view.base_index) >= view.count) {
    return report.Error(
        view.Id(kBaseIndex), "basePipelineIndex",
        absl::StrCat("(", view.base_index, ") is no index of pCreateInfos, which has ", view.count, "."));
  }
  if (static_cast<uint32_t>(view.base_index) >= view.index) {
    return report.Error(
        view.Id(kLaterBase), "basePipelineIndex",
        absl::StrCat("(", view.base_index, ") is not less than the index of this element (", view.index, ")."));
  }
  CheckBaseFlags(view, "basePipelineIndex", base_flags, report);
}

void CheckCreationChain(const CreationView& view, CreationReport& report) {
  const auto* feedback = view.Chained<VkPipelineCreationFeedbackCreateInfo>();
  if (feedback != nullptr && feedback->pipelineStageCreationFeedbackCount != 0 &&
      feedback->pipelineStageCreationFeedbackCount != view.stage_count) {
    report.Error(view.Id(kFeedbackCount),
                 report.where().Next("VkPipelineCreationFeedbackCreateInfo", "pipelineStageCreationFeedbackCount"),
                 absl::StrCat("(", feedback->pipelineStageCreationFeedbackCount,
                              ") is neither 0 nor the number of stages (", view.stage_count, ")."));
  }
  const auto* binaries = view.Chained<VkPipelineBinaryInfoKHR>();
  if (binaries != nullptr && binaries->binaryCount != 0) {
    const messages::Location count = report.where().Next("VkPipelineBinaryInfoKHR", "binaryCount");
    if (view.cache != VK_NULL_HANDLE) {
      report.Error(view.Id(kCacheOfBinaries), count,
                   absl::StrCat("(", binaries->binaryCount, ") is not 0, but there is a pipelineCache."));
    }
    if (view.HasFlag(VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)) {
      report.FlagError(view.Id(kFailOfBinaries),
                       "has VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, but binaryCount is not 0.");
    }
  }
  if (view.Chained<VkPipelineCreateFlags2CreateInfo>() == nullptr) return;
  if (!view.HasFlag(VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR)) return;
  report.FlagError(view.Id(kCapture), "has VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR.");
  if (view.cache != VK_NULL_HANDLE) {
    report.FlagError(view.Id(kCacheOfCapture),
                     "has VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR, but there is a pipelineCache.");
  }
}

}  // namespace assay::core
