// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_LATE_ACCESS_TEST_H_
#define ASSAY_SYNCVAL_QUEUES_LATE_ACCESS_TEST_H_

#include <cstdint>
#include <vector>

#include "syncval/fixture/draw_sync_test.h"
#include "testing/shaders.h"

namespace assay::syncval {

// Tests with descriptors that may be updated until their command buffer is submitted.
class SyncLateAccess : public DrawSyncTest {
 protected:
  void SetUp() override {
    DrawSyncTest::SetUp();
    buffer_ = MakeBuffer(64);
    other_ = MakeBuffer(64);
  }

  // Bindings of storage buffers with flags.
  VkDescriptorSetLayout MakeLateLayout(uint32_t bindings, uint32_t count, VkDescriptorBindingFlags flags) {
    std::vector<VkDescriptorSetLayoutBinding> infos;
    infos.reserve(bindings);
    for (uint32_t i = 0; i < bindings; ++i)
      infos.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count, VK_SHADER_STAGE_ALL, nullptr});
    return MakeLateLayout(infos, flags);
  }
  VkDescriptorSetLayout MakeLateLayout(const std::vector<VkDescriptorSetLayoutBinding>& bindings,
                                       VkDescriptorBindingFlags flags) {
    const std::vector<VkDescriptorBindingFlags> of_bindings(bindings.size(), flags);
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr,
        static_cast<uint32_t>(of_bindings.size()), of_bindings.data()};
    const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flags_info,
                                                  VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
                                                  static_cast<uint32_t>(bindings.size()), bindings.data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
    Defer(layout, [=, this] { vk.DestroyDescriptorSetLayout(device, layout, nullptr); });
    return layout;
  }
  Compute MakeLateCompute(VkDescriptorSetLayout layout, VkShaderModule shader) {
    Compute compute;
    compute.set_layout = layout;
    compute.layout = MakePipelineLayout({layout}, 8);
    compute.pipeline = MakeComputePipeline(compute.layout, shader);
    compute.set = MakeSet(layout);
    return compute;
  }
  // A shader that reads the storage buffer of binding 0, and one that writes it.
  Compute MakeReader(VkDescriptorBindingFlags more = 0) {
    return MakeLateCompute(MakeLateLayout(1, 1, kLate | more),
                           MakeShader(test::ComputeShader({.reads = {0}, .writes = {}})));
  }
  Compute MakeWriter(VkDescriptorBindingFlags more = 0) {
    return MakeLateCompute(MakeLateLayout(1, 1, kLate | more),
                           MakeShader(test::ComputeShader({.reads = {}, .writes = {0}})));
  }

  static constexpr VkDescriptorBindingFlags kLate = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  static constexpr Masks kFillToRead = {kClear, kWrite, kCompute, kStorageRead};
  static constexpr Masks kWriteToWrite = {kCompute, kStorageWrite, kCompute, kStorageWrite};

  test::Buffer buffer_;
  test::Buffer other_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_LATE_ACCESS_TEST_H_
