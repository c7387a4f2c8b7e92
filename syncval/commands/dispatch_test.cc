// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Modelled accesses of dispatches: to the memory of the descriptors that the shader statically uses, where it is known.

#include "syncval/fixture/sync_test.h"
#include "syncval/shaders/descriptor_array.h"
#include "syncval/shaders/device_address.h"
#include "syncval/shaders/length_only.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

using test::Binding;
using test::Buffer;

constexpr VkPipelineBindPoint kComputePoint = VK_PIPELINE_BIND_POINT_COMPUTE;

class SyncDispatch : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    buffer_ = MakeBuffer(1024);
  }
  void BindAndDispatch(VkCommandBuffer c, const Compute& compute) {
    vk.CmdBindPipeline(c, kComputePoint, compute.pipeline);
    vk.CmdDispatch(c, 1, 1, 1);
  }
  // A shader that writes binding 0 of a set of that layout.
  Compute MakeWriter(VkDescriptorSetLayout layout, bool with_set = true) {
    Compute compute;
    compute.set_layout = layout;
    compute.layout = MakePipelineLayout({layout});
    compute.pipeline =
        MakeComputePipeline(compute.layout, MakeShader(test::ComputeShader({.reads = {}, .writes = {0}})));
    if (with_set) compute.set = MakeSet(layout);
    return compute;
  }
  VkWriteDescriptorSet WriteOf(const VkDescriptorBufferInfo& info) {
    return {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &info};
  }
  VkDescriptorUpdateTemplate MakeTemplate(const Compute& compute, bool push) {
    VkDescriptorUpdateTemplateEntry entry = {0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8, 0};
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = push ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS
                             : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = compute.set_layout,
        .pipelineBindPoint = kComputePoint,
        .pipelineLayout = compute.layout,
    };
    VkDescriptorUpdateTemplate update_template = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateDescriptorUpdateTemplate(device, &info, nullptr, &update_template), VK_SUCCESS);
    Defer(update_template, [=, this] { vk.DestroyDescriptorUpdateTemplate(device, update_template, nullptr); });
    return update_template;
  }
  struct TemplateData {
    uint64_t padding = 0;
    VkDescriptorBufferInfo info;
  };

  Buffer buffer_;
};
class NegativeSyncDispatch : public SyncDispatch {};
class PositiveSyncDispatch : public SyncDispatch {};

TEST_F(NegativeSyncDispatch, AfterFill) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, buffer_);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Dispatch(c, compute);
  ExpectMessage(kReadAfterWrite);
  Fill(c, buffer_, 0, 4);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(PositiveSyncDispatch, ReadersShare) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  Dispatch(c, compute);
  vk.CmdDispatchBase(c, 0, 0, 0, 1, 1, 1);
}
TEST_F(NegativeSyncDispatch, Chain) {
  const Compute first = MakeStorageCompute({}, {0}), second = MakeStorageCompute({0}, {1});
  WriteStorage(first, 0, buffer_);
  WriteStorage(second, 0, buffer_);
  WriteStorage(second, 1, MakeBuffer(64));
  VkCommandBuffer c = Begun();
  Dispatch(c, first);
  Dispatch(c, second);
  ExpectMessage(kReadAfterWrite);
  Barrier(c, {kCompute, kStorageWrite, kCompute, kStorageRead});
  vk.CmdDispatchBase(c, 0, 0, 0, 1, 1, 1);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncDispatch, Chain) {
  const Compute first = MakeStorageCompute({}, {0}), second = MakeStorageCompute({0}, {1});
  WriteStorage(first, 0, buffer_);
  WriteStorage(second, 0, buffer_);
  WriteStorage(second, 1, MakeBuffer(64));
  VkCommandBuffer c = Begun();
  for (int i = 0; i < 4; ++i) {
    Dispatch(c, first);
    Barrier(c, {kCompute, kStorageWrite, kCompute, kStorageRead | kStorageWrite});
    Dispatch(c, second);
    Barrier(c, {kCompute, kStorageWrite, kCompute, kStorageWrite});
  }
}
TEST_F(PositiveSyncDispatch, NoGroups) {
  const Compute compute = MakeStorageCompute({}, {0});
  WriteStorage(compute, 0, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  vk.CmdDispatch(c, 0, 1, 1);
  vk.CmdDispatchBase(c, 0, 0, 0, 1, 0, 1);
}
TEST_F(NegativeSyncDispatch, BaseGroup) {
  const Compute compute = MakeStorageCompute({}, {0});
  WriteStorage(compute, 0, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  vk.CmdDispatchBase(c, 1, 0, 0, 1, 1, 1);
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(PositiveSyncDispatch, DeclaredButUnused) {
  const Compute compute = MakeCompute(k_length_only, {{0}, {1}});
  WriteStorage(compute, 0, buffer_);
  WriteStorage(compute, 1, MakeBuffer(64));
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Dispatch(c, compute);
}

TEST_F(NegativeSyncDispatch, IndirectArguments) {
  const Compute compute = MakeStorageCompute({}, {0});
  WriteStorage(compute, 0, MakeBuffer(64));
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 64, 4);
  vk.CmdBindPipeline(c, kComputePoint, compute.pipeline);
  vk.CmdBindDescriptorSets(c, kComputePoint, compute.layout, 0, 1, &compute.set, 0, nullptr);
  vk.CmdDispatchIndirect(c, buffer_, 56);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT);
  EXPECT_EQ(fix.dst_access, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
}
TEST_F(PositiveSyncDispatch, IndirectArguments) {
  const Compute compute = MakeStorageCompute({}, {0});
  WriteStorage(compute, 0, MakeBuffer(64));
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 64, 4);
  vk.CmdBindPipeline(c, kComputePoint, compute.pipeline);
  vk.CmdBindDescriptorSets(c, kComputePoint, compute.layout, 0, 1, &compute.set, 0, nullptr);
  vk.CmdDispatchIndirect(c, buffer_, 52);
}

TEST_F(NegativeSyncDispatch, DynamicOffset) {
  VkDescriptorSetLayout layout = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC}});
  const Compute compute = MakeWriter(layout);
  WriteBuffer(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, buffer_, 256, 256);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute, {0});
  Dispatch(c, compute, {256});
  ExpectNothing();
  Dispatch(c, compute, {0});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncDispatch, ManyDynamicOffsets) {
  VkDescriptorSetLayout layout = MakeSetLayout(
      {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 8}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC}});
  Compute compute;
  compute.layout = MakePipelineLayout({layout});
  compute.pipeline = MakeComputePipeline(compute.layout, MakeShader(test::ComputeShader({.reads = {}, .writes = {1}})));
  compute.set = MakeSet(layout);
  WriteBuffer(compute.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, buffer_, 0, 256);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute, {0, 0, 0, 0, 0, 0, 0, 0, 0});
  Dispatch(c, compute, {0, 0, 0, 0, 0, 0, 0, 0, 256});
  ExpectNothing();
  Dispatch(c, compute, {0, 0, 0, 0, 0, 0, 0, 0, 0});
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(NegativeSyncDispatch, PushDescriptor) {
  const Compute compute = MakeWriter(MakeSetLayout({{0}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT), false);
  VkDescriptorBufferInfo info = {buffer_, 0, 256};
  VkWriteDescriptorSet write = WriteOf(info);
  VkCommandBuffer c = Begun();
  vk.CmdPushDescriptorSet(c, kComputePoint, compute.layout, 0, 1, &write);
  BindAndDispatch(c, compute);
  info.offset = 256;
  VkPushDescriptorSetInfo push = {
      VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO, nullptr, VK_SHADER_STAGE_COMPUTE_BIT, compute.layout, 0, 1, &write};
  vk.CmdPushDescriptorSet2(c, &push);
  BindAndDispatch(c, compute);
  ExpectNothing();
  info.offset = 0;
  vk.CmdPushDescriptorSet(c, kComputePoint, compute.layout, 0, 1, &write);
  BindAndDispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncDispatch, PushDescriptorWithTemplate) {
  const Compute compute = MakeWriter(MakeSetLayout({{0}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT), false);
  VkDescriptorUpdateTemplate update_template = MakeTemplate(compute, true);
  TemplateData data = {.info = {buffer_, 0, 256}};
  VkCommandBuffer c = Begun();
  vk.CmdPushDescriptorSetWithTemplate(c, update_template, compute.layout, 0, &data);
  BindAndDispatch(c, compute);
  data.info.offset = 256;
  VkPushDescriptorSetWithTemplateInfo push = {
      VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO, nullptr, update_template, compute.layout, 0, &data};
  vk.CmdPushDescriptorSetWithTemplate2(c, &push);
  BindAndDispatch(c, compute);
  ExpectNothing();
  BindAndDispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncDispatch, UpdateTemplate) {
  const Compute compute = MakeWriter(MakeSetLayout({{0}}));
  TemplateData data = {.info = {buffer_, 0, 256}};
  vk.UpdateDescriptorSetWithTemplate(device, compute.set, MakeTemplate(compute, false), &data);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 256);
  Dispatch(c, compute);
  ExpectNothing();
  Dispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncDispatch, BindDescriptorSets2) {
  const Compute compute = MakeStorageCompute({}, {0});
  WriteStorage(compute, 0, buffer_);
  VkBindDescriptorSetsInfo bind = {VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
                                   nullptr,
                                   VK_SHADER_STAGE_COMPUTE_BIT,
                                   compute.layout,
                                   0,
                                   1,
                                   &compute.set,
                                   0,
                                   nullptr};
  VkCommandBuffer c = Begun();
  vk.CmdBindDescriptorSets2(c, &bind);
  BindAndDispatch(c, compute);
  ExpectNothing();
  BindAndDispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(PositiveSyncDispatch, DescriptorArray) {
  const Compute compute = MakeCompute(k_descriptor_array, {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}});
  WriteStorage(compute, 0, buffer_, 0, 256);
  WriteBuffer(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer_, 256, 256, 1);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  Dispatch(c, compute);
}

// A read that is not modelled may order later accesses with the write that it read: then nothing is reported.
TEST_F(PositiveSyncDispatch, UnknownReadMayOrder) {
  const Compute compute = MakeCompute(k_device_address, {});
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Barrier(c, {kClear, kWrite, kCompute, kStorageRead});
  BindAndDispatch(c, compute);
  Barrier(c, {kCompute, 0, kClear, 0});
  Fill(c, buffer_);
}
TEST_F(NegativeSyncDispatch, UnknownReadIsNotOrdered) {
  const Compute compute = MakeCompute(k_device_address, {});
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Barrier(c, {kClear, kWrite, kCompute, kStorageRead});
  BindAndDispatch(c, compute);
  Fill(c, buffer_);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncDispatch, KnownReadDoesNotOrder) {
  const Compute compute = MakeStorageCompute({0}, {});
  WriteStorage(compute, 0, MakeBuffer(64));
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Barrier(c, {kClear, kWrite, kCompute, kStorageRead});
  Dispatch(c, compute);
  Barrier(c, {kCompute, 0, kClear, 0});
  Fill(c, buffer_);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncDispatch, DrawMayHaveRead) {
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Barrier(c, {kClear, kWrite, VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT});
  VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{}, {1, 1}}, .layerCount = 1};
  vk.CmdBeginRendering(c, &rendering);
  vk.CmdDraw(c, 3, 1, 0, 0);
  vk.CmdEndRendering(c);
  Barrier(c, {VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, 0, kClear, 0});
  Fill(c, buffer_);
}

// Objects that are destroyed before they are used are not accessed, and bad calls do no harm.
TEST_F(PositiveSyncDispatch, DestroyedObjects) {
  const Compute compute = MakeStorageCompute({}, {0});
  Buffer gone = MakeBuffer(64);
  WriteStorage(compute, 0, gone);
  VkCommandBuffer c = Begun();
  Dispatch(c, compute);
  DestroyNow(gone);
  Dispatch(c, compute);
  DestroyNow(compute.pipeline);
  vk.CmdDispatch(c, 1, 1, 1);
  vk.CmdBindPipeline(c, kComputePoint, VK_NULL_HANDLE);
  vk.CmdDispatch(c, 1, 1, 1);
}

TEST_F(PositiveSyncDispatch, DestroyedObjectsBehindBarriers) {
  constexpr Masks kWriteToWrite = {kCompute, kStorageWrite, kCompute, kStorageWrite};
  const Compute compute = MakeStorageCompute({}, {0}), unused = MakeStorageCompute({}, {0});
  Buffer gone = MakeBuffer(64), gone_before = MakeBuffer(64);
  WriteStorage(compute, 0, gone);
  WriteStorage(unused, 0, gone_before);
  DestroyNow(gone_before);
  VkCommandBuffer c = Begun();
  Dispatch(c, unused);
  Dispatch(c, unused);
  Dispatch(c, compute);
  DestroyNow(gone);
  Barrier(c, kWriteToWrite);
  Dispatch(c, compute);
  DestroyNow(compute.pipeline);
  Barrier(c, kWriteToWrite);
  vk.CmdDispatch(c, 1, 1, 1);
  vk.CmdBindPipeline(c, kComputePoint, VK_NULL_HANDLE);
  vk.CmdDispatch(c, 1, 1, 1);
}

}  // namespace
}  // namespace assay::syncval
