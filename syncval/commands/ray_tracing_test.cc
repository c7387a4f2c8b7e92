// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modelled accesses of ray tracing commands.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "syncval/fixture/sync_test.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr VkPipelineStageFlags2 kRays = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR;
constexpr VkAccessFlags2 kTableRead = VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR;

// Stores to the storage buffer at set 0, binding 0.
constexpr char kRayGeneration[] = R"(
    OpCapability RayTracingKHR
    OpExtension "SPV_KHR_ray_tracing"
    OpMemoryModel Logical GLSL450
    OpEntryPoint RayGenerationKHR %main "main" %target
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %target DescriptorSet 0
    OpDecorate %target Binding 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %block = OpTypeStruct %uint
    %block_pointer = OpTypePointer StorageBuffer %block
    %uint_pointer = OpTypePointer StorageBuffer %uint
    %target = OpVariable %block_pointer StorageBuffer
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %place = OpAccessChain %uint_pointer %target %zero
    OpStore %place %zero
    OpReturn
    OpFunctionEnd)";

class SyncRayTracing : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {
        VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
        VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    tables_ = MakeBuffer(256);
    target_ = MakeBuffer(64);
    set_layout_ = MakeSetLayout({{0}});
    layout_ = MakePipelineLayout({set_layout_});
    set_ = MakeSet(set_layout_);
    WriteBuffer(set_, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, target_);
  }
  // Ray generation shaders that store.
  VkPipeline MakePipeline(uint32_t ray_generation_count) {
    return MakePipeline(std::vector(ray_generation_count, std::pair(VK_SHADER_STAGE_RAYGEN_BIT_KHR, kRayGeneration)));
  }
  // A ray generation shader without accesses, and a miss shader that stores.
  VkPipeline MakeMissPipeline() {
    const std::string idle = absl::StrReplaceAll(kRayGeneration, {{"OpStore %place %zero", ""}});
    const std::string miss = absl::StrReplaceAll(kRayGeneration, {{"RayGenerationKHR", "MissKHR"}});
    return MakePipeline({{VK_SHADER_STAGE_RAYGEN_BIT_KHR, idle.c_str()}, {VK_SHADER_STAGE_MISS_BIT_KHR, miss.c_str()}});
  }
  VkPipeline MakePipeline(const std::vector<std::pair<VkShaderStageFlagBits, const char*>>& shaders) {
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    std::vector<VkRayTracingShaderGroupCreateInfoKHR> groups;
    for (const auto& [stage, text] : shaders) {
      groups.push_back({VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR, nullptr,
                        VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, static_cast<uint32_t>(stages.size()),
                        VK_SHADER_UNUSED_KHR, VK_SHADER_UNUSED_KHR, VK_SHADER_UNUSED_KHR, nullptr});
      stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                        .stage = stage,
                        .module = MakeShader(text),
                        .pName = "main"});
    }
    VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                              .stageCount = static_cast<uint32_t>(stages.size()),
                                              .pStages = stages.data(),
                                              .groupCount = static_cast<uint32_t>(groups.size()),
                                              .pGroups = groups.data(),
                                              .maxPipelineRayRecursionDepth = 1,
                                              .layout = layout_};
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              VK_SUCCESS);
    Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  VkDeviceAddress AddressOf(VkBuffer buffer) {
    VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  void Bind(VkCommandBuffer c, VkPipeline pipeline) {
    vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout_, 0, 1, &set_, 0, nullptr);
  }
  // The record of the ray generation shader is bytes 0 to 63 of tables_, the other records are behind it.
  void Trace(VkCommandBuffer c, uint32_t width = 8) {
    const VkDeviceAddress address = AddressOf(tables_);
    const VkStridedDeviceAddressRegionKHR ray_generation = {address, 64, 64}, others = {address + 64, 64, 192},
                                          none = {};
    vk.CmdTraceRaysKHR(c, &ray_generation, &others, &none, &none, width, 8, 1);
  }
  Buffer tables_, target_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};
class NegativeSyncRayTracing : public SyncRayTracing {};
class PositiveSyncRayTracing : public SyncRayTracing {};

TEST_F(NegativeSyncRayTracing, ShaderBindingTable) {
  VkCommandBuffer c = Begun();
  Fill(c, tables_);
  Bind(c, MakePipeline(1));
  Trace(c);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kRays);
  EXPECT_EQ(fix.dst_access, kTableRead);
}
TEST_F(PositiveSyncRayTracing, ShaderBindingTable) {
  VkPipeline pipeline = MakePipeline(1);
  for (const VkAccessFlags2 access : {kTableRead, VK_ACCESS_2_SHADER_READ_BIT}) {
    VkCommandBuffer c = Begun();
    Fill(c, tables_);
    Barrier(c, {kClear, kWrite, kRays, access});
    Bind(c, pipeline);
    Trace(c);
  }
}
// The rays decide whether the other records are read.
TEST_F(PositiveSyncRayTracing, OtherRecords) {
  VkCommandBuffer c = Begun();
  Fill(c, tables_, 64, 192);
  Bind(c, MakePipeline(1));
  Trace(c);
}
TEST_F(PositiveSyncRayTracing, NoRays) {
  VkCommandBuffer c = Begun();
  Fill(c, tables_);
  Bind(c, MakePipeline(1));
  Trace(c, 0);
}
TEST_F(NegativeSyncRayTracing, Descriptors) {
  VkCommandBuffer c = Begun();
  Bind(c, MakePipeline(1));
  Trace(c);
  Copy(c, target_, MakeBuffer(64));
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.src_stages, kRays);
  EXPECT_EQ(fix.src_access, kStorageWrite);
}
// The shader binding table selects one of the two.
TEST_F(PositiveSyncRayTracing, DescriptorsOfOneOfTwo) {
  VkCommandBuffer c = Begun();
  Bind(c, MakePipeline(2));
  Trace(c);
  Copy(c, target_, MakeBuffer(64));
}
// The rays decide whether the miss shader runs.
TEST_F(PositiveSyncRayTracing, DescriptorsOfAMissShader) {
  VkCommandBuffer c = Begun();
  Bind(c, MakeMissPipeline());
  Trace(c);
  Copy(c, target_, MakeBuffer(64));
}
class SyncRayTracingHeuristic : public SyncRayTracing {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncRayTracing::Options();
    options.settings.emplace_back("syncval_shader_accesses_heuristic", true);
    return options;
  }
};
TEST_F(SyncRayTracingHeuristic, DescriptorsOfAMissShader) {
  VkCommandBuffer c = Begun();
  Bind(c, MakeMissPipeline());
  Trace(c);
  Copy(c, target_, MakeBuffer(64));
  EXPECT_EQ(ParseFix(ExpectMessage(kReadAfterWrite).text).src_stages, kRays);
}
TEST_F(NegativeSyncRayTracing, IndirectArguments) {
  Buffer arguments = MakeBuffer(256);
  const VkDeviceAddress address = AddressOf(arguments);
  VkPipeline pipeline = MakePipeline(2);
  VkCommandBuffer c = Begun();
  Bind(c, pipeline);
  Fill(c, arguments, 0, 16);
  vk.CmdTraceRaysIndirect2KHR(c, address + 16);
  ExpectNothing();
  vk.CmdTraceRaysIndirect2KHR(c, address);
  EXPECT_EQ(ParseFix(ExpectMessage(kReadAfterWrite).text).dst_stages, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT);
  const VkStridedDeviceAddressRegionKHR none = {};
  vk.CmdTraceRaysIndirectKHR(c, &none, &none, &none, &none, address + 12);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncRayTracing, NothingBound) {
  VkCommandBuffer c = Begun();
  const VkStridedDeviceAddressRegionKHR region = {0xdead0000, 64, 64};
  vk.CmdTraceRaysKHR(c, &region, &region, &region, &region, 1, 1, 1);
  vk.CmdTraceRaysKHR(c, nullptr, nullptr, nullptr, nullptr, 1, 1, 1);
  vk.CmdTraceRaysIndirectKHR(c, nullptr, nullptr, nullptr, nullptr, 0);
  vk.CmdTraceRaysIndirect2KHR(c, 0);
}

}  // namespace
}  // namespace assay::syncval
