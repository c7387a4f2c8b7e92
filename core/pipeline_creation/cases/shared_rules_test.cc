// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules that all kinds of pipelines have.

#include "core/pipeline_creation/cases/creation_test.h"

namespace assay::core {
namespace {

using Setup = CreationSetup;

constexpr VkPipelineCreateFlags2 kBindableNv = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;
constexpr VkPipelineCreateFlags2 kBindable = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
constexpr VkPipelineCreateFlags2 kDerive = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT;
constexpr VkPipelineCreateFlags2 kFail = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
constexpr VkPipelineCreateFlags2 kEarlyReturn = VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT;
constexpr VkPipelineCreateFlags2 kMotion = VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV;
constexpr VkPipelineCreateFlags2 kMicromap = VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT;
constexpr VkPipelineCreateFlags2 kDisplacement = VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV;

// Two resources for a stage, on a device without updates after sets are bound; and three resources, the third one for
// these stages.
void LimitResources(Setup& w, VkShaderStageFlags stages) {
  w.bindings = {{.binding = 0, .count = 2}, {.binding = 1, .stages = stages}};
  w.max_stage_resources = 2;
  for (const char* kind : {"AccelerationStructure", "InlineUniformBlock", "SampledImage", "StorageBuffer",
                           "StorageImage", "StorageTexelBuffer", "UniformBuffer", "UniformTexelBuffer"}) {
    w.without.insert(std::string("descriptorBinding") + kind + "UpdateAfterBind");
  }
}

Setup& DeriveFromBase(Setup& w) {
  w.flags = kDerive;
  w.has_base = true;
  w.base_flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  return w;
}
Setup& DeriveFromIndex(Setup& w, int32_t index, uint32_t before = 0) {
  w.flags = kDerive;
  w.before = before;
  w.base_index = index;
  return w;
}
Setup& CaptureData(Setup& w) {
  w.Enable("VK_KHR_pipeline_binary").flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  return w;
}
void AskForFeedback(Setup& w, uint32_t stage_count) {
  static VkPipelineCreationFeedback all, stages[2];
  w.Chain<VkPipelineCreationFeedbackCreateInfo>({.pPipelineCreationFeedback = &all,
                                                 .pipelineStageCreationFeedbackCount = stage_count,
                                                 .pPipelineStageCreationFeedbacks = stages});
}

constexpr MadeKind kKinds[] = {MadeKind::kCompute, MadeKind::kRays, MadeKind::kRaysNv};

// A flag of ray tracing, which is not for compute pipelines, nor for those of VK_NV_ray_tracing.
struct FlagCase {
  VkPipelineCreateFlags2 flag;
  std::string_view compute;
  std::string_view nv;
  std::vector<const char*> extensions = {};
};
const FlagCase kFlagCases[] = {
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR, "", "flags-03458"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR, "flags-03366", "flags-03459"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR, "flags-03367", "flags-03460"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR, "flags-03368", "flags-03461"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR, "flags-03369", "flags-03463"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR, "flags-03370", "flags-03462"},
    {VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR, "flags-03576", "flags-03588"},
    {kMotion, "flags-04945", "flags-04948", {"VK_NV_ray_tracing_motion_blur"}},
    {kMicromap, "flags-07367", "flags-07402", {"VK_EXT_opacity_micromap"}},
    {kDisplacement, "flags-07996", "flags-07998", {"VK_EXT_opacity_micromap", "VK_NV_displacement_micromap"}},
};

// The commands that create them.
constexpr std::string_view kCommands[] = {"vkCreateComputePipelines-", "vkCreateRayTracingPipelinesKHR-",
                                          "vkCreateRayTracingPipelinesNV-"};

struct SharedCase {
  // By kind; empty for a kind without the rule.
  std::string_view ids[3];
  void (*change)(Setup&);
  // Whether the rules are of the commands, not of the create infos.
  bool is_of_command = false;
};
constexpr SharedCase All(std::string_view id, void (*change)(Setup&)) { return {{id, id, id}, change}; }
// Ray tracing pipelines of both extensions have one rule.
constexpr SharedCase Both(std::string_view compute, std::string_view rays, void (*change)(Setup&)) {
  return {{compute, rays, rays}, change};
}
constexpr SharedCase OfCommand(std::string_view compute, std::string_view rays, void (*change)(Setup&)) {
  return {{compute, rays, rays}, change, true};
}
constexpr SharedCase kCases[] = {
    {{"flags-09007"},
     [](Setup& w) { w.EnableGeneratedComputeNv().Disable("deviceGeneratedComputePipelines").flags = kBindableNv; }},
    Both("flags-09008", "flags-02904", [](Setup& w) { w.EnableGeneratedComputeNv().flags = kBindableNv; }),
    {{"flags-11007"},
     [](Setup& w) {
       w.Enable("VK_EXT_device_generated_commands").Disable("deviceGeneratedCommands").flags = kBindable;
     }},
    {{"", "", "flags-11008"}, [](Setup& w) { w.Enable("VK_EXT_device_generated_commands").flags = kBindable; }},
    {{"shaderEnqueue-09177"},
     [](Setup& w) { w.Enable("VK_KHR_pipeline_library").flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR; }},
    {{"", "", "flags-03456"}, [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR; }},
    Both("pipelineCreationCacheControl-02875", "pipelineCreationCacheControl-02905",
         [](Setup& w) { w.Disable("pipelineCreationCacheControl").flags = kFail; }),
    Both("pipelineCreationCacheControl-02875", "pipelineCreationCacheControl-02905",
         [](Setup& w) { w.Disable("pipelineCreationCacheControl").flags = kEarlyReturn; }),
    OfCommand("", "flags-03816", [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT; }),
    All("None-09497", [](Setup& w) { w.raw_flags = 0x80000000; }),
    All("flags-07984", [](Setup& w) { w.flags = kDerive; }),
    All("flags-07984",
        [](Setup& w) {
          DeriveFromBase(w);
          w.base_kind = w.kind == MadeKind::kCompute ? MadeKind::kRays : MadeKind::kCompute;
          if (w.kind == MadeKind::kCompute) w.EnableRays().Enable("VK_KHR_pipeline_library");
        }),
    All("flags-07985", [](Setup& w) { DeriveFromIndex(w, 1); }),
    All("flags-07985", [](Setup& w) { DeriveFromIndex(w, -2); }),
    All("flags-07986", [](Setup& w) { DeriveFromIndex(DeriveFromBase(w), 0, 1); }),
    OfCommand("flags-00695", "flags-03415", [](Setup& w) { DeriveFromIndex(w, 1, 1); }),
    OfCommand("flags-00696", "flags-03416", [](Setup& w) { DeriveFromIndex(w, 0, 1); }),
    OfCommand("flags-00696", "flags-03416", [](Setup& w) { w.flags = kDerive, w.has_base = true; }),
    {{"pipelineStageCreationFeedbackCount-06566", "pipelineStageCreationFeedbackCount-06652",
      "pipelineStageCreationFeedbackCount-06651"},
     [](Setup& w) { AskForFeedback(w, 2); }},
    {{"pNext-09617", "pNext-09617", ""}, [](Setup& w) { CaptureData(w).has_cache = true; }, true},
    {{"", "", "pNext-10150"}, [](Setup& w) { CaptureData(w); }, true},
    OfCommand("device-09661", "device-09677", [](Setup& w) { w.queues_without = VK_QUEUE_COMPUTE_BIT; }),
    Both("layout-01687", "layout-03428", [](Setup& w) { LimitResources(w, VK_SHADER_STAGE_ALL); }),
};
constexpr void (*kCorrect[])(Setup&) = {
    [](Setup& w) { LimitResources(w, VK_SHADER_STAGE_VERTEX_BIT); },
    [](Setup& w) { w.before = 0; },
    [](Setup& w) { DeriveFromIndex(w, 0, 1).before_flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT; },
    [](Setup& w) { DeriveFromBase(w); },
    [](Setup& w) { AskForFeedback(w, 1); },
    [](Setup& w) { AskForFeedback(w, 0); },
    [](Setup& w) { w.flags = kFail | kEarlyReturn; },
    [](Setup& w) {
      w.flags = kFail;
      w.has_flags2 = w.has_cache = true;
    },
    [](Setup& w) {
      if (w.kind != MadeKind::kRaysNv) CaptureData(w);
    },
};

class SharedRulesTest : public CreationTest {};

TEST_F(SharedRulesTest, Wrong) {
  for (const SharedCase& row : kCases) {
    for (size_t i = 0; i < 3; ++i) {
      if (row.ids[i].empty()) continue;
      Run(kKinds[i], std::string(row.is_of_command ? kCommands[i] : "").append(row.ids[i]), row.change);
    }
  }
}
TEST_F(SharedRulesTest, FlagsOfRayTracing) {
  for (const FlagCase& row : kFlagCases) {
    const auto change = [&](CreationSetup& w) {
      if (w.kind == MadeKind::kCompute) w.EnableRays();
      for (const char* extension : row.extensions) w.Enable(extension);
      w.flags = row.flag;
    };
    if (!row.compute.empty()) Run(MadeKind::kCompute, row.compute, change);
    Run(MadeKind::kRaysNv, row.nv, change);
  }
}
TEST_F(SharedRulesTest, Correct) {
  for (const auto& change : kCorrect) {
    for (const MadeKind kind : kKinds) Run(kind, "", change);
  }
}

}  // namespace
}  // namespace assay::core
