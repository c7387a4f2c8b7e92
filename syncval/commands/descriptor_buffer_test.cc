// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors in buffers: dispatches read the descriptors themselves, besides the resources of the descriptors.

#include "syncval/commands/descriptor_buffer_test.h"
#include "syncval/shaders/descriptor_array.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

class NegativeSyncDescriptorBuffer : public SyncDescriptorBuffer {};
class PositiveSyncDescriptorBuffer : public SyncDescriptorBuffer {};

TEST_F(NegativeSyncDescriptorBuffer, WrittenBefore) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_, kBegin + 3 * kDescriptor, kDescriptor);
  DispatchAt(c, 0);
  DispatchAt(c, kDescriptor);
  DispatchAt(c, 3 * kDescriptor);
  ExpectNothing();
  DispatchAt(c, 2 * kDescriptor);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(PositiveSyncDescriptorBuffer, WrittenBefore) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  Barrier(c, {kClear, kWrite, kCompute, kDescriptorRead});
  for (VkDeviceSize offset = 0; offset < 4 * kDescriptor; offset += kDescriptor) DispatchAt(c, offset);
}
// A barrier for descriptor reads makes only the descriptors visible, not their resources, and the other way round.
TEST_F(NegativeSyncDescriptorBuffer, BarrierForOtherReads) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  Barrier(c, {kClear, kWrite, kCompute, kStorageRead | kStorageWrite});
  DispatchAt(c, 0);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(NegativeSyncDescriptorBuffer, WrittenAfterwards) {
  VkCommandBuffer c = Bound({descriptors_});
  DispatchAt(c, 0);
  Fill(c, descriptors_, kBegin, kDescriptor);
  Fill(c, descriptors_, kBegin + 2 * kDescriptor, kDescriptor);
  ExpectNothing();
  Fill(c, descriptors_, kBegin + kDescriptor, kDescriptor);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(PositiveSyncDescriptorBuffer, WrittenAfterwards) {
  VkCommandBuffer c = Bound({descriptors_});
  DispatchAt(c, 0);
  Barrier(c, {kCompute, 0, kClear, 0});
  Fill(c, descriptors_);
}
TEST_F(NegativeSyncDescriptorBuffer, IndirectDispatch) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  SetOffset(c, 0);
  vk.CmdDispatchIndirect(c, MakeBuffer(64), 0);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(NegativeSyncDescriptorBuffer, SecondOfTwoBuffers) {
  const test::Buffer other = MakeDescriptors();
  VkCommandBuffer c = Bound({other, descriptors_});
  Fill(c, descriptors_);
  DispatchAt(c, 0, 0);
  ExpectNothing();
  DispatchAt(c, 0, 1);
  Expect(kReadAfterWrite, kCompute);
}
TEST_F(NegativeSyncDescriptorBuffer, NewerCommand) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  const uint32_t buffer = 0;
  const VkDeviceSize offset = 0;
  const VkSetDescriptorBufferOffsetsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT,
                                                    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                                    .layout = layout_,
                                                    .setCount = 1,
                                                    .pBufferIndices = &buffer,
                                                    .pOffsets = &offset};
  vk.CmdSetDescriptorBufferOffsets2EXT(c, &info);
  vk.CmdDispatch(c, 1, 1, 1);
  Expect(kReadAfterWrite, kCompute);
}
// The pipeline layout keeps the bindings of a destroyed set layout.
TEST_F(NegativeSyncDescriptorBuffer, SetLayoutDestroyed) {
  VkDescriptorSetLayout set_layout = MakeLayout({{0}, {1}});
  layout_ = MakePipelineLayout({set_layout});
  DestroyNow(set_layout);
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_, kBegin + kDescriptor, 4);
  DispatchAt(c, 0);
  Expect(kReadAfterWrite, kCompute);
}

TEST_F(PositiveSyncDescriptorBuffer, SetInItsPlace) {
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}, {1}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout});
  VkDescriptorSet set = MakeSet(set_layout);
  WriteBuffer(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MakeBuffer(64));
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  SetOffset(c, 0);
  vk.CmdBindDescriptorSets(c, kComputePoint, layout, 0, 1, &set, 0, nullptr);
  vk.CmdDispatch(c, 1, 1, 1);
}
TEST_F(PositiveSyncDescriptorBuffer, EmbeddedSamplersInItsPlace) {
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  SetOffset(c, 0);
  vk.CmdBindDescriptorBufferEmbeddedSamplersEXT(c, kComputePoint, layout_, 0);
  vk.CmdDispatch(c, 1, 1, 1);
  SetOffset(c, 0);
  const VkBindDescriptorBufferEmbeddedSamplersInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_BUFFER_EMBEDDED_SAMPLERS_INFO_EXT,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
      .layout = layout_};
  vk.CmdBindDescriptorBufferEmbeddedSamplers2EXT(c, &info);
  vk.CmdDispatch(c, 1, 1, 1);
}
TEST_F(NegativeSyncDescriptorBuffer, InPlaceOfASet) {
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}, {1}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout});
  VkDescriptorSet set = MakeSet(set_layout);
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_);
  vk.CmdBindDescriptorSets(c, kComputePoint, layout, 0, 1, &set, 0, nullptr);
  DispatchAt(c, 0);
  Expect(kReadAfterWrite, kCompute);
}
// Binding other buffers replaces all, and removes the offsets into the earlier ones.
TEST_F(PositiveSyncDescriptorBuffer, BuffersBoundAnew) {
  VkCommandBuffer c = Bound({descriptors_});
  SetOffset(c, 0);
  BindBuffers(c, {descriptors_});
  Fill(c, descriptors_);
  vk.CmdDispatch(c, 1, 1, 1);
}
TEST_F(PositiveSyncDescriptorBuffer, Rerecorded) {
  VkCommandBuffer c = Bound({descriptors_});
  SetOffset(c, 0);
  End(c);
  Begin(c);
  Fill(c, descriptors_);
  vk.CmdBindPipeline(c, kComputePoint, compute_);
  vk.CmdDispatch(c, 1, 1, 1);
  // The buffer is not bound any more either.
  DispatchAt(c, 0);
}
TEST_F(PositiveSyncDescriptorBuffer, BadInput) {
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_);
  vk.CmdBindPipeline(c, kComputePoint, compute_);
  // Before a buffer is bound.
  DispatchAt(c, 0);
  vk.CmdBindDescriptorBuffersEXT(c, 0, nullptr);
  vk.CmdBindDescriptorBuffersEXT(c, 1, nullptr);
  // An address of no buffer.
  const VkDescriptorBufferBindingInfoEXT nowhere = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                                                    .address = 1};
  vk.CmdBindDescriptorBuffersEXT(c, 1, &nowhere);
  DispatchAt(c, 0);
  BindBuffers(c, {descriptors_});
  // A buffer index, a set number, an offset and a layout that do not exist.
  DispatchAt(c, 0, 1);
  DispatchAt(c, 0, ~0u);
  DispatchAt(c, VkDeviceSize{1} << 63);
  DispatchAt(c, 4096);
  const uint32_t buffer = 0;
  const VkDeviceSize offset = 0;
  vk.CmdSetDescriptorBufferOffsetsEXT(c, kComputePoint, layout_, ~0u, 1, &buffer, &offset);
  vk.CmdSetDescriptorBufferOffsetsEXT(c, kComputePoint, layout_, 0, 1, &buffer, nullptr);
  vk.CmdSetDescriptorBufferOffsetsEXT(c, kComputePoint, VK_NULL_HANDLE, 0, 1, &buffer, &offset);
  vk.CmdDispatch(c, 1, 1, 1);
  vk.CmdSetDescriptorBufferOffsets2EXT(c, nullptr);
  vk.CmdBindDescriptorBufferEmbeddedSamplers2EXT(c, nullptr);
  SetOffset(c, 0);
  test::Buffer gone = MakeDescriptors();
  BindBuffers(c, {gone});
  SetOffset(c, 0);
  DestroyNow(gone.handle);
  vk.CmdDispatch(c, 1, 1, 1);
}

TEST_F(PositiveSyncDescriptorBuffer, ElementThatMayBeUnused) {
  layout_ = MakePipelineLayout({MakeLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}, {1}})});
  VkPipeline pipeline = MakeComputePipeline(layout_, MakeShader(k_descriptor_array));
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_, kBegin, kDescriptor);
  vk.CmdBindPipeline(c, kComputePoint, pipeline);
  DispatchAt(c, 0);
}

TEST_F(NegativeSyncDescriptorBuffer, FirstOfArray) {
  layout_ = MakePipelineLayout({MakeLayout({{0}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}})});
  VkPipeline pipeline = MakeComputePipeline(layout_, MakeShader(test::ComputeShader({.reads = {}, .writes = {1}})));
  VkCommandBuffer c = Bound({descriptors_});
  Fill(c, descriptors_, kBegin + kDescriptor, kDescriptor);
  vk.CmdBindPipeline(c, kComputePoint, pipeline);
  DispatchAt(c, 0);
  Expect(kReadAfterWrite, kCompute);
}

}  // namespace
}  // namespace assay::syncval
