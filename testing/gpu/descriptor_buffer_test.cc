// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines that have their descriptors in descriptor buffers.

#include <cstdint>

#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/address_comp.h"

namespace assay::test {
namespace {

constexpr char kAddress[] = "UNASSIGNED-Device address out of bounds";

class DescriptorBufferGpuavTest : public GpuavTest {
 protected:
  void SetUp() override {
    descriptor_buffer_.descriptorBuffer = VK_TRUE;
    features12_.pNext = &descriptor_buffer_;
    Create({.device_extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME}});
  }

  VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
};

// What needs no tables of descriptors is checked.
TEST_F(DescriptorBufferGpuavTest, DeviceAddresses) {
  const VkDescriptorSetLayout set = device_.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}},
                                                          VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  const VkPipelineLayout layout = device_.MakePipelineLayout({set}, 8);
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = device_.MakeShader(k_address_comp),
                                                      .pName = "main"},
                                            .layout = layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateComputePipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
  const Buffer target =
      device_.MakeBuffer(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  const VkBufferDeviceAddressInfo address_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                  .buffer = target};
  const VkDeviceAddress address = device_.vk.GetBufferDeviceAddress(device_.device, &address_info);
  const auto run = [&](VkDeviceAddress where) {
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      device_.vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 8, &where);
      device_.vk.CmdDispatch(commands, 1, 1, 1);
    }));
  };
  run(address + 252);
  EXPECT_EQ(static_cast<const uint32_t*>(Map(target))[63], 7u);
  log_.ExpectNothing();
  run(address + 256);
  log_.Expect(kAddress);
}

}  // namespace
}  // namespace assay::test
