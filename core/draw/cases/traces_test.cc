// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of traces, for every command that has the rule, through the whole layer.

#include <array>
#include <functional>
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
    // From correct tables, which have 64 bytes each, and correct numbers.
    std::function<void(std::array<VkStridedDeviceAddressRegionKHR, 4>& tables, ActionNumbers& numbers)> change;
    VkPipelineCreateFlags flags = 0;
  };

  void Start(const StartOptions& options = {}) {
    std::ranges::fill(driver().config().limits.maxComputeWorkGroupCount, kMostGroups);
    std::ranges::fill(driver().config().limits.maxComputeWorkGroupSize, 1);
    driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
      if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR) return;
      auto& limits = *reinterpret_cast<VkPhysicalDeviceRayTracingPipelinePropertiesKHR*>(properties);
      limits.shaderGroupBaseAlignment = 64;
      limits.shaderGroupHandleAlignment = 32;
      limits.maxShaderGroupStride = 128;
      limits.maxRayDispatchInvocationCount = kMostRays;
    };
    DrawTest::Start(options);
    const test::Buffer buffer =
        MakeBuffer(kSize, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                              VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    address_ = vk.GetBufferDeviceAddress(device, &info);
  }
  void RunRows(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      ForEach(row.rule, [&](const ActionCall& call) {
        std::array<VkStridedDeviceAddressRegionKHR, 4> tables;
        for (VkDeviceAddress i = 0; i < 4; ++i) tables[i] = {address_ + 64 * i, 64, 64};
        numbers = {.tables = tables.data()};
        const VkCommandBuffer commands = BeginFor(call);
        Bind(commands, MakeRayTracing({}, row.flags), VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
        // Where the flags alone make it wrong, there is no correct call.
        if (row.change != nullptr) {
          ExpectSilence(call, commands);
          row.change(tables, numbers);
        }
        ExpectRule(call, commands, row.rule);
        EndFor(call, commands);
      });
    }
  }

  VkDeviceAddress address_ = 0;
};

TEST_F(Traces, Tables) {
  Start();
  RunRows({
      {"pRayGenShaderBindingTable-03682", [](auto& tables, auto&) { tables[0].deviceAddress += 32; }},
      {"pMissShaderBindingTable-03685", [](auto& tables, auto&) { tables[1].deviceAddress += 32; }},
      {"pHitShaderBindingTable-03689", [](auto& tables, auto&) { tables[2].deviceAddress += 32; }},
      {"pCallableShaderBindingTable-03693", [](auto& tables, auto&) { tables[3].deviceAddress += 32; }},
      {"size-04023", [](auto& tables, auto&) { tables[0].size = 32; }},
      {"stride-03686", [](auto& tables, auto&) { tables[1].stride = 48; }},
      {"stride-03690", [](auto& tables, auto&) { tables[2].stride = 48; }},
      {"stride-03694", [](auto& tables, auto&) { tables[3].stride = 48; }},
      {"stride-04029", [](auto& tables, auto&) { tables[1].stride = 160; }},
      {"stride-04035", [](auto& tables, auto&) { tables[2].stride = 160; }},
      {"stride-04041", [](auto& tables, auto&) { tables[3].stride = 160; }},
      {"flags-03696", [](auto& tables, auto&) { tables[2] = {}; },
       VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR},
      {"flags-03697", [](auto& tables, auto&) { tables[2] = {}; },
       VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR},
  });
  const ActionCall& call = CallOf(vk::CommandId::kCmdTraceRaysKHR);
  const VkStridedDeviceAddressRegionKHR tables[4] = {{address_, 64, 64}, {address_ + kSize - 64, 64, 128}};
  numbers = {.tables = tables};
  const VkCommandBuffer commands = BeginFor(call);
  Bind(commands, MakeRayTracing(), VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
  Run(call, commands);
  ExpectMessage("VUID-VkStridedDeviceAddressRegionKHR-size-04631");
  EndFor(call, commands);
}

TEST_F(Traces, Numbers) {
  Start();
  RunRows({
      {"width-03638", [](auto&, auto& numbers) { numbers.rays = {kMostGroups + 1, 1, 1}; }},
      {"height-03639", [](auto&, auto& numbers) { numbers.rays = {1, kMostGroups + 1, 1}; }},
      {"depth-03640", [](auto&, auto& numbers) { numbers.rays = {1, 1, kMostGroups + 1}; }},
      {"width-03641", [](auto&, auto& numbers) { numbers.rays = {3, 17 - 1, 3}; }},
      {"indirectDeviceAddress-03636", [&](auto&, auto& numbers) { numbers.arguments = address_ + kSize - 4; }},
  });
}

TEST_F(Traces, ExecutionGraphs) {
  driver().config().adjust_properties = [](VkBaseOutStructure* s) {
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ENQUEUE_PROPERTIES_AMDX)
      reinterpret_cast<VkPhysicalDeviceShaderEnqueuePropertiesAMDX*>(s)->executionGraphDispatchAddressAlignment = 8;
  };
  DrawTest::Start({});
  const ActionNumbers correct = numbers;
  const auto address_of = [&](VkBufferUsageFlags usage) {
    const test::Buffer buffer = MakeBuffer(64, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  };
  const VkDeviceAddress plain = address_of(0);
  const VkDeviceAddress scratch = address_of(VK_BUFFER_USAGE_EXECUTION_GRAPH_SCRATCH_BIT_AMDX);
  const VkDeviceAddress read = address_of(VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const struct {
    const char* rule;
    std::function<void()> change;
  } rows[] = {
      {"scratch-10192", [&] { numbers.scratch = scratch, numbers.scratch_size = 65; }},
      {"scratch-09184", [&] { numbers.scratch = plain; }},
      {"scratchSize-10193", [&] { numbers.scratch_size = 31; }},
      {"pCountInfo-09150", [&] { numbers.read = read + 56; }},
      {"pCountInfo-09151", [&] { numbers.read = plain; }},
      {"pCountInfo-09152", [&] { numbers.read = read + 4; }},
      {"countInfo-09159", [&] { numbers.read = read + 56; }},
      {"countInfo-09160", [&] { numbers.read = plain; }},
      {"countInfo-09161", [&] { numbers.read = read + 4; }},
  };
  const VkPipeline graph = MakeGraph();
  for (const auto& row : rows) {
    ForEach(row.rule, [&](const ActionCall& call) {
      const VkCommandBuffer commands = BeginFor(call);
      Bind(commands, graph, PointOf(call));
      numbers = correct;
      ExpectSilence(call, commands);
      row.change();
      ExpectRule(call, commands, row.rule);
      EndFor(call, commands);
    });
  }
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  vk.CmdInitializeGraphScratchMemoryAMDX(commands, graph, scratch, 64);
  ExpectNothing();
  vk.CmdInitializeGraphScratchMemoryAMDX(commands, graph, scratch, 128);
  ExpectMessage("VUID-vkCmdInitializeGraphScratchMemoryAMDX-scratch-10185");
  vk.CmdInitializeGraphScratchMemoryAMDX(commands, graph, scratch, 31);
  ExpectMessage("VUID-vkCmdInitializeGraphScratchMemoryAMDX-scratchSize-10186");
}

TEST_F(Traces, MotionBlur) {
  Start(
      {.without = {"rayTracingMotionBlurPipelineTraceRaysIndirect"}, .extensions = {"VK_NV_ray_tracing_motion_blur"}});
  RunRows({{"rayTracingMotionBlurPipelineTraceRaysIndirect-04951", nullptr,
            VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV}});
}

TEST_F(Traces, StaticStackSizeAfterBind) {
  Start();
  for (const ActionCall& call : ActionCalls()) {
    if (call.point != DrawRecording::kRayTracing) continue;
    const VkCommandBuffer commands = BeginFor(call);
    const VkPipeline pipeline = MakeRayTracing();
    Bind(commands, pipeline, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
    Set(commands, VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR);
    // Another bind point does not matter.
    Bind(commands, MakePipeline({}));
    ExpectRule(call, commands, "None-08608");
    Bind(commands, pipeline, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
    ExpectSilence(call, commands);
    EndFor(call, commands);
  }
}

}  // namespace
}  // namespace assay::core
