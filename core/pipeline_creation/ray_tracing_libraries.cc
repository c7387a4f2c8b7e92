// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/ray_tracing_check.h"
#include "state/state.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::IsAddress;
using vk::kNoVuid;
using vk::Vuid;

// A flag that libraries share with the pipeline.
struct LibraryFlag {
  VkPipelineCreateFlags2 flag;
  std::string_view name;
  // For a library that lacks it, and for one that has it while the pipeline does not.
  vk::VuidIndex lacks;
  vk::VuidIndex has;
};
constexpr LibraryFlag kLibraryFlags[] = {
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-03594"), kNoVuid},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR, "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-04718"), kNoVuid},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR, "VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-04719"), kNoVuid},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-04720"), kNoVuid},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-04721"), kNoVuid},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-04722"), kNoVuid},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR,
     "VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-04723"), kNoVuid},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT,
     "VK_PIPELINE_CREATE_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-07403"), kNoVuid},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV,
     "VK_PIPELINE_CREATE_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV",
     Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-flags-08701"), kNoVuid},
    {VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT, "VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT",
     Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07404"),
     Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07405")},
    {VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT, "VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT",
     Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07406"),
     Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07407")},
};

void CheckFlags(const CreationView& view, VkPipelineCreateFlags2 flags, const Location& where, CreationReport& report) {
  if ((flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) == 0) {
    report.Error(Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-03381"), where,
                 "was created without VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.");
  }
  for (const LibraryFlag& row : kLibraryFlags) {
    const bool wants = view.HasFlag(row.flag);
    const bool has = (flags & row.flag) != 0;
    if (wants && !has) {
      report.Error(row.lacks, where, absl::StrCat("was created without ", row.name, ", which the pipeline has."));
    } else if (has && !wants) {
      report.Error(row.has, where, absl::StrCat("was created with ", row.name, ", which the pipeline does not have."));
    }
  }
}

void CheckFacts(const VkRayTracingPipelineCreateInfoKHR& info, const RayTracingFacts& facts, const Location& where,
                CreationReport& report) {
  if (facts.recursion_depth != info.maxPipelineRayRecursionDepth) {
    report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pLibraries-03591"), where,
                 absl::StrCat("has the maxPipelineRayRecursionDepth (", facts.recursion_depth, "), the pipeline (",
                              info.maxPipelineRayRecursionDepth, ")."));
  }
  if (!facts.has_interface || !IsAddress(info.pLibraryInterface)) return;
  const VkRayTracingPipelineInterfaceCreateInfoKHR& interface = *info.pLibraryInterface;
  if (facts.payload_size == interface.maxPipelineRayPayloadSize &&
      facts.hit_attribute_size == interface.maxPipelineRayHitAttributeSize) {
    return;
  }
  report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03593"), where,
               absl::StrCat("has payloads (", facts.payload_size, ") and hit attributes (", facts.hit_attribute_size,
                            ") of other sizes than the pipeline: (", interface.maxPipelineRayPayloadSize, ") and (",
                            interface.maxPipelineRayHitAttributeSize, ")."));
}

}  // namespace

void CheckRayTracingLibraries(const CreationView& view, const VkRayTracingPipelineCreateInfoKHR& info,
                              const HandleMap<RayTracingFacts>& facts, CreationReport& report) {
  if (!IsAddress(info.pLibraryInfo) || !IsAddress(info.pLibraryInfo->pLibraries)) return;
  const Location libraries = report.where().Dot("pLibraryInfo");
  const auto* layout = state::DeviceState::Get<state::PipelineLayout>(info.layout);
  bool has_descriptor_buffer = false;
  bool lacks_descriptor_buffer = false;
  for (uint32_t i = 0; i < info.pLibraryInfo->libraryCount; ++i) {
    const VkPipeline handle = info.pLibraryInfo->pLibraries[i];
    const auto* library = state::DeviceState::Get<state::Pipeline>(handle);
    if (library == nullptr) continue;
    const Location where = libraries.Dot("pLibraries", i);
    CheckFlags(view, library->flags, where, report);
    if (layout != nullptr && library->layout && !HaveSameSets(*layout, *library->layout)) {
      report.Error(Vuid("VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03592"), where,
                   "was created with a layout that is not compatible with that of the pipeline.");
    }
    if (const auto noted = facts.Find(handle)) CheckFacts(info, *noted, where, report);
    const bool has = (library->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT) != 0;
    has_descriptor_buffer |= has;
    lacks_descriptor_buffer |= !has;
  }
  if (has_descriptor_buffer && lacks_descriptor_buffer) {
    report.Error(Vuid("VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-08096"), libraries.Dot("pLibraries"),
                 "has libraries with VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, and others without it.");
  }
}

}  // namespace assay::core
