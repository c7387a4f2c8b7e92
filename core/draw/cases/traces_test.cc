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
