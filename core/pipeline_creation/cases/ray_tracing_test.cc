// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Ray tracing pipelines, and their libraries.

#include "core/pipeline_creation/cases/creation_test.h"

namespace assay::core {
namespace {

constexpr VkPipelineCreateFlags2 kReplay = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
constexpr VkPipelineCreateFlags2 kMicromap = VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT;
constexpr VkPipelineCreateFlags2 kDisplacement = VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV;
constexpr VkPipelineCreateFlags2 kDescriptorBuffer = VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr VkRayTracingShaderGroupTypeKHR kTriangles = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR;

Setup& ReplayHandle(Setup& w) {
  w.groups[0].pShaderGroupCaptureReplayHandle = "0123456789abcdef0123456789abcdef";
  return w;
}
// Links a library that differs.
void Link(Setup& w, const std::function<void(Setup&)>& change) {
  w.has_interface = true;
  w.libraries = {change};
}
// The layout of the library has another type of descriptor, or the same.
void LinkWithBinding(Setup& w, VkDescriptorType of_library) {
  w.bindings = {{.binding = 0}};
  Link(w, [=](Setup& l) { l.bindings = {{.binding = 0, .type = of_library}}; });
}
void UseAttributes(Setup& w, uint32_t size) {
  w.has_interface = true;
  w.Limit<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>([](auto& p) { p.maxRayHitAttributeSize = 32; });
  w.interface.maxPipelineRayHitAttributeSize = size;
}

constexpr CreationCase kKhrCases[] = {
    {"flags-10392", By([](Setup& w) {
       w.Enable("VK_EXT_opacity_micromap").Enable("VK_ARM_pipeline_opacity_micromap");
       w.flags = kMicromap | VK_PIPELINE_CREATE_2_DISALLOW_OPACITY_MICROMAP_BIT_ARM;
     })},
    {"vkCreateRayTracingPipelinesKHR-deferredOperation-03587",
     [](Setup& w) { w.is_deferred = true, w.flags = VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT; }},
    Correct([](Setup& w) { w.is_deferred = true; }),
    {"maxPipelineRayRecursionDepth-03589", [](Setup& w) { w.depth = 32; }},
    Correct([](Setup& w) { w.depth = 31; }),
    {"pLibraryInfo-03590", [](Setup& w) { w.libraries = {[](Setup&) {}}; }},
    Correct([](Setup& w) { w.AddLibrary(0); }),
    {"pLibraryInfo-03595", By([](Setup& w) {
       w.has_interface = true;
       std::erase_if(w.extensions, [](std::string_view e) { return e == "VK_KHR_pipeline_library"; });
     })},
    {"pLibraries-03591", [](Setup& w) { Link(w, [](Setup& l) { l.depth = 2; }); }},
    {"pLibraryInfo-03593", [](Setup& w) { Link(w, [](Setup& l) { l.interface.maxPipelineRayPayloadSize = 32; }); }},
    {"pLibraryInfo-03593", [](Setup& w) { Link(w, [](Setup& l) { l.interface.maxPipelineRayHitAttributeSize = 4; }); }},
    {"pLibraryInfo-03592", [](Setup& w) { LinkWithBinding(w, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER); }},
    Correct([](Setup& w) { LinkWithBinding(w, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER); }),
    {"VkRayTracingPipelineInterfaceCreateInfoKHR-maxPipelineRayHitAttributeSize-03605",
     [](Setup& w) { UseAttributes(w, 36); }},
    Correct([](Setup& w) { UseAttributes(w, 32); }),
    {"VkPipelineLibraryCreateInfoKHR-pLibraries-03381",
     [](Setup& w) { Link(w, [](Setup& l) { l.flags = 0, l.stages[0] = VK_SHADER_STAGE_RAYGEN_BIT_KHR; }); }},
    {"VkPipelineLibraryCreateInfoKHR-pLibraries-08096",
     [](Setup& w) { w.Enable("VK_EXT_descriptor_buffer").AddLibrary(kDescriptorBuffer).AddLibrary(0); }},
    Correct([](Setup& w) {
      w.Enable("VK_EXT_descriptor_buffer").AddLibrary(kDescriptorBuffer).AddLibrary(kDescriptorBuffer);
    }),
    {"flags-03470", By([](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR;
       w.AddGroup(kTriangles).closestHitShader = w.AddStage(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
     })},
    {"flags-03471", By([](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR;
       w.AddGroup(kTriangles).anyHitShader = w.AddStage(VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
     })},
    {"rayTracingPipelineShaderGroupHandleCaptureReplay-03599", [](Setup& w) { ReplayHandle(w); }},
    Correct([](Setup& w) { ReplayHandle(w).flags = kReplay; }),
    {"pLibraryInfo-07999", By([](Setup& w) {
       w.stages.clear();
       w.groups.clear();
       w.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
       w.has_interface = true;
     })},
    {"flags-08700", [](Setup& w) { w.groups.clear(); }},
    {"stage-03425", [](Setup& w) { w.stages[0] = VK_SHADER_STAGE_MISS_BIT_KHR; }},
    Correct([](Setup& w) {
      w.stages[0] = VK_SHADER_STAGE_MISS_BIT_KHR;
      Link(w, [](Setup& l) { l.stages[0] = VK_SHADER_STAGE_RAYGEN_BIT_KHR; });
    }),
    {"pDynamicStates-03602", [](Setup& w) { w.dynamic = {VK_DYNAMIC_STATE_VIEWPORT}; }},
    Correct([](Setup& w) { w.dynamic = {VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR}; }),
    {"stage-06899", [](Setup& w) { w.AddStage(VK_SHADER_STAGE_COMPUTE_BIT); }},
    Correct([](Setup& w) {
      w.Enable("VK_NV_cluster_acceleration_structure");
      w.Chain<VkRayTracingPipelineClusterAccelerationStructureCreateInfoNV>({});
    }),
};
constexpr CreationCase kNvCases[] = {
    {"stage-06232", [](Setup& w) { w.stages[0] = VK_SHADER_STAGE_MISS_BIT_KHR; }},
    {"flags-02957", By([](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_DEFER_COMPILE_BIT_NV | VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
     })},
    {"stage-06898", [](Setup& w) { w.AddStage(VK_SHADER_STAGE_COMPUTE_BIT); }},
    Correct([](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DEFER_COMPILE_BIT_NV; }),
};

// Flags that a pipeline and its libraries have alike.
struct FlagCase {
  VkPipelineCreateFlags2 flag;
  // Where the pipeline has it, and where the library has it; empty for no rule.
  std::string_view id;
  std::string_view id_of_library = {};
  std::vector<const char*> extensions = {};
};
const FlagCase kFlagCases[] = {
    {kReplay, "flags-03594"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR, "flags-04718"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR, "flags-04719"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR, "flags-04720"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR, "flags-04721"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR, "flags-04722"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR, "flags-04723"},
    {kMicromap, "flags-07403", "", {"VK_EXT_opacity_micromap"}},
    {kDisplacement, "flags-08701", "", {"VK_EXT_opacity_micromap", "VK_NV_displacement_micromap"}},
    {VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT, "VkPipelineLibraryCreateInfoKHR-pipeline-07404",
     "VkPipelineLibraryCreateInfoKHR-pipeline-07405"},
    {VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT, "VkPipelineLibraryCreateInfoKHR-pipeline-07406",
     "VkPipelineLibraryCreateInfoKHR-pipeline-07407"},
};

class RayTracingRulesTest : public CreationTest {};

TEST_F(RayTracingRulesTest, Khr) { Run(MadeKind::kRays, kKhrCases); }
TEST_F(RayTracingRulesTest, Nv) { Run(MadeKind::kRaysNv, kNvCases); }
TEST_F(RayTracingRulesTest, FlagsOfLibraries) {
  for (const FlagCase& row : kFlagCases) {
    SCOPED_TRACE(row.id);
    const auto run = [&](std::string_view id, VkPipelineCreateFlags2 own, VkPipelineCreateFlags2 of_library) {
      Run(MadeKind::kRays, id, [&](CreationSetup& w) {
        for (const char* extension : row.extensions) w.Enable(extension);
        w.AddLibrary(of_library).flags = own;
      });
    };
    run(row.id, row.flag, 0);
    if (!row.id_of_library.empty()) run(row.id_of_library, 0, row.flag);
    run("", row.flag, row.flag);
  }
}

// Groups that are replayed come first.
TEST_F(RayTracingRulesTest, MixedReplay) {
  for (const bool has_feature : {false, true}) {
    for (const bool is_replay_first : {false, true}) {
      CreationSetup plain(MadeKind::kRays), replay(MadeKind::kRays);
      if (!has_feature) plain.Disable("rayTracingPipelineShaderGroupHandleCaptureReplayMixed");
      ReplayHandle(replay).flags = kReplay;
      Start(plain);
      if (is_replay_first) Make(replay);
      Make(plain);
      ExpectNothing();
      Make(replay);
      ExpectAlone("VkRayTracingShaderGroupCreateInfoKHR",
                  has_feature || is_replay_first ? "" : "rayTracingPipelineShaderGroupHandleCaptureReplayMixed-03603");
      Finish();
    }
  }
}

}  // namespace
}  // namespace assay::core
