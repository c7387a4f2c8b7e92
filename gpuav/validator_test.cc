// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What goes down to the driver, and what becomes of failures there, over the mock driver. Shaders do not run here.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/driver_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "testing/shaders.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using ::testing::HasSubstr;

TEST_F(GpuavDriverTest, LayoutsHaveOneSetMore) {
  std::vector<VkDescriptorSetLayout> sets;
  driver().Observe<vk::CreatePipelineLayout>([&](const vk::CreatePipelineLayout& call) {
    sets.assign(call.pCreateInfo->pSetLayouts, call.pCreateInfo->pSetLayouts + call.pCreateInfo->setLayoutCount);
  });
  MakeLayout();
  const uint32_t count = std::min(DeviceSets(), 32u);
  ASSERT_EQ(sets.size(), count);
  const std::vector<VkDescriptorSetLayout> first = sets;
  MakePipelineLayout({});
  ASSERT_EQ(sets.size(), count);
  // The same ones but for the application's own.
  EXPECT_EQ(std::vector(sets.begin() + 1, sets.end()), std::vector(first.begin() + 1, first.end()));
  EXPECT_NE(sets.front(), sets.back());
}

TEST_F(GpuavDriverTest, LayoutWithAllSetsStaysAsItIs) {
  size_t sets = 0;
  driver().Observe<vk::CreatePipelineLayout>(
      [&](const vk::CreatePipelineLayout& call) { sets = call.pCreateInfo->setLayoutCount; });
  const uint32_t count = std::min(DeviceSets(), 32u);
  const std::vector<VkDescriptorSetLayout> layouts(count, MakeSetLayout({}));
  MakePipelineLayout(layouts);
  EXPECT_EQ(sets, count);
}

TEST_F(GpuavDriverTest, LayoutLivesAsLongAsItsPipeline) {
  const VkPipeline pipeline = MakePipeline();
  const size_t layouts = driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE_LAYOUT);
  DestroyNow(layout_);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE_LAYOUT), layouts);
  DestroyNow(pipeline);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_PIPELINE_LAYOUT), layouts - 1);
}

TEST_F(GpuavDriverTest, StageGetsAModuleOfItsOwnForTheCall) {
  const VkShaderModule shader = MakeWriter();
  MakeLayout();
  size_t words = 0;
  size_t modules = 0;
  driver().SetObserver([&](vk::CommandId id, const void* parameters) {
    if (id == vk::CommandId::kCreateShaderModule) {
      words = static_cast<const vk::CreateShaderModule*>(parameters)->pCreateInfo->codeSize / 4;
    }
    if (id == vk::CommandId::kCreateComputePipelines) modules = driver().LiveObjects(VK_OBJECT_TYPE_SHADER_MODULE);
  });
  MakeComputePipeline(layout_, shader);
  EXPECT_GT(words, test::AssembleSpirv(kIndexedWriter).size());
  EXPECT_EQ(modules, 2u);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_SHADER_MODULE), 1u);
}

TEST_F(GpuavDriverTest, SetIsBoundForEachAction) {
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  std::vector<std::pair<uint32_t, uint32_t>> bound;
  driver().Observe<vk::CmdBindDescriptorSets>([&](const vk::CmdBindDescriptorSets& call) {
    bound.emplace_back(call.firstSet, call.dynamicOffsetCount != 0 ? call.pDynamicOffsets[0] : UINT32_MAX);
  });
  Record([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
    vk.CmdDispatch(commands, 1, 1, 1);
    vk.CmdDispatch(commands, 1, 1, 1);
  });
  const uint32_t reserved = std::min(DeviceSets(), 32u) - 1;
  ASSERT_EQ(bound.size(), 3u);
  EXPECT_EQ(bound[0], std::pair(0u, UINT32_MAX));
  EXPECT_EQ(bound[1].first, reserved);
  EXPECT_EQ(bound[2].first, reserved);
  EXPECT_LT(bound[1].second, bound[2].second);
}

TEST_F(GpuavDriverTest, MemoryOfRecordingsIsUsedAgain) {
  const VkPipeline pipeline = MakePipeline();
  const auto record_many = [&] {
    for (int i = 0; i < 50; ++i) {
      const VkCommandBuffer commands = RecordDispatch(pipeline);
      EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
      EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
      EXPECT_EQ(vk.ResetCommandBuffer(commands, 0), VK_SUCCESS);
    }
  };
  record_many();
  const size_t fences = driver().LiveObjects(VK_OBJECT_TYPE_FENCE);
  const size_t pools = driver().LiveObjects(VK_OBJECT_TYPE_DESCRIPTOR_POOL);
  // Each has a buffer of the test's, with memory.
  const size_t ours = driver().LiveObjects(VK_OBJECT_TYPE_DEVICE_MEMORY) - 50;
  record_many();
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_FENCE), fences);
  // And a pool with a set.
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_DESCRIPTOR_POOL), pools + 50);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_DEVICE_MEMORY) - 100, ours);
}

TEST_F(GpuavDriverTest, NothingIsLeft) {
  const VkPipeline pipeline = MakePipeline();
  Submit(Queue(), {RecordDispatch(pipeline)});
  vk.QueueWaitIdle(Queue());
  Destroy();
  for (const VkObjectType type :
       {VK_OBJECT_TYPE_BUFFER, VK_OBJECT_TYPE_DEVICE_MEMORY, VK_OBJECT_TYPE_FENCE, VK_OBJECT_TYPE_DESCRIPTOR_POOL,
        VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, VK_OBJECT_TYPE_PIPELINE_LAYOUT, VK_OBJECT_TYPE_COMMAND_POOL,
        VK_OBJECT_TYPE_SHADER_MODULE}) {
    EXPECT_EQ(driver().LiveObjects(type), 0u) << type;
  }
}

TEST_F(GpuavDriverTest, ModuleThatCannotBeMade) {
  const VkShaderModule shader = MakeWriter();
  MakeLayout();
  driver().FailNext<vk::CreateShaderModule>(VK_ERROR_OUT_OF_HOST_MEMORY);
  const VkPipeline pipeline = MakeComputePipeline(layout_, shader);
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text,
              HasSubstr("GPU-assisted validation could not make a shader module (VK_ERROR_OUT_OF_HOST_MEMORY)."));
  RecordDispatch(pipeline);
  MakePipeline();
  ExpectNothing();
}

TEST_F(GpuavDriverTest, RecordingWithoutMemoryGoesOn) {
  const VkPipeline pipeline = MakePipeline();
  // Until all that there was is used up.
  std::vector<VkCommandBuffer> recorded;
  recorded.reserve(200);
  const VkDescriptorSet set = MakeWrittenSet();
  driver().FailNext<vk::AllocateMemory>(VK_ERROR_OUT_OF_DEVICE_MEMORY, 1000000);
  for (int i = 0; i < 200; ++i) {
    recorded.push_back(Record([&](VkCommandBuffer commands) {
      vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
      vk.CmdDispatch(commands, 1, 1, 1);
    }));
  }
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text, HasSubstr("could not make memory"));
  EXPECT_EQ(Submit(Queue(), recorded), VK_SUCCESS);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
}

TEST_F(GpuavDriverTest, SubmissionThatFails) {
  const VkCommandBuffer commands = RecordDispatch(MakePipeline());
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(Submit(Queue(), {commands}), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
}

TEST_F(GpuavDriverTest, PipelineThatFails) {
  const VkShaderModule shader = MakeWriter();
  MakeLayout();
  driver().FailNext<vk::CreateComputePipelines>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = shader,
                                                      .pName = "main"},
                                            .layout = layout_};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_SHADER_MODULE), 1u);
}

// They need no memory for it.
TEST_F(GpuavDriverTest, SparseBuffersHaveAddresses) {
  size_t asked = 0;
  driver().Observe<vk::GetBufferDeviceAddress>([&](const vk::GetBufferDeviceAddress&) { ++asked; });
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                             .size = 256,
                             .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
  MakeUnboundBuffer(info);
  EXPECT_EQ(asked, 1u);
  info.flags = 0;
  MakeUnboundBuffer(info);
  EXPECT_EQ(asked, 1u);
  driver().SetObserver({});
}

class GpuavDeviceTest : public test::ValidationTest {
 protected:
  void SetUp() override {}
  test::DeviceOptions Options() override { return {.settings = {{"gpuav_enable", true}}, .core_features = false}; }
};

TEST_F(GpuavDeviceTest, FeaturesThatShadersNeedAreEnabled) {
  VkPhysicalDeviceFeatures features = {};
  driver().Observe<vk::CreateDevice>([&](const vk::CreateDevice& call) {
    if (call.pCreateInfo->pEnabledFeatures != nullptr) features = *call.pCreateInfo->pEnabledFeatures;
  });
  Create(Options());
  EXPECT_EQ(features.fragmentStoresAndAtomics, VK_TRUE);
  EXPECT_EQ(features.vertexPipelineStoresAndAtomics, VK_TRUE);
  EXPECT_EQ(features.geometryShader, VK_FALSE);
}

TEST_F(GpuavDeviceTest, OldDeviceGetsTheExtension) {
  std::vector<std::string> extensions;
  driver().Observe<vk::CreateDevice>([&](const vk::CreateDevice& call) {
    extensions.assign(call.pCreateInfo->ppEnabledExtensionNames,
                      call.pCreateInfo->ppEnabledExtensionNames + call.pCreateInfo->enabledExtensionCount);
  });
  test::DeviceOptions options = Options();
  options.api_version = VK_API_VERSION_1_0;
  Create(options);
  EXPECT_THAT(extensions, ::testing::Contains("VK_KHR_storage_buffer_storage_class"));
}

TEST_F(GpuavDeviceTest, DeviceThatCannotDoItRunsAsItIs) {
  driver().config().disabled_extensions.insert("VK_KHR_storage_buffer_storage_class");
  test::DeviceOptions options = Options();
  options.api_version = VK_API_VERSION_1_0;
  Create(options);
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text,
              HasSubstr("GPU-assisted validation is off for this device: it has neither Vulkan 1.1 nor"));
  size_t sets = 0;
  driver().Observe<vk::CreatePipelineLayout>(
      [&](const vk::CreatePipelineLayout& call) { sets = call.pCreateInfo->setLayoutCount; });
  MakePipelineLayout({MakeSetLayout({})});
  EXPECT_EQ(sets, 1u);
}

}  // namespace
}  // namespace assay::gpuav
