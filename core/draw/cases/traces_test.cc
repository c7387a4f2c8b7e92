// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of traces, for every command that has the rule, through the whole layer.

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/draw/cases/draw_test.h"

namespace assay::core {
namespace {

constexpr uint32_t kMostGroups = 16;
constexpr uint32_t kMostRays = 100;
constexpr VkDeviceSize kSize = 512;

class Traces : public DrawTest {
 protected:
  struct Row {
    const char* rule;
    // From correct tables_, which have 64 bytes each, and correct numbers.
    std::function<void()> change;
    VkPipelineCreateFlags flags = 0;
  };

  void Start(const StartOptions& options = {}) {
    std::ranges::fill(driver().config().limits.maxComputeWorkGroupCount, kMostGroups);
    std::ranges::fill(driver().config().limits.maxComputeWorkGroupSize, 1);
    ChangeProperties<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>([](auto& limits) {
      limits.shaderGroupBaseAlignment = 64;
      limits.shaderGroupHandleAlignment = 32;
      limits.maxShaderGroupStride = 128;
      limits.maxRayDispatchInvocationCount = kMostRays;
    });
    DrawTest::Start(options);
    address_ = AddressOf(kSize, VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  }
  // That of a new buffer.
  VkDeviceAddress AddressOf(VkDeviceSize size, VkBufferUsageFlags usage) {
    return DrawTest::AddressOf(MakeBuffer(size, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
  }
  void RunRows(const std::vector<Row>& rows) {
    numbers.tables = tables_;
    const ActionNumbers right = numbers;
    for (const Row& row : rows) {
      RecordEach(row.rule, [&] {
        for (VkDeviceAddress i = 0; i < 4; ++i) tables_[i] = {address_ + 64 * i, 64, 64};
        numbers = right;
        Bind(PlainPipelineOf(*call_, row.flags));
        // Where the flags alone make it wrong, there is no correct call.
        if (row.change != nullptr) {
          ExpectSilence();
          row.change();
        }
        ExpectRule(row.rule);
      });
    }
  }

  VkDeviceAddress address_ = 0;
  VkStridedDeviceAddressRegionKHR tables_[4] = {};
};

TEST_F(Traces, NumbersAndTables) {
  Start();
  RunRows({
      {"width-03638", [&] { numbers.rays = {kMostGroups + 1, 1, 1}; }},
      {"height-03639", [&] { numbers.rays = {1, kMostGroups + 1, 1}; }},
      {"depth-03640", [&] { numbers.rays = {1, 1, kMostGroups + 1}; }},
      {"width-03641", [&] { numbers.rays = {3, 17 - 1, 3}; }},
      {"indirectDeviceAddress-03636", [&] { numbers.arguments = address_ + kSize - 4; }},
      {"pRayGenShaderBindingTable-03682", [&] { tables_[0].deviceAddress += 32; }},
      {"pMissShaderBindingTable-03685", [&] { tables_[1].deviceAddress += 32; }},
      {"pHitShaderBindingTable-03689", [&] { tables_[2].deviceAddress += 32; }},
      {"pCallableShaderBindingTable-03693", [&] { tables_[3].deviceAddress += 32; }},
      {"size-04023", [&] { tables_[0].size = 32; }},
      {"stride-03686", [&] { tables_[1].stride = 48; }},
      {"stride-03690", [&] { tables_[2].stride = 48; }},
      {"stride-03694", [&] { tables_[3].stride = 48; }},
      {"stride-04029", [&] { tables_[1].stride = 160; }},
      {"stride-04035", [&] { tables_[2].stride = 160; }},
      {"stride-04041", [&] { tables_[3].stride = 160; }},
      {"flags-03696", [&] { tables_[2] = {}; }, VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR},
      {"flags-03697", [&] { tables_[2] = {}; }, VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR},
  });
  tables_[1] = {address_ + kSize - 64, 64, 128};
  tables_[2] = tables_[3] = {};
  RecordFor(vk::CommandId::kCmdTraceRaysKHR, [&] {
    BindPlain();
    ExpectRule("VUID-VkStridedDeviceAddressRegionKHR-size-04631");
  });
}

TEST_F(Traces, ExecutionGraphs) {
  ChangeProperties<VkPhysicalDeviceShaderEnqueuePropertiesAMDX>(
      [](auto& limits) { limits.executionGraphDispatchAddressAlignment = 8; });
  DrawTest::Start({});
  const VkDeviceAddress plain = AddressOf(64, 0);
  const VkDeviceAddress scratch = AddressOf(64, VK_BUFFER_USAGE_EXECUTION_GRAPH_SCRATCH_BIT_AMDX);
  const VkDeviceAddress read = AddressOf(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  RunRows({
      {"scratch-10192", [&] { numbers.scratch = scratch, numbers.scratch_size = 65; }},
      {"scratch-09184", [&] { numbers.scratch = plain; }},
      {"scratchSize-10193", [&] { numbers.scratch_size = 31; }},
      {"pCountInfo-09150", [&] { numbers.read = read + 56; }},
      {"pCountInfo-09151", [&] { numbers.read = plain; }},
      {"pCountInfo-09152", [&] { numbers.read = read + 4; }},
      {"countInfo-09159", [&] { numbers.read = read + 56; }},
      {"countInfo-09160", [&] { numbers.read = plain; }},
      {"countInfo-09161", [&] { numbers.read = read + 4; }},
  });
  const VkPipeline graph = MakeGraph();
  commands_ = MakeCommandBuffer();
  Begin(commands_);
  for (const auto& [size, rule] : {std::pair(64, ""), {128, "scratch-10185"}, {31, "scratchSize-10186"}}) {
    vk.CmdInitializeGraphScratchMemoryAMDX(commands_, graph, scratch, size);
    ExpectAlone("vkCmdInitializeGraphScratchMemoryAMDX", rule);
  }
}

TEST_F(Traces, MotionBlur) {
  Start(
      {.without = {"rayTracingMotionBlurPipelineTraceRaysIndirect"}, .extensions = {"VK_NV_ray_tracing_motion_blur"}});
  RunRows({{"rayTracingMotionBlurPipelineTraceRaysIndirect-04951", nullptr,
            VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV}});
}

TEST_F(Traces, StaticStackSizeAfterBind) {
  Start();
  RecordEach(DrawRecording::kRayTracing, [&] {
    const VkPipeline pipeline = MakeRayTracing();
    Bind(pipeline);
    Set(VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR);
    // Another bind point does not matter.
    Bind(commands_, MakePipeline({}));
    ExpectRule("None-08608");
    Bind(pipeline);
    ExpectSilence();
  });
}

}  // namespace
}  // namespace assay::core
