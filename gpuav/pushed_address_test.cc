// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Addresses of our memory, and what devices have to have for them, over the mock driver. Shaders do not run here.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gmock/gmock.h"
#include "gpuav/every_set_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Devices of several kinds.
class EverySetDeviceTest : public EverySetTest {
 protected:
  void SetUp() override {}
  void CreateWith(const test::DeviceOptions& options) {
    options_ = options;
    EverySetTest::SetUp();
  }
  test::DeviceOptions Options() override { return options_; }
  test::DeviceOptions Base() { return EverySetTest::Options(); }

 private:
  test::DeviceOptions options_;
};

TEST_F(EverySetDeviceTest, StructureOfTheApplication) {
  VkPhysicalDeviceVulkan12Features core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  test::DeviceOptions options = Base();
  options.features = &core;
  CreateWith(options);
  EXPECT_TRUE(has_core_structure_);
  EXPECT_EQ(has_addresses_, true);
  EXPECT_EQ(core.bufferDeviceAddress, VK_FALSE);
}

TEST_F(EverySetDeviceTest, OldDeviceGetsTheExtension) {
  test::DeviceOptions options = Base();
  options.api_version = VK_API_VERSION_1_1;
  CreateWith(options);
  EXPECT_EQ(has_addresses_, true);
  EXPECT_THAT(extensions_, ::testing::Contains("VK_KHR_buffer_device_address"));
  MakeComputePipeline(MakeFullLayout(), MakeWriter());
}

TEST_F(EverySetDeviceTest, DeviceWithoutAddresses) {
  driver().config().disabled_features.insert("bufferDeviceAddress");
  CreateWith(Base());
  EXPECT_NE(has_addresses_, true);
  EXPECT_THAT(Down({{kCompute, 0, 16}}), ElementsAre(Range(kCompute, 0, 16)));
  MakeComputePipeline(MakeFullLayout(), MakeWriter());
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-not-instrumented").text, HasSubstr("the device has no bufferDeviceAddress"));
  EXPECT_THAT(memory_flags_, ::testing::Each(0u));
}

TEST_F(EverySetDeviceTest, WithTheReservedSlotAllStaysAsItIs) {
  test::DeviceOptions options = Base();
  options.settings.pop_back();
  CreateWith(options);
  EXPECT_EQ(has_addresses_, std::nullopt);
  EXPECT_THAT(Down({{kCompute, 0, 16}}), ElementsAre(Range(kCompute, 0, 16)));
  MakeComputePipeline(MakeFullLayout(), MakeWriter());
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-not-instrumented").text,
              HasSubstr("one more than the limit. They are with gpuav_reserve_binding_slot = false."));
}

class LibraryOfEverySetTest : public EverySetTest {
 protected:
  test::DeviceOptions Options() override {
    library_.graphicsPipelineLibrary = VK_TRUE;
    rendering_.dynamicRendering = VK_TRUE;
    test::DeviceOptions options = EverySetTest::Options();
    options.device_extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                 VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    options.features = &library_;
    return options;
  }
  // A library with a vertex shader that fetches an attribute. Returns how many modules that took.
  size_t MakeLibrary(VkPipelineLayoutCreateFlags flags) {
    const VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                    .flags = flags};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreatePipelineLayout(device, &layout_info, nullptr, &layout), VK_SUCCESS);
    Defer(layout, [this, layout] { vk.DestroyPipelineLayout(device, layout, nullptr); });
    const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                   .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                   .module = MakeShader(test::VertexShader(1)),
                                                   .pName = "main"};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = 2,
                                                      .pDynamicStates = states};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkGraphicsPipelineLibraryCreateInfoEXT library = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = &rendering,
        .flags = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &library,
                                               .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                                               .stageCount = 1,
                                               .pStages = &stage,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &rasterization,
                                               .pDynamicState = &dynamic,
                                               .layout = layout};
    const size_t modules = module_words_.size();
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return module_words_.size() - modules;
  }

  VkPhysicalDeviceDynamicRenderingFeatures rendering_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, .pNext = &rendering_};
};

// It may be linked with a layout that has no room for our set.
TEST_F(LibraryOfEverySetTest, LibraryWithIndependentSetsStaysAsItIs) {
  EXPECT_EQ(MakeLibrary(0), 1u);
  EXPECT_EQ(MakeLibrary(VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT), 0u);
}

class DescriptorBufferPipelineTest : public EverySetTest {
 protected:
  test::DeviceOptions Options() override {
    addresses_.pNext = &descriptor_buffer_;
    addresses_.bufferDeviceAddress = VK_TRUE;
    descriptor_buffer_.descriptorBuffer = VK_TRUE;
    test::DeviceOptions options = EverySetTest::Options();
    options.settings.pop_back();
    options.device_extensions.push_back(VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME);
    options.features = &addresses_;
    return options;
  }
  VkPipeline MakeWithFlag(VkPipelineLayout layout, VkShaderModule shader) {
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = shader,
                                                        .pName = "main"},
                                              .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [this, pipeline] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }

  VkPhysicalDeviceBufferDeviceAddressFeatures addresses_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
};

// Writes where an address in push constants leads to.
constexpr char kAddressWriter[] = R"(
  OpCapability Shader
  OpCapability PhysicalStorageBufferAddresses
  OpExtension "SPV_KHR_physical_storage_buffer"
  OpMemoryModel PhysicalStorageBuffer64 GLSL450
  OpEntryPoint GLCompute %main "main" %push
  OpExecutionMode %main LocalSize 1 1 1
  OpDecorate %block Block
  OpMemberDecorate %block 0 Offset 0
  OpDecorate %target Block
  OpMemberDecorate %target 0 Offset 0
  %void = OpTypeVoid
  %type = OpTypeFunction %void
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %target = OpTypeStruct %uint
  %to_target = OpTypePointer PhysicalStorageBuffer %target
  %to_uint = OpTypePointer PhysicalStorageBuffer %uint
  %block = OpTypeStruct %to_target
  %to_block = OpTypePointer PushConstant %block
  %to_member = OpTypePointer PushConstant %to_target
  %push = OpVariable %to_block PushConstant
  %main = OpFunction %void None %type
  %entry = OpLabel
  %member = OpAccessChain %to_member %push %zero
  %address = OpLoad %to_target %member
  %place = OpAccessChain %to_uint %address %zero
  OpStore %place %zero Aligned 4
  OpReturn
  OpFunctionEnd)";

TEST_F(DescriptorBufferPipelineTest, ChecksDescriptorsAndAddresses) {
  const VkDescriptorSetLayout set = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}},
                                                  VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  const VkPipelineLayout layout = MakeLayoutWith({set}, {{kCompute, 0, 8}});
  EXPECT_EQ(sets_, 1u);
  const VkShaderModule by_address = MakeShader(kAddressWriter);
  const VkShaderModule by_descriptor = MakeWriter();
  const size_t modules = module_words_.size();
  MakeWithFlag(layout, by_descriptor);
  EXPECT_EQ(module_words_.size(), modules + 1);
  const VkPipeline pipeline = MakeWithFlag(layout, by_address);
  EXPECT_EQ(module_words_.size(), modules + 2);
  constexpr uint64_t kValue = 7;
  Record([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdPushConstants(commands, layout, kCompute, 0, 8, &kValue);
    vk.CmdDispatch(commands, 1, 1, 1);
  });
  ASSERT_EQ(pushes_.size(), 2u);
  EXPECT_EQ(pushes_[1].offset, offset_);
  EXPECT_THAT(bound_, IsEmpty());
}

}  // namespace
}  // namespace assay::gpuav
