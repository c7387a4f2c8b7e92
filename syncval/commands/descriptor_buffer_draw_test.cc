// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors in buffers that draws read.

#include "syncval/commands/descriptor_buffer_test.h"
#include "syncval/shaders/fragment_array.h"

namespace assay::syncval {
namespace {

class NegativeSyncDescriptorBuffer : public SyncDescriptorBuffer {};
class PositiveSyncDescriptorBuffer : public SyncDescriptorBuffer {};

TEST_F(NegativeSyncDescriptorBuffer, Draw) {
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_, kBegin + kDescriptor, kDescriptor);
  BindBuffers(c, {descriptors_});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeDraws());
  SetOffset(c, 0, 0, kGraphicsPoint);
  for (int i = 0; i < 2; ++i) vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectNothing();
  // Only the offset changes.
  SetOffset(c, kDescriptor, 0, kGraphicsPoint);
  vk.CmdDraw(c, 3, 1, 0, 0);
  Expect(kReadAfterWrite, kFragment);
}
TEST_F(NegativeSyncDescriptorBuffer, DrawWithOtherBuffer) {
  const test::Buffer other = MakeDescriptors();
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_);
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeDraws());
  BindBuffers(c, {other});
  SetOffset(c, 0, 0, kGraphicsPoint);
  vk.CmdDraw(c, 3, 1, 0, 0);
  ExpectNothing();
  // The same buffer index and the same offset.
  BindBuffers(c, {descriptors_});
  SetOffset(c, 0, 0, kGraphicsPoint);
  vk.CmdDraw(c, 3, 1, 0, 0);
  Expect(kReadAfterWrite, kFragment);
}
TEST_F(PositiveSyncDescriptorBuffer, Draw) {
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_);
  Barrier(c, {kClear, kWrite, kFragment, kDescriptorRead});
  BindBuffers(c, {descriptors_});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeDraws());
  for (VkDeviceSize offset : {0, 64, 0}) {
    SetOffset(c, offset, 0, kGraphicsPoint);
    vk.CmdDraw(c, 3, 1, 0, 0);
  }
}
// The shader accesses only the last of three descriptors.
TEST_F(PositiveSyncDescriptorBuffer, DrawWithOtherElement) {
  layout_ = MakePipelineLayout({MakeLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 3}})});
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_, kBegin, kDescriptor);
  BindBuffers(c, {descriptors_});
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakePipeline({.layout = layout_, .fragment = k_fragment_array}));
  SetOffset(c, 0, 0, kGraphicsPoint);
  vk.CmdDraw(c, 3, 1, 0, 0);
}
// Offsets that were set for the other bind point.
TEST_F(PositiveSyncDescriptorBuffer, OffsetsOfOtherPoint) {
  VkCommandBuffer c = Begun();
  Fill(c, descriptors_);
  BindBuffers(c, {descriptors_});
  SetOffset(c, 0, 0, kComputePoint);
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, MakeDraws());
  vk.CmdDraw(c, 3, 1, 0, 0);
}

}  // namespace
}  // namespace assay::syncval
