// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules that all kinds of pipelines have.

#include <string>

#include "core/pipeline_creation/cases/creation_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using Setup = CreationSetup;

// Two resources for a stage, on a device without updates after sets are bound.
void LimitResources(Setup& w) {
  w.max_stage_resources = 2;
  for (const char* kind : {"AccelerationStructure", "InlineUniformBlock", "SampledImage", "StorageBuffer",
                           "StorageImage", "StorageTexelBuffer", "UniformBuffer", "UniformTexelBuffer"}) {
    w.without.insert(std::string("descriptorBinding") + kind + "UpdateAfterBind");
  }
}

constexpr MadeKind kKinds[] = {MadeKind::kCompute, MadeKind::kRays, MadeKind::kRaysNv};

struct SharedCase {
  // By kind; null for a kind without the rule.
  const char* ids[3];
  void (*change)(Setup&);
};
constexpr SharedCase kCases[] = {
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-03458"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-03366", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-03459"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-03367", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-03460"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-03368", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-03461"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-03369", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-03463"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-03370", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-03462"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SKIP_AABBS_BIT_KHR; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-03576", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-03588"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-04945", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.Enable("VK_NV_ray_tracing_motion_blur");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-04948"},
     [](Setup& w) {
       w.Enable("VK_NV_ray_tracing_motion_blur");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV;
     }},
    {{"VUID-VkComputePipelineCreateInfo-flags-07367", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.Enable("VK_EXT_opacity_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-07402"},
     [](Setup& w) {
       w.Enable("VK_EXT_opacity_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT;
     }},
    {{"VUID-VkComputePipelineCreateInfo-flags-07996", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_acceleration_structure");
       w.Enable("VK_KHR_deferred_host_operations");
       w.Enable("VK_KHR_ray_tracing_pipeline");
       w.Enable("VK_EXT_opacity_micromap");
       w.Enable("VK_NV_displacement_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-07998"},
     [](Setup& w) {
       w.Enable("VK_EXT_opacity_micromap");
       w.Enable("VK_NV_displacement_micromap");
       w.flags = VK_PIPELINE_CREATE_2_RAY_TRACING_DISPLACEMENT_MICROMAP_BIT_NV;
     }},
    {{"VUID-VkComputePipelineCreateInfo-flags-09007", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_NV_device_generated_commands");
       w.Enable("VK_NV_device_generated_commands_compute");
       w.Disable("deviceGeneratedComputePipelines");
       w.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;
     }},
    {{"VUID-VkComputePipelineCreateInfo-flags-09008", "VUID-VkRayTracingPipelineCreateInfoKHR-flags-02904",
      "VUID-VkRayTracingPipelineCreateInfoNV-flags-02904"},
     [](Setup& w) {
       w.Enable("VK_NV_device_generated_commands");
       w.Enable("VK_NV_device_generated_commands_compute");
       w.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV;
     }},
    {{"VUID-VkComputePipelineCreateInfo-flags-11007", nullptr, nullptr},
     [](Setup& w) {
       w.Enable("VK_EXT_device_generated_commands");
       w.Disable("deviceGeneratedCommands");
       w.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
     }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-11008"},
     [](Setup& w) {
       w.Enable("VK_EXT_device_generated_commands");
       w.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
     }},
    {{"VUID-VkComputePipelineCreateInfo-shaderEnqueue-09177", nullptr, nullptr},
     [](Setup& w) { w.Enable("VK_KHR_pipeline_library"), w.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR; }},
    {{nullptr, nullptr, "VUID-VkRayTracingPipelineCreateInfoNV-flags-03456"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR; }},
    {{"VUID-VkComputePipelineCreateInfo-pipelineCreationCacheControl-02875",
      "VUID-VkRayTracingPipelineCreateInfoKHR-pipelineCreationCacheControl-02905",
      "VUID-VkRayTracingPipelineCreateInfoNV-pipelineCreationCacheControl-02905"},
     [](Setup& w) {
       w.Disable("pipelineCreationCacheControl");
       w.flags = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
     }},
    {{"VUID-VkComputePipelineCreateInfo-pipelineCreationCacheControl-02875",
      "VUID-VkRayTracingPipelineCreateInfoKHR-pipelineCreationCacheControl-02905",
      "VUID-VkRayTracingPipelineCreateInfoNV-pipelineCreationCacheControl-02905"},
     [](Setup& w) {
       w.Disable("pipelineCreationCacheControl");
       w.flags = VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT;
     }},
    {{nullptr, "VUID-vkCreateRayTracingPipelinesKHR-flags-03816", "VUID-vkCreateRayTracingPipelinesNV-flags-03816"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT; }},
    {{"VUID-VkComputePipelineCreateInfo-None-09497", "VUID-VkRayTracingPipelineCreateInfoKHR-None-09497",
      "VUID-VkRayTracingPipelineCreateInfoNV-None-09497"},
     [](Setup& w) { w.raw_flags = 0x80000000; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-07984", "VUID-VkRayTracingPipelineCreateInfoKHR-flags-07984",
      "VUID-VkRayTracingPipelineCreateInfoNV-flags-07984"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-07984", "VUID-VkRayTracingPipelineCreateInfoKHR-flags-07984",
      "VUID-VkRayTracingPipelineCreateInfoNV-flags-07984"},
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT;
       w.has_base = true;
       w.base_flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
       w.base_kind = w.kind == MadeKind::kCompute ? MadeKind::kRays : MadeKind::kCompute;
       if (w.kind == MadeKind::kCompute) {
         w.Enable("VK_KHR_acceleration_structure");
         w.Enable("VK_KHR_deferred_host_operations");
         w.Enable("VK_KHR_ray_tracing_pipeline");
         w.Enable("VK_KHR_pipeline_library");
       }
     }},
    {{"VUID-VkComputePipelineCreateInfo-flags-07985", "VUID-VkRayTracingPipelineCreateInfoKHR-flags-07985",
      "VUID-VkRayTracingPipelineCreateInfoNV-flags-07985"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT, w.base_index = 1; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-07985", "VUID-VkRayTracingPipelineCreateInfoKHR-flags-07985",
      "VUID-VkRayTracingPipelineCreateInfoNV-flags-07985"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT, w.base_index = -2; }},
    {{"VUID-VkComputePipelineCreateInfo-flags-07986", "VUID-VkRayTracingPipelineCreateInfoKHR-flags-07986",
      "VUID-VkRayTracingPipelineCreateInfoNV-flags-07986"},
     [](Setup& w) {
       w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT;
       w.has_base = true;
       w.base_flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
       w.before = 1;
       w.base_index = 0;
     }},
    {{"VUID-vkCreateComputePipelines-flags-00695", "VUID-vkCreateRayTracingPipelinesKHR-flags-03415",
      "VUID-vkCreateRayTracingPipelinesNV-flags-03415"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT, w.before = 1, w.base_index = 1; }},
    {{"VUID-vkCreateComputePipelines-flags-00696", "VUID-vkCreateRayTracingPipelinesKHR-flags-03416",
      "VUID-vkCreateRayTracingPipelinesNV-flags-03416"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT, w.before = 1, w.base_index = 0; }},
    {{"VUID-vkCreateComputePipelines-flags-00696", "VUID-vkCreateRayTracingPipelinesKHR-flags-03416",
      "VUID-vkCreateRayTracingPipelinesNV-flags-03416"},
     [](Setup& w) { w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT, w.has_base = true; }},
    {{"VUID-VkComputePipelineCreateInfo-pipelineStageCreationFeedbackCount-06566",
      "VUID-VkRayTracingPipelineCreateInfoKHR-pipelineStageCreationFeedbackCount-06652",
      "VUID-VkRayTracingPipelineCreateInfoNV-pipelineStageCreationFeedbackCount-06651"},
     [](Setup& w) {
       static VkPipelineCreationFeedback all, stages[2];
       w.Chain<VkPipelineCreationFeedbackCreateInfo>({.pPipelineCreationFeedback = &all,
                                                      .pipelineStageCreationFeedbackCount = 2,
                                                      .pPipelineStageCreationFeedbacks = stages});
     }},
    {{"VUID-vkCreateComputePipelines-pNext-09617", "VUID-vkCreateRayTracingPipelinesKHR-pNext-09617", nullptr},
     [](Setup& w) {
       w.Enable("VK_KHR_pipeline_binary");
       w.flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
       w.has_cache = true;
     }},
    {{nullptr, nullptr, "VUID-vkCreateRayTracingPipelinesNV-pNext-10150"},
     [](Setup& w) { w.Enable("VK_KHR_pipeline_binary"), w.flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR; }},
    {{"VUID-vkCreateComputePipelines-device-09661", "VUID-vkCreateRayTracingPipelinesKHR-device-09677",
      "VUID-vkCreateRayTracingPipelinesNV-device-09677"},
     [](Setup& w) { w.queues_without = VK_QUEUE_COMPUTE_BIT; }},
    {{"VUID-VkComputePipelineCreateInfo-layout-01687", "VUID-VkRayTracingPipelineCreateInfoKHR-layout-03428",
      "VUID-VkRayTracingPipelineCreateInfoNV-layout-03428"},
     [](Setup& w) { LimitResources(w), w.bindings = {{.binding = 0, .count = 2}, {.binding = 1, .count = 1}}; }},
};
constexpr void (*kCorrect[])(Setup&) = {
    [](Setup& w) {
      LimitResources(w);
      w.bindings = {{.binding = 0, .count = 2}, {.binding = 1, .count = 1, .stages = VK_SHADER_STAGE_VERTEX_BIT}};
    },
    [](Setup& w) { w.before = 0; },
    [](Setup& w) {
      w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT;
      w.before = 1;
      w.before_flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
      w.base_index = 0;
    },
    [](Setup& w) {
      w.flags = VK_PIPELINE_CREATE_2_DERIVATIVE_BIT;
      w.has_base = true;
      w.base_flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
    },
    [](Setup& w) {
      static VkPipelineCreationFeedback all, stages[2];
      w.Chain<VkPipelineCreationFeedbackCreateInfo>({.pPipelineCreationFeedback = &all,
                                                     .pipelineStageCreationFeedbackCount = 1,
                                                     .pPipelineStageCreationFeedbacks = stages});
    },
    [](Setup& w) {
      static VkPipelineCreationFeedback all, stages[2];
      w.Chain<VkPipelineCreationFeedbackCreateInfo>({.pPipelineCreationFeedback = &all,
                                                     .pipelineStageCreationFeedbackCount = 0,
                                                     .pPipelineStageCreationFeedbacks = stages});
    },
    [](Setup& w) {
      w.flags =
          VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT | VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT;
    },
    [](Setup& w) {
      w.flags = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
      w.has_flags2 = true;
      w.has_cache = true;
    },
    [](Setup& w) {
      if (w.kind != MadeKind::kRaysNv) {
        w.Enable("VK_KHR_pipeline_binary");
        w.flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
      }
    },
};

class SharedRulesTest : public CreationTest {};

TEST_F(SharedRulesTest, Wrong) {
  for (const SharedCase& row : kCases) {
    for (size_t i = 0; i < 3; ++i) {
      if (row.ids[i] != nullptr) Run(kKinds[i], row.ids[i], row.change);
    }
  }
}
TEST_F(SharedRulesTest, Correct) {
  for (const auto& change : kCorrect) {
    for (const MadeKind kind : kKinds) Run(kind, nullptr, change);
  }
}

}  // namespace
}  // namespace assay::core
