// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines and shader objects that leave no descriptor set: their shaders find what they need by an address.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/full_screen_vert.h"
#include "testing/gpu/shaders/push_last_comp.h"
#include "testing/gpu/shaders/push_values_comp.h"
#include "testing/gpu/shaders/read_frag.h"
#include "testing/gpu/shaders/write_at_comp.h"
#include "testing/gpu/shaders/write_at_rgen.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kNotInstrumented[] = "ASSAY-gpuav-not-instrumented";

// The application sees all sets that the device has. It enables no device addresses itself.
class EverySetGpuavTest : public GpuavTest {
 protected:
  void SetUp() override { CreateWithEverySet({}); }
  void CreateWithEverySet(DeviceOptions options, bool has_addresses = false) {
    has_addresses_ = has_addresses;
    options.settings.emplace_back("gpuav_reserve_binding_slot", false);
    Create(options);
  }

  VkPhysicalDeviceLimits Limits() {
    VkPhysicalDeviceProperties properties = {};
    device_.vk.GetPhysicalDeviceProperties(device_.physical_device, &properties);
    return properties.limits;
  }
  // All sets that there are, the first being that of write_at.comp.
  std::vector<VkDescriptorSetLayout> AllSets() {
    std::vector<VkDescriptorSetLayout> sets(Limits().maxBoundDescriptorSets, device_.MakeSetLayout({}));
    sets[0] = set_layout_;
    return sets;
  }
  VkPipelineLayout MakeLayout(const std::vector<VkDescriptorSetLayout>& sets,
                              const std::vector<VkPushConstantRange>& ranges) {
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                             .pSetLayouts = sets.data(),
                                             .pushConstantRangeCount = static_cast<uint32_t>(ranges.size()),
                                             .pPushConstantRanges = ranges.data()};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreatePipelineLayout(device_.device, &info, nullptr, &layout), VK_SUCCESS);
    device_.Defer(layout, [this, layout] { device_.vk.DestroyPipelineLayout(device_.device, layout, nullptr); });
    return layout;
  }
  void Bind(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline, VkPipelineLayout layout) {
    device_.vk.CmdBindPipeline(commands, point, pipeline);
    device_.vk.CmdBindDescriptorSets(commands, point, layout, 0, 1, &set_, 0, nullptr);
  }
  void Push(VkCommandBuffer commands, VkPipelineLayout layout, uint32_t offset, uint32_t index, uint32_t value) {
    const std::array<uint32_t, 2> words = {index, value};
    device_.vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, offset, 8, words.data());
  }
  uint32_t Value(uint32_t index) { return static_cast<const uint32_t*>(Map(data_))[index]; }
};

TEST_F(EverySetGpuavTest, Dispatches) {
  const VkPipelineLayout full = device_.MakePipelineLayout(AllSets());
  const VkPipeline pipeline = device_.MakeComputePipeline(full, device_.MakeShader(k_write_at_comp));
  device_.SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "writer");
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer buffer) {
    Bind(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline, full);
    device_.vk.CmdDispatch(buffer, 1, 1, 1);
    device_.vk.CmdDispatch(buffer, 1, 1, 1);
  });
  SetIndex(15);
  SubmitAndWait(commands);
  EXPECT_EQ(Value(15), 7u);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(commands);
  for (const char* place : {"recorded as command 3 of", "recorded as command 4 of"}) {
    const std::string text = log_.Expect(kStorageBounds).text;
    EXPECT_THAT(text, HasSubstr("[data]), of which the range has 64 bytes."));
    EXPECT_THAT(text, HasSubstr("[writer]"));
    EXPECT_THAT(text, HasSubstr(place));
    EXPECT_THAT(text, HasSubstr("write_at.comp:6"));
  }
}

// Push constants of the application keep their values from one dispatch to the next, whichever way pipelines have.
TEST_F(EverySetGpuavTest, PushConstantsOfTheApplication) {
  const std::vector<VkPushConstantRange> ranges = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 8}};
  const VkPipelineLayout full = MakeLayout(AllSets(), ranges);
  const VkPipelineLayout small = MakeLayout({set_layout_}, ranges);
  const VkShaderModule shader = device_.MakeShader(k_push_values_comp);
  const VkPipeline by_address = device_.MakeComputePipeline(full, shader);
  const VkPipeline by_set = device_.MakeComputePipeline(small, shader);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    // The layouts are compatible.
    Push(commands, small, 0, 3, 30);
    Bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, by_address, full);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
    Push(commands, full, 0, 4, 40);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, by_set);
    constexpr uint32_t kIndex = 5;
    device_.vk.CmdPushConstants(commands, full, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &kIndex);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }));
  EXPECT_EQ(Value(3), 30u);
  EXPECT_EQ(Value(4), 40u);
  EXPECT_EQ(Value(5), 40u);
  log_.ExpectNothing();
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    Push(commands, full, 0, 16, 1);
    Bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, by_address, full);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("push_values.comp:6"));
}

// An application may use the bytes that have the address, with another layout.
TEST_F(EverySetGpuavTest, LastPushConstants) {
  if (Limits().maxPushConstantsSize != 256) GTEST_SKIP() << "The shader is for 256 bytes of push constants.";
  const VkPipelineLayout full = device_.MakePipelineLayout(AllSets());
  const VkPipeline by_address = device_.MakeComputePipeline(full, device_.MakeShader(k_write_at_comp));
  const VkPipelineLayout last = MakeLayout({set_layout_}, {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 256}});
  const VkPipeline by_set = device_.MakeComputePipeline(last, device_.MakeShader(k_push_last_comp));
  SetIndex(1);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    Push(commands, last, 248, 2, 20);
    Bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, by_address, full);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
    Bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, by_set, last);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }));
  EXPECT_EQ(Value(1), 7u);
  EXPECT_EQ(Value(2), 20u);
  log_.ExpectNothing();
}

TEST_F(EverySetGpuavTest, Draws) {
  // The fragment shader has the address, and the vertex shader does not.
  const VkPipelineLayout full =
      MakeLayout(AllSets(), {{VK_SHADER_STAGE_VERTEX_BIT, 0, 16}, {VK_SHADER_STAGE_FRAGMENT_BIT, 16, 16}});
  const VkPipeline pipeline = device_.MakeGraphicsPipeline(
      full, {.vertex = device_.MakeShader(k_full_screen_vert), .fragment = device_.MakeShader(k_read_frag)});
  const VkCommandBuffer commands = RecordRendering([&](VkCommandBuffer buffer) {
    constexpr std::array<uint32_t, 4> kValues = {};
    device_.SetViewportAndScissor(buffer, 16, 16);
    Bind(buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline, full);
    device_.vk.CmdPushConstants(buffer, full, VK_SHADER_STAGE_VERTEX_BIT, 0, 16, kValues.data());
    device_.vk.CmdPushConstants(buffer, full, VK_SHADER_STAGE_FRAGMENT_BIT, 16, 16, kValues.data());
    device_.vk.CmdDraw(buffer, 3, 1, 0, 0);
  });
  SetIndex(15);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  SetIndex(20);
  SubmitAndWait(commands);
  const std::string text = log_.Expect("VUID-vkCmdDraw-storageBuffers-06936").text;
  EXPECT_THAT(text, HasSubstr("It happened 256 times, first in fragment coordinate ("));
  EXPECT_THAT(text, HasSubstr("read.frag:7"));
}

TEST_F(EverySetGpuavTest, SecondaryCommandBuffer) {
  const VkPipelineLayout full = device_.MakePipelineLayout(AllSets(), 16);
  const VkPipeline pipeline = device_.MakeComputePipeline(full, device_.MakeShader(k_write_at_comp));
  const VkCommandBuffer secondary = device_.MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = &inheritance};
  const auto dispatch = [&](VkCommandBuffer commands) {
    Bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline, full);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  };
  EXPECT_EQ(device_.vk.BeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  dispatch(secondary);
  device_.End(secondary);
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, secondary, "secondary");
  const VkCommandBuffer primary = device_.Record([&](VkCommandBuffer commands) {
    dispatch(commands);
    device_.vk.CmdExecuteCommands(commands, 1, &secondary);
  });
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, primary, "primary");
  SetIndex(16);
  SubmitAndWait(primary);
  EXPECT_EQ(log_.Expect(kStorageBounds).objects[0].name, "primary");
  EXPECT_EQ(log_.Expect(kStorageBounds).objects[0].name, "secondary");
}

TEST_F(EverySetGpuavTest, WithoutRoomForTheAddress) {
  const VkPipelineLayout full = device_.MakePipelineLayout(AllSets(), Limits().maxPushConstantsSize);
  const VkPipeline pipeline = device_.MakeComputePipeline(full, device_.MakeShader(k_write_at_comp));
  EXPECT_THAT(log_.Expect(kNotInstrumented).text, HasSubstr("and no room for an address behind its push constants"));
  SetIndex(15);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    Bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline, full);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }));
  EXPECT_EQ(Value(15), 7u);
}

// With the reserved set, an application that uses one set more than the limit is not instrumented.
TEST_F(GpuavTest, LayoutWithTheReservedSet) {
  VkPhysicalDeviceProperties properties = {};
  device_.vk.GetPhysicalDeviceProperties(device_.physical_device, &properties);
  std::vector<VkDescriptorSetLayout> sets(properties.limits.maxBoundDescriptorSets + 1, device_.MakeSetLayout({}));
  sets[0] = set_layout_;
  const VkPipelineLayout full = device_.MakePipelineLayout(sets);
  const VkPipeline pipeline = device_.MakeComputePipeline(full, device_.MakeShader(k_write_at_comp));
  EXPECT_THAT(log_.Expect(kNotInstrumented).text, HasSubstr("gpuav_reserve_binding_slot = false"));
  SetIndex(15);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, full, 0, 1, &set_, 0, nullptr);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }));
  EXPECT_EQ(static_cast<const uint32_t*>(Map(data_))[15], 7u);
}

class EverySetShaderObjectTest : public EverySetGpuavTest {
 protected:
  void SetUp() override {
    shader_object_.shaderObject = VK_TRUE;
    features12_.pNext = &shader_object_;
    CreateWithEverySet({.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}});
  }

  VkPhysicalDeviceShaderObjectFeaturesEXT shader_object_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
};

TEST_F(EverySetShaderObjectTest, Dispatches) {
  const std::vector<VkDescriptorSetLayout> sets = AllSets();
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
  const VkPipelineLayout full = MakeLayout(sets, {range});
  const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                      .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                      .codeSize = sizeof(k_push_values_comp),
                                      .pCode = k_push_values_comp,
                                      .pName = "main",
                                      .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                      .pSetLayouts = sets.data(),
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges = &range};
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateShadersEXT(device_.device, 1, &info, nullptr, &shader), VK_SUCCESS);
  device_.Defer(shader, [this, shader] { device_.vk.DestroyShaderEXT(device_.device, shader, nullptr); });
  const auto run = [&](uint32_t index) {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
      device_.vk.CmdBindShadersEXT(commands, 1, &stage, &shader);
      device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, full, 0, 1, &set_, 0, nullptr);
      Push(commands, full, 0, index, 9);
      device_.vk.CmdDispatch(commands, 1, 1, 1);
    }));
  };
  run(15);
  EXPECT_EQ(Value(15), 9u);
  log_.ExpectNothing();
  run(16);
  EXPECT_THAT(log_.Expect(kObjectStorageBounds).text, HasSubstr("push_values.comp:6"));
}

class EverySetRayTracingTest : public EverySetGpuavTest {
 protected:
  void SetUp() override {
    ray_tracing_.rayTracingPipeline = VK_TRUE;
    ray_tracing_.pNext = &structures_;
    structures_.accelerationStructure = VK_TRUE;
    features12_.pNext = &ray_tracing_;
    CreateWithEverySet({.device_extensions = {"VK_KHR_acceleration_structure", "VK_KHR_ray_tracing_pipeline",
                                              "VK_KHR_deferred_host_operations"}},
                       true);
  }
  // A table with the ray generation shader of a pipeline.
  VkStridedDeviceAddressRegionKHR MakeTable(VkPipeline pipeline) {
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR of_rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &of_rays};
    device_.vk.GetPhysicalDeviceProperties2(device_.physical_device, &properties);
    const VkDeviceSize alignment = of_rays.shaderGroupBaseAlignment;
    const Buffer table = device_.MakeBuffer(
        3 * alignment, VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = table};
    const VkDeviceAddress address = device_.vk.GetBufferDeviceAddress(device_.device, &info);
    const VkDeviceSize padding = (alignment - address % alignment) % alignment;
    EXPECT_EQ(
        device_.vk.GetRayTracingShaderGroupHandlesKHR(device_.device, pipeline, 0, 1, of_rays.shaderGroupHandleSize,
                                                      static_cast<char*>(Map(table)) + padding),
        VK_SUCCESS);
    return {.deviceAddress = address + padding, .stride = alignment, .size = alignment};
  }

  VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_tracing_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR};
};

TEST_F(EverySetRayTracingTest, Traces) {
  const VkPipelineLayout full = device_.MakePipelineLayout(AllSets());
  const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                 .module = device_.MakeShader(k_write_at_rgen),
                                                 .pName = "main"};
  const VkRayTracingShaderGroupCreateInfoKHR group = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
      .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
      .generalShader = 0,
      .closestHitShader = VK_SHADER_UNUSED_KHR,
      .anyHitShader = VK_SHADER_UNUSED_KHR,
      .intersectionShader = VK_SHADER_UNUSED_KHR};
  const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                  .stageCount = 1,
                                                  .pStages = &stage,
                                                  .groupCount = 1,
                                                  .pGroups = &group,
                                                  .maxPipelineRayRecursionDepth = 1,
                                                  .layout = full};
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateRayTracingPipelinesKHR(device_.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr,
                                                    &pipeline),
            VK_SUCCESS);
  device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
  const VkStridedDeviceAddressRegionKHR table = MakeTable(pipeline);
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer buffer) {
    Bind(buffer, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline, full);
    const VkStridedDeviceAddressRegionKHR none = {};
    device_.vk.CmdTraceRaysKHR(buffer, &table, &none, &none, &none, 4, 1, 1);
  });
  SetIndex(12);
  SubmitAndWait(commands);
  EXPECT_EQ(Value(15), 7u);
  log_.ExpectNothing();
  SetIndex(13);
  SubmitAndWait(commands);
  const std::string text = log_.Expect("VUID-vkCmdTraceRaysKHR-storageBuffers-06936").text;
  EXPECT_THAT(text, HasSubstr("It was launch id (3, 0, 0)."));
  EXPECT_THAT(text, HasSubstr("write_at.rgen:7"));
}

}  // namespace
}  // namespace assay::test
