// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Binaries and captured data of pipelines whose create infos VkPipelineBinaryInfoKHR does not extend. Such a chain is
// one more mistake. The others are in pipeline_objects_test.cc.

#include "core/pipeline_creation/cases/creation_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

class PipelineBinariesTest : public CreationTest {};

TEST_F(PipelineBinariesTest, RayTracingNv) {
  CreationSetup setup;
  Begin(setup, MadeKind::kRaysNv);
  setup.Enable("VK_KHR_pipeline_binary");
  Start(setup);
  const VkPipelineBinaryKHR binary = MakeBinaryOfData();
  VkPipelineBinaryInfoKHR& binaries =
      setup.Chain<VkPipelineBinaryInfoKHR>({.binaryCount = 1, .pPipelineBinaries = &binary});
  const char* const chain = "VUID-VkRayTracingPipelineCreateInfoNV-pNext-pNext";
  Make(setup);
  ExpectMessage(chain);
  setup.has_cache = true;
  Make(setup);
  ExpectMessages({chain, "VUID-vkCreateRayTracingPipelinesNV-pNext-09616"});
  setup.has_cache = false;
  setup.flags = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  Make(setup);
  ExpectMessages({chain, "VUID-vkCreateRayTracingPipelinesNV-binaryCount-09622"});
  binaries.binaryCount = 0;
  setup.has_cache = true;
  Make(setup);
  ExpectMessage(chain);
  DestroyBinary(binary);
  Finish();
}
TEST_F(PipelineBinariesTest, CapturedDataOfRayTracingNv) {
  CreationSetup setup;
  Begin(setup, MadeKind::kRaysNv);
  setup.Enable("VK_KHR_pipeline_binary");
  setup.flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  setup.has_cache = true;
  Start(setup);
  {
    const SkipCalls skip(*this);
    Make(setup);
    ExpectMessages(
        {"VUID-vkCreateRayTracingPipelinesNV-pNext-10150", "VUID-vkCreateRayTracingPipelinesNV-pNext-09617"});
  }
  Finish();
}

// VkPipelineCreateFlags2CreateInfo does not extend the create info, either.
TEST_F(PipelineBinariesTest, ExecutionGraphs) {
  CreationSetup setup;
  Begin(setup, MadeKind::kCompute);
  setup.extensions = {"VK_KHR_pipeline_binary", "VK_KHR_pipeline_library", "VK_AMDX_shader_enqueue"};
  Start(setup);
  const VkPipelineBinaryKHR binary = MakeBinaryOfData();
  const VkPipelineBinaryInfoKHR binaries = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, nullptr, 1, &binary};
  const VkPipelineCreateFlags2CreateInfo captures = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, nullptr,
                                                     VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
  const VkPipelineCacheCreateInfo cache_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache cache = VK_NULL_HANDLE;
  vk.CreatePipelineCache(device, &cache_info, nullptr, &cache);
  VkExecutionGraphPipelineCreateInfoAMDX info = {.sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX,
                                                 .layout = MakePipelineLayout({}),
                                                 .basePipelineIndex = -1};
  const auto make = [&](const void* chain, VkPipelineCache with, VkPipelineCreateFlags flags = 0) {
    info.pNext = chain;
    info.flags = flags;
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateExecutionGraphPipelinesAMDX(device, with, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  };
  const char* const chain = "VUID-VkExecutionGraphPipelineCreateInfoAMDX-pNext-pNext";
  make(nullptr, cache);
  ExpectNothing();
  make(&captures, VK_NULL_HANDLE);
  ExpectMessage(chain);
  make(&binaries, VK_NULL_HANDLE);
  ExpectMessage(chain);
  make(&captures, cache);
  ExpectMessages({chain, "VUID-vkCreateExecutionGraphPipelinesAMDX-pNext-09617"});
  make(&binaries, cache);
  ExpectMessages({chain, "VUID-vkCreateExecutionGraphPipelinesAMDX-pNext-09616"});
  make(&binaries, VK_NULL_HANDLE, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
  ExpectMessages({chain, "VUID-vkCreateExecutionGraphPipelinesAMDX-binaryCount-09622"});
  vk.DestroyPipelineCache(device, cache, nullptr);
  DestroyBinary(binary);
  Finish();
}

}  // namespace
}  // namespace assay::core
