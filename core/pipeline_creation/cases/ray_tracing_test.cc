// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Ray tracing pipelines, and their libraries.

#include <string_view>

#include "core/pipeline_creation/cases/creation_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using Setup = CreationSetup;

struct RayCase {
  // Null for a correct pipeline.
  const char* id;
  void (*change)(Setup&);
};
constexpr RayCase kKhrCases[] = {
    {"VUID-VkRayTracingPipelineCreateInfoKHR-rayTraversalPrimitiveCulling-03597",
     [](Setup& w) {
       w.Disable("rayTraversalPrimitiveCulling");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-rayTraversalPrimitiveCulling-03596",
     [](Setup& w) {
       w.Disable("rayTraversalPrimitiveCulling");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-06546",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR |
                 VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-03598",
     [](Setup& w) {
       w.Disable("rayTracingPipelineShaderGroupHandleCaptureReplay");
       w.Disable("rayTracingPipelineShaderGroupHandleCaptureReplayMixed");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-10392",
     [](Setup& w) {
       w.Enable("VK_EXT_opacity_micromap");
       w.Enable("VK_ARM_pipeline_opacity_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT |
                 VK_PIPELINE_CREATE_2_DISALLOW_OPACITY_MICROMAP_BIT_ARM;
     }},
    {"VUID-vkCreateRayTracingPipelinesKHR-deferredOperation-03587",
     [](Setup& w) { w.is_deferred = true, w.flags = VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT; }},
    {nullptr, [](Setup& w) { w.is_deferred = true; }},
    {"VUID-vkCreateRayTracingPipelinesKHR-rayTracingPipeline-03586",
     [](Setup& w) { w.Enable("VK_NV_ray_tracing"), w.has_nv_shaders = true, w.Disable("rayTracingPipeline"); }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-maxPipelineRayRecursionDepth-03589", [](Setup& w) { w.depth = 32; }},
    {nullptr, [](Setup& w) { w.depth = 31; }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-03465",
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR; }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03590", [](Setup& w) { w.libraries = {[](Setup&) {}}; }},
    {nullptr, [](Setup& w) { w.has_interface = true, w.libraries = {[](Setup& l) { l.depth = 1; }}; }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03595",
     [](Setup& w) {
       w.has_interface = true;
       std::erase_if(w.extensions, [](std::string_view e) { return e == "VK_KHR_pipeline_library"; });
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-pLibraries-03591",
     [](Setup& w) { w.has_interface = true, w.libraries = {[](Setup& l) { l.depth = 2; }}; }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03593",
     [](Setup& w) {
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.interface.maxPipelineRayPayloadSize = 32; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03593",
     [](Setup& w) {
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.interface.maxPipelineRayHitAttributeSize = 4; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03592",
     [](Setup& w) {
       w.has_interface = true;
       w.bindings = {{.binding = 0}};
       w.libraries = {[](Setup& l) { l.bindings = {{.binding = 0, .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}}; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.has_interface = true;
       w.bindings = {{.binding = 0}};
       w.libraries = {[](Setup& l) { l.bindings = {{.binding = 0}}; }};
     }},
    {"VUID-VkRayTracingPipelineInterfaceCreateInfoKHR-maxPipelineRayHitAttributeSize-03605",
     [](Setup& w) {
       w.has_interface = true;
       w.Limit<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>([](auto& p) { p.maxRayHitAttributeSize = 32; });
       w.interface.maxPipelineRayHitAttributeSize = 36;
     }},
    {nullptr,
     [](Setup& w) {
       w.has_interface = true;
       w.Limit<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>([](auto& p) { p.maxRayHitAttributeSize = 32; });
       w.interface.maxPipelineRayHitAttributeSize = 32;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-03594",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
       w.has_interface = true;
       w.libraries = {
           [](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-04718",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-04719",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-04720",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-04721",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {
           [](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-04722",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {
           [](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-04723",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-07403",
     [](Setup& w) {
       w.Enable("VK_EXT_opacity_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_opacity_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-08701",
     [](Setup& w) {
       w.Enable("VK_EXT_opacity_micromap");
       w.Enable("VK_NV_displacement_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_opacity_micromap");
       w.Enable("VK_NV_displacement_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV; }};
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-03381",
     [](Setup& w) {
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags = 0, l.stages[0] = VK_SHADER_STAGE_RAYGEN_BIT_KHR; }};
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07404",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07405",
     [](Setup& w) {
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT; }};
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07406",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.depth = 1; }};
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pipeline-07407",
     [](Setup& w) {
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT; }};
     }},
    {"VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-08096",
     [](Setup& w) {
       w.Enable("VK_EXT_descriptor_buffer");
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT; },
                      [](Setup& l) { l.depth = 1; }};
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_EXT_descriptor_buffer");
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT; },
                      [](Setup& l) { l.flags |= VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-03470",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR;
       const uint32_t hit = w.AddStage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR).closestHitShader = hit;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-03471",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR;
       const uint32_t hit = w.AddStage(VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
       w.AddGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR).anyHitShader = hit;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-rayTracingPipelineShaderGroupHandleCaptureReplay-03599",
     [](Setup& w) { w.groups[0].pShaderGroupCaptureReplayHandle = "0123456789abcdef0123456789abcdef"; }},
    {nullptr,
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
       w.groups[0].pShaderGroupCaptureReplayHandle = "0123456789abcdef0123456789abcdef";
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-07999",
     [](Setup& w) {
       w.stages.clear();
       w.groups.clear();
       w.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
       w.has_interface = true;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-flags-08700", [](Setup& w) { w.groups.clear(); }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-stage-03425",
     [](Setup& w) { w.stages[0] = VK_SHADER_STAGE_MISS_BIT_KHR; }},
    {nullptr,
     [](Setup& w) {
       w.stages[0] = VK_SHADER_STAGE_MISS_BIT_KHR;
       w.has_interface = true;
       w.libraries = {[](Setup& l) { l.stages[0] = VK_SHADER_STAGE_RAYGEN_BIT_KHR; }};
     }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-pDynamicStates-03602",
     [](Setup& w) { w.dynamic = {VK_DYNAMIC_STATE_VIEWPORT}; }},
    {nullptr, [](Setup& w) { w.dynamic = {VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR}; }},
    {"VUID-VkRayTracingPipelineCreateInfoKHR-stage-06899", [](Setup& w) { w.AddStage(VK_SHADER_STAGE_COMPUTE_BIT); }},
    {"VUID-VkRayTracingPipelineClusterAccelerationStructureCreateInfoNV-clusterAccelerationStructure-10576",
     [](Setup& w) {
       w.Enable("VK_NV_cluster_acceleration_structure");
       w.Disable("clusterAccelerationStructure");
       w.Chain<VkRayTracingPipelineClusterAccelerationStructureCreateInfoNV>({});
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_NV_cluster_acceleration_structure");
       w.Chain<VkRayTracingPipelineClusterAccelerationStructureCreateInfoNV>({});
     }},
};
constexpr RayCase kNvCases[] = {
    {"VUID-VkRayTracingPipelineCreateInfoNV-maxRecursionDepth-03457",
     [](Setup& w) {
       w.Limit<VkPhysicalDeviceRayTracingPropertiesNV>([](auto& p) { p.maxRecursionDepth = 2; });
       w.depth = 3;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoNV-stage-06232", [](Setup& w) { w.stages[0] = VK_SHADER_STAGE_MISS_BIT_KHR; }},
    {"VUID-VkRayTracingPipelineCreateInfoNV-flags-02957",
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_DEFER_COMPILE_BIT_NV | VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
     }},
    {"VUID-VkRayTracingPipelineCreateInfoNV-stage-06898", [](Setup& w) { w.AddStage(VK_SHADER_STAGE_COMPUTE_BIT); }},
    {nullptr, [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DEFER_COMPILE_BIT_NV; }},
};

class RayTracingRulesTest : public CreationTest {};

TEST_F(RayTracingRulesTest, Khr) {
  for (const RayCase& row : kKhrCases) Run(MadeKind::kRays, row.id, row.change);
}
TEST_F(RayTracingRulesTest, Nv) {
  for (const RayCase& row : kNvCases) Run(MadeKind::kRaysNv, row.id, row.change);
}

// Groups that are replayed come first.
TEST_F(RayTracingRulesTest, MixedReplay) {
  constexpr const char* kMixed = "rayTracingPipelineShaderGroupHandleCaptureReplayMixed";
  for (const bool has_feature : {false, true}) {
    for (const bool is_replay_first : {false, true}) {
      CreationSetup plain;
      Begin(plain, MadeKind::kRays);
      if (!has_feature) plain.Disable(kMixed);
      CreationSetup replay;
      Begin(replay, MadeKind::kRays);
      replay.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
      replay.groups[0].pShaderGroupCaptureReplayHandle = "0123456789abcdef0123456789abcdef";
      Start(plain);
      if (is_replay_first) Make(replay);
      Make(plain);
      ExpectNothing();
      Make(replay);
      if (!has_feature && !is_replay_first) {
        ExpectMessage(
            "VUID-VkRayTracingShaderGroupCreateInfoKHR-rayTracingPipelineShaderGroupHandleCaptureReplayMixed-03603");
      }
      Finish();
    }
  }
}

}  // namespace
}  // namespace assay::core
