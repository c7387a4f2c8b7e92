// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses through descriptors that need not be used, or may be updated after they are bound.

#include "syncval/fixture/sync_test.h"
#include "syncval/shaders/descriptor_array.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

using test::Buffer;

class SyncDescriptorFlags : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    buffer_ = MakeBuffer(1024);
  }
  // A layout whose only binding has flags.
  VkDescriptorSetLayout MakeFlaggedLayout(VkDescriptorBindingFlags flags, uint32_t count = 1) {
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count, VK_SHADER_STAGE_COMPUTE_BIT,
                                            nullptr};
    VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 1, &flags};
    VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flags_info,
                                            VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, 1, &binding};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
    Defer(layout, [=, this] { vk.DestroyDescriptorSetLayout(device, layout, nullptr); });
    return layout;
  }
  // A shader that writes binding 0 of a set of that layout.
  Compute MakeWriter(VkDescriptorSetLayout layout) {
    Compute compute;
    compute.set_layout = layout;
    compute.layout = MakePipelineLayout({layout});
    compute.pipeline =
        MakeComputePipeline(compute.layout, MakeShader(test::ComputeShader({.reads = {}, .writes = {0}})));
    compute.set = MakeSet(layout);
    return compute;
  }
  // A shader that writes one of two buffers, by an index from a push constant.
  Compute MakePartialArray() {
    Compute compute;
    compute.set_layout = MakeFlaggedLayout(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT, 2);
    compute.layout = MakePipelineLayout({compute.set_layout}, 8);
    compute.pipeline = MakeComputePipeline(compute.layout, MakeShader(k_descriptor_array));
    compute.set = MakeSet(compute.set_layout);
    return compute;
  }

  Buffer buffer_;
};
class PositiveSyncDescriptorFlags : public SyncDescriptorFlags {};

// The accessed descriptor is unknown while recording; see late_access_test.cc for submissions.
TEST_F(PositiveSyncDescriptorFlags, UpdatedAfterBound) {
  const Compute compute = MakeWriter(MakeFlaggedLayout(VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT));
  WriteStorage(compute, 0, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  Dispatch(c, compute);
}
TEST_F(PositiveSyncDescriptorFlags, PartiallyBound) {
  const Compute compute = MakeWriter(MakeFlaggedLayout(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT));
  WriteStorage(compute, 0, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  Dispatch(c, compute);
}

// Accesses that may not happen count.
class SyncDescriptorFlagsHeuristic : public SyncDescriptorFlags {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncDescriptorFlags::Options();
    options.settings.emplace_back("syncval_shader_accesses_heuristic", true);
    return options;
  }
};
TEST_F(SyncDescriptorFlagsHeuristic, PartiallyBound) {
  const Compute compute = MakeWriter(MakeFlaggedLayout(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT));
  WriteStorage(compute, 0, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  ExpectNothing();
  Dispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(SyncDescriptorFlagsHeuristic, PartiallyBoundWithNothing) {
  const Compute compute = MakeWriter(MakeFlaggedLayout(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT));
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  Dispatch(c, compute);
}
// The shader computes the index of an array. Only what was written can be accessed.
TEST_F(SyncDescriptorFlagsHeuristic, PartiallyBoundArray) {
  const Compute compute = MakePartialArray();
  WriteBuffer(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer_, 256, 256, 1);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 256, 256);
  Dispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncDescriptorFlags, PartiallyBoundArray) {
  const Compute compute = MakePartialArray();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Dispatch(c, compute);
  WriteBuffer(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer_, 0, 256);
  WriteBuffer(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer_, 256, 256, 1);
  VkCommandBuffer one = Begun();
  Fill(one, buffer_, 256, 256);
  Dispatch(one, compute);
}

}  // namespace
}  // namespace assay::syncval
