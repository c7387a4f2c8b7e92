// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Binaries of ray tracing and graphics pipelines, and of pipelines whose create infos VkPipelineBinaryInfoKHR does not
// extend. Such a chain is one more mistake. Compute pipelines are in
// pipeline_objects_test.cc.

#include <optional>
#include <string>

#include "core/pipeline_creation/cases/creation_test.h"

namespace assay::core {
namespace {

class PipelineBinariesTest : public CreationTest {};

TEST_F(PipelineBinariesTest, RayTracingAndGraphics) {
  for (const MadeKind kind : {MadeKind::kRays, MadeKind::kRaysNv, MadeKind::kGraphics}) {
    const bool is_nv = kind == MadeKind::kRaysNv;
    const std::string owner = "VUID-" + CommandOf(kind) + "-";
    CreationSetup setup(kind);
    setup.Enable("VK_KHR_pipeline_binary");
    Start(setup);
    std::optional<SkipCalls> skip;
    if (!is_nv) skip.emplace(*this);
    const VkPipelineBinaryKHR binary = MakeBinaryOfData();
    VkPipelineBinaryInfoKHR& binaries =
        setup.Chain<VkPipelineBinaryInfoKHR>({.binaryCount = 1, .pPipelineBinaries = &binary});
    const auto make = [&](const std::string& rule) {
      SCOPED_TRACE(owner + rule);
      std::vector<std::string> ids;
      if (is_nv) ids.emplace_back("VUID-VkRayTracingPipelineCreateInfoNV-pNext-pNext");
      if (!rule.empty()) ids.push_back(owner + rule);
      Make(setup);
      ExpectMessages(ids);
    };
    make("");
    setup.has_cache = true;
    make("pNext-09616");
    setup.has_cache = false;
    setup.flags = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    make("binaryCount-09622");
    binaries.binaryCount = 0;
    setup.has_cache = true;
    make("");
    DestroyBinary(binary);
    Finish();
  }
}

// VkPipelineCreateFlags2CreateInfo does not extend the create info, either.
TEST_F(PipelineBinariesTest, ExecutionGraphs) {
  CreationSetup setup;
  setup.extensions = {"VK_KHR_pipeline_binary", "VK_KHR_pipeline_library", "VK_AMDX_shader_enqueue"};
  Start(setup);
  const VkPipelineBinaryKHR binary = MakeBinaryOfData();
  const VkPipelineBinaryInfoKHR binaries = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, nullptr, 1, &binary};
  const auto captures = test::Of<VkPipelineCreateFlags2CreateInfo>(VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
  const VkPipelineCache cache = MakeCache();
  const char* const chain = "VUID-VkExecutionGraphPipelineCreateInfoAMDX-pNext-pNext";
  MakeGraph(nullptr, cache);
  ExpectNothing();
  MakeGraph(&captures);
  ExpectMessage(chain);
  MakeGraph(&binaries);
  ExpectMessage(chain);
  MakeGraph(&captures, cache);
  ExpectMessages({chain, "VUID-vkCreateExecutionGraphPipelinesAMDX-pNext-09617"});
  MakeGraph(&binaries, cache);
  ExpectMessages({chain, "VUID-vkCreateExecutionGraphPipelinesAMDX-pNext-09616"});
  MakeGraph(&binaries, VK_NULL_HANDLE, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
  ExpectMessages({chain, "VUID-vkCreateExecutionGraphPipelinesAMDX-binaryCount-09622"});
  DestroyBinary(binary);
  Finish();
}

}  // namespace
}  // namespace assay::core
