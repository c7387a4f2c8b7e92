// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipeline caches that the application synchronizes, in two threads that make pipelines.

#include <functional>
#include <string_view>

#include "gtest/gtest.h"
#include "thread_safety/races_test.h"

namespace assay::thread_safety {
namespace {

// The pipelines are not checked.
class PipelineCaches : public RacesTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",
                                  "VK_KHR_ray_tracing_pipeline", "VK_NV_ray_tracing"},
            .settings = {{"object_lifetime", false},
                         {"stateless_param", false},
                         {"thread_safety", true},
                         {"validate_core", false},
                         {"validate_sync", false}}};
  }

  VkPipelineCache MakeCache(VkPipelineCacheCreateFlags flags) {
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .flags = flags};
    VkPipelineCache cache = VK_NULL_HANDLE;
    vk.CreatePipelineCache(device, &info, nullptr, &cache);
    Defer(cache, [=, this] { vk.DestroyPipelineCache(device, cache, nullptr); });
    return cache;
  }
  // Two calls at once with one cache, and correct ones.
  template <class C>
  void Run(std::string_view id, const std::function<VkPipeline(VkPipelineCache)>& create) {
    const auto make = [&](VkPipelineCache cache) { vk.DestroyPipeline(device, create(cache), nullptr); };
    const VkPipelineCache cache = MakeCache(VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT);
    const VkPipelineCache other = MakeCache(VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT);
    const VkPipelineCache shared = MakeCache(0);
    During<C>([&] { make(cache); }, [&] { make(cache); });
    ExpectMessage(id);
    During<C>([&] { make(cache); }, [&] { make(other); });
    During<C>([&] { make(shared); }, [&] { make(shared); });
    During<C>([&] { make(VK_NULL_HANDLE); }, [&] { make(VK_NULL_HANDLE); });
    make(cache);
    make(cache);
    ExpectNothing();
  }
};

TEST_F(PipelineCaches, Compute) {
  Run<vk::CreateComputePipelines>("VUID-vkCreateComputePipelines-pipelineCache-02873", [&](VkPipelineCache cache) {
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT}};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline);
    return pipeline;
  });
}
TEST_F(PipelineCaches, Graphics) {
  Run<vk::CreateGraphicsPipelines>("VUID-vkCreateGraphicsPipelines-pipelineCache-02876", [&](VkPipelineCache cache) {
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device, cache, 1, &info, nullptr, &pipeline);
    return pipeline;
  });
}
TEST_F(PipelineCaches, RayTracing) {
  Run<vk::CreateRayTracingPipelinesKHR>(
      "VUID-vkCreateRayTracingPipelinesKHR-pipelineCache-02903", [&](VkPipelineCache cache) {
        const VkRayTracingPipelineCreateInfoKHR info = {.sType =
                                                            VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR};
        VkPipeline pipeline = VK_NULL_HANDLE;
        vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, cache, 1, &info, nullptr, &pipeline);
        return pipeline;
      });
}
TEST_F(PipelineCaches, RayTracingNV) {
  Run<vk::CreateRayTracingPipelinesNV>(
      "VUID-vkCreateRayTracingPipelinesNV-pipelineCache-02903", [&](VkPipelineCache cache) {
        const VkRayTracingPipelineCreateInfoNV info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV};
        VkPipeline pipeline = VK_NULL_HANDLE;
        vk.CreateRayTracingPipelinesNV(device, cache, 1, &info, nullptr, &pipeline);
        return pipeline;
      });
}

}  // namespace
}  // namespace assay::thread_safety
