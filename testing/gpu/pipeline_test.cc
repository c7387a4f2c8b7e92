// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Ways of making pipelines, and what is bound to them.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/address_comp.h"
#include "testing/gpu/shaders/full_screen_vert.h"
#include "testing/gpu/shaders/read_array_comp.h"
#include "testing/gpu/shaders/read_frag.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kAddress[] = "UNASSIGNED-Device address out of bounds";

TEST_F(GpuavTest, WhatMadeThePipelineMayBeGone) {
  SetIndex(16);
  const VkShaderModule shader = device_.MakeShader(k_write_at_comp);
  const VkPipelineLayout other = device_.MakePipelineLayout({set_layout_});
  const VkPipeline pipeline = device_.MakeComputePipeline(other, shader);
  device_.DestroyNow(shader);
  device_.DestroyNow(other);
  SubmitAndWait(RecordDispatch(pipeline));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("write_at.comp:6"));
}

TEST_F(GpuavTest, PipelineMayBeGoneBeforeItsRecordsAreRead) {
  SetIndex(16);
  const VkPipeline pipeline = MakePipeline();
  const VkFence fence = device_.MakeFence();
  device_.Submit(device_.Queue(), {RecordDispatch(pipeline)}, {.fence = fence});
  while (device_.vk.GetFenceStatus(device_.device, fence) != VK_SUCCESS) {
  }
  device_.DestroyNow(pipeline);
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("write_at.comp:6"));
}

TEST_F(GpuavTest, SecondaryCommandBuffer) {
  SetIndex(16);
  const VkPipeline pipeline = MakePipeline();
  const VkCommandBuffer secondary = device_.MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = &inheritance};
  EXPECT_EQ(device_.vk.BeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  Dispatch(secondary, pipeline);
  device_.End(secondary);
  device_.SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, secondary, "secondary");
  SubmitAndWait(device_.Record(
      [&](VkCommandBuffer command_buffer) { device_.vk.CmdExecuteCommands(command_buffer, 1, &secondary); }));
  EXPECT_EQ(log_.Expect(kStorageBounds).objects[0].name, "secondary");
}

TEST_F(GpuavTest, WordsThatComeWithThePipeline) {
  SetIndex(16);
  const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(k_write_at_comp),
                                           .pCode = k_write_at_comp};
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .pNext = &module,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .pName = "main"},
                                            .layout = layout_};
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateComputePipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
  // Without maintenance5, that is for pipeline libraries.
  log_.Take();
  SubmitAndWait(RecordDispatch(pipeline));
  EXPECT_THAT(log_.Expect(kStorageBounds).text, HasSubstr("of the compute shader \"main\" in VkPipeline "));
}

TEST_F(GpuavTest, DescriptorThatIsWrittenAfterItIsBound) {
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, nullptr},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4, VK_SHADER_STAGE_ALL, nullptr}};
  const VkDescriptorBindingFlags flags[] = {
      0, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT};
  const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .bindingCount = 2,
      .pBindingFlags = flags};
  const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .pNext = &flags_info,
                                                .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
                                                .bindingCount = 2,
                                                .pBindings = bindings};
  VkDescriptorSetLayout array = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateDescriptorSetLayout(device_.device, &info, nullptr, &array), VK_SUCCESS);
  device_.Defer(array, [this, array] { device_.vk.DestroyDescriptorSetLayout(device_.device, array, nullptr); });
  const VkDescriptorSetLayout output = device_.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}});
  const VkPipelineLayout layout = device_.MakePipelineLayout({array, output});
  const VkPipeline pipeline = device_.MakeComputePipeline(layout, device_.MakeShader(k_read_array_comp));
  const std::array<VkDescriptorSet, 2> sets = {device_.MakeSet(array), device_.MakeSet(output)};
  const Buffer result = device_.MakeBuffer(16);
  device_.WriteBuffer(sets[0], 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, where_);
  device_.WriteBuffer(sets[1], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, result);
  const VkCommandBuffer command_buffer = device_.Record([&](VkCommandBuffer commands) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 2, sets.data(), 0, nullptr);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  });
  SetIndex(2);
  SubmitAndWait(command_buffer);
  EXPECT_THAT(log_.Expect("VUID-vkCmdDispatch-None-08114").text,
              HasSubstr("descriptor set 0, binding 1, index 2, which was never written."));
  device_.WriteBuffer(sets[0], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_, 0, VK_WHOLE_SIZE, 2);
  SubmitAndWait(command_buffer);
  log_.ExpectNothing();
  SetIndex(4);
  SubmitAndWait(command_buffer);
  EXPECT_THAT(log_.Expect("VUID-vkCmdDispatch-None-10068").text,
              HasSubstr("with the index 4 of descriptor set 0, binding 1, which has 4."));
  // The other descriptors of the set need not be valid.
  const Buffer gone = device_.MakeBuffer(16);
  device_.WriteBuffer(sets[0], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, gone, 0, VK_WHOLE_SIZE, 3);
  SetIndex(3);
  SubmitAndWait(command_buffer);
  log_.ExpectNothing();
  device_.DestroyNow(gone);
  SubmitAndWait(command_buffer);
  EXPECT_THAT(log_.Expect("VUID-vkCmdDispatch-None-08114").text, HasSubstr("an object that was destroyed."));
}

TEST_F(GpuavTest, DeviceAddresses) {
  const VkPipelineLayout layout = device_.MakePipelineLayout({}, 8);
  const VkPipeline pipeline = device_.MakeComputePipeline(layout, device_.MakeShader(k_address_comp));
  const auto make = [&](VkDeviceSize size) {
    return device_.MakeBuffer(size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  };
  const auto address_of = [&](const Buffer& buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return device_.vk.GetBufferDeviceAddress(device_.device, &info);
  };
  const auto run = [&](VkDeviceAddress address) {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      device_.vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 8, &address);
      device_.vk.CmdDispatch(commands, 1, 1, 1);
    }));
  };
  const Buffer target = make(256);
  device_.SetName(VK_OBJECT_TYPE_BUFFER, target.handle, "target");
  const VkDeviceAddress address = address_of(target);
  run(address + 252);
  log_.ExpectNothing();
  run(address + 256);
  const std::string text = log_.Expect(kAddress).text;
  EXPECT_THAT(text, HasSubstr("A shader accesses 4 bytes at the device address 0x"));
  EXPECT_THAT(text, HasSubstr("which is in no buffer; it is 0 bytes behind the end of VkBuffer "));
  EXPECT_THAT(text, HasSubstr("[target] of 256 bytes, which is the nearest."));
  // Buffers come and go between submissions.
  const Buffer second = make(64);
  const VkDeviceAddress of_second = address_of(second);
  run(of_second);
  log_.ExpectNothing();
  device_.DestroyNow(second);
  run(of_second);
  log_.Expect(kAddress);
  run(address);
  log_.ExpectNothing();
}

// What is past the end of one buffer may be in another one, whose address nobody asked for.
TEST_F(GpuavTest, BufferHasItsAddressThoughNobodyAsks) {
  const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  const Buffer large = device_.MakeBuffer(256, usage);
  const VkBuffer small =
      device_.MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = usage});
  ASSERT_EQ(device_.vk.BindBufferMemory(device_.device, small, large.memory, 0), VK_SUCCESS);
  const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = small};
  const VkDeviceAddress address = device_.vk.GetBufferDeviceAddress(device_.device, &info) + 128;
  const VkPipelineLayout layout = device_.MakePipelineLayout({}, 8);
  const VkPipeline pipeline = device_.MakeComputePipeline(layout, device_.MakeShader(k_address_comp));
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device_.vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 8, &address);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }));
  log_.ExpectNothing();
}

TEST_F(GpuavTest, Fragments) {
  const VkShaderModule fragment = device_.MakeShader(k_read_frag);
  const VkPipeline pipeline =
      device_.MakeGraphicsPipeline(layout_, {.vertex = device_.MakeShader(k_full_screen_vert), .fragment = fragment});
  SetIndex(20);
  SubmitAndWait(RecordRendering([&](VkCommandBuffer commands) {
    device_.SetViewportAndScissor(commands, 16, 16);
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_, 0, nullptr);
    device_.vk.CmdDraw(commands, 3, 1, 0, 0);
  }));
  const std::string text = log_.Expect("VUID-vkCmdDraw-storageBuffers-06936").text;
  EXPECT_THAT(text, HasSubstr("It happened 256 times, first in fragment coordinate ("));
  EXPECT_THAT(text, HasSubstr("read.frag:7"));
}

TEST_F(GpuavTest, DeviceHasOneDescriptorSetLess) {
  VkPhysicalDeviceProperties properties = {};
  device_.vk.GetPhysicalDeviceProperties(device_.physical_device, &properties);
  const uint32_t sets = properties.limits.maxBoundDescriptorSets;
  VkPhysicalDeviceProperties2 properties2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  device_.vk.GetPhysicalDeviceProperties2(device_.physical_device, &properties2);
  EXPECT_EQ(properties2.properties.limits.maxBoundDescriptorSets, sets);
  // A layout with all of them is instrumented.
  std::vector<VkDescriptorSetLayout> layouts(sets, device_.MakeSetLayout({}));
  layouts[0] = set_layout_;
  const VkPipelineLayout full = device_.MakePipelineLayout(layouts);
  const VkPipeline pipeline = device_.MakeComputePipeline(full, device_.MakeShader(k_write_at_comp));
  SetIndex(16);
  SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, full, 0, 1, &set_, 0, nullptr);
    device_.vk.CmdDispatch(commands, 1, 1, 1);
  }));
  log_.Expect(kStorageBounds);
}

class RobustGpuavTest : public GpuavTest {
 protected:
  void SetUp() override {
    is_robust_ = true;
    Create({});
  }
};

TEST_F(RobustGpuavTest, HarmlessAccessIsAWarning) {
  SetIndex(16);
  SubmitAndWait(RecordDispatch(MakePipeline()));
  const Message message = log_.Expect(kStorageBounds);
  EXPECT_EQ(message.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
  EXPECT_THAT(message.text, HasSubstr("Robust access to buffers makes that harmless."));
}

class SilentRobustGpuavTest : public GpuavTest {
 protected:
  void SetUp() override {
    is_robust_ = true;
    Create({.settings = {{"gpuav_warn_on_robust_oob", false}}});
  }
};

TEST_F(SilentRobustGpuavTest, HarmlessAccessIsNoMatter) {
  SetIndex(16);
  SubmitAndWait(RecordDispatch(MakePipeline()));
  log_.ExpectNothing();
}

class ChosenGpuavTest : public GpuavTest {
 protected:
  void SetUp() override { Create({.settings = {{"gpuav_select_instrumented_shaders", true}}}); }
};

TEST_F(ChosenGpuavTest, OnlyWhatIsChosenIsInstrumented) {
  // An access within memory, though past the range of the descriptor: nothing happens where nobody looks.
  device_.WriteBuffer(set_, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_, 0, 32);
  SetIndex(8);
  SubmitAndWait(RecordDispatch(MakePipeline()));
  log_.ExpectNothing();
  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT;
  const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                            .enabledValidationFeatureCount = 1,
                                            .pEnabledValidationFeatures = &enabled};
  const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .pNext = &features,
                                         .codeSize = sizeof(k_write_at_comp),
                                         .pCode = k_write_at_comp};
  VkShaderModule chosen = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateShaderModule(device_.device, &info, nullptr, &chosen), VK_SUCCESS);
  device_.Defer(chosen, [this, chosen] { device_.vk.DestroyShaderModule(device_.device, chosen, nullptr); });
  SubmitAndWait(RecordDispatch(device_.MakeComputePipeline(layout_, chosen)));
  log_.Expect(kStorageBounds);
}

// Writes the element with index 8 of binding 1, and does not say where it comes from.
constexpr char kPlainWriter[] = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main" %data
  OpExecutionMode %main LocalSize 1 1 1
  OpDecorate %array ArrayStride 4
  OpDecorate %block Block
  OpMemberDecorate %block 0 Offset 0
  OpDecorate %data DescriptorSet 0
  OpDecorate %data Binding 1
  %void = OpTypeVoid
  %type = OpTypeFunction %void
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %eight = OpConstant %uint 8
  %array = OpTypeRuntimeArray %uint
  %block = OpTypeStruct %array
  %to_block = OpTypePointer StorageBuffer %block
  %to_uint = OpTypePointer StorageBuffer %uint
  %data = OpVariable %to_block StorageBuffer
  %main = OpFunction %void None %type
  %entry = OpLabel
  %element = OpAccessChain %to_uint %data %zero %eight
  OpStore %element %eight
  OpReturn
  OpFunctionEnd)";

class PatternGpuavTest : public GpuavTest {
 protected:
  void SetUp() override {
    const char* const patterns = "other.comp, writ*";
    Create({.other_settings = {{.pLayerName = "VK_LAYER_ASSAY_validation",
                                .pSettingName = "gpuav_only_shaders",
                                .type = VK_LAYER_SETTING_TYPE_STRING_EXT,
                                .valueCount = 1,
                                .pValues = &patterns}}});
  }
};

TEST_F(PatternGpuavTest, OnlyWhatMatchesIsInstrumented) {
  // As above.
  device_.WriteBuffer(set_, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_, 0, 32);
  SetIndex(8);
  // Its source is write_at.comp.
  SubmitAndWait(RecordDispatch(MakePipeline()));
  log_.Expect(kStorageBounds);
  const VkShaderModule quiet = device_.MakeShader(kPlainWriter);
  SubmitAndWait(RecordDispatch(device_.MakeComputePipeline(layout_, quiet)));
  log_.ExpectNothing();
  const VkShaderModule named = device_.MakeShader(kPlainWriter);
  device_.SetName(VK_OBJECT_TYPE_SHADER_MODULE, named, "writer");
  SubmitAndWait(RecordDispatch(device_.MakeComputePipeline(layout_, named)));
  log_.Expect(kStorageBounds);
}

}  // namespace
}  // namespace assay::test
