// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Possible reads: vertices that indices choose, of which the command reads some. Only a certain conflict is a hazard,
// within a command buffer and between several.

#include "syncval/fixture/draw_sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr VkPipelineStageFlags2 kVertexInput = VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
constexpr VkAccessFlags2 kVertexRead = VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT;
// Of the vertex buffer.
constexpr VkDeviceSize kSize = 1024;

class SyncPossibleRead : public DrawSyncTest {
 protected:
  void SetUp() override {
    DrawSyncTest::SetUp();
    vertices_ = MakeBuffer(kSize);
    indices_ = MakeBuffer(64);
    mesh_ = MakeVertexPipeline();
  }
  // Three vertices, anywhere in the buffer from the offset on.
  void DrawIndexed(VkCommandBuffer c, VkDeviceSize offset = 0) {
    BeginRendering(c, Untouched(color_view_));
    BindPipeline(c, mesh_);
    vk.CmdBindIndexBuffer(c, indices_, 0, VK_INDEX_TYPE_UINT16);
    BindVertices(c, vertices_, offset);
    vk.CmdDrawIndexed(c, 3, 1, 0, 0, 0);
    vk.CmdEndRendering(c);
  }
  VkCommandBuffer Filling(VkDeviceSize offset, VkDeviceSize size) {
    return Record([&](VkCommandBuffer c) { Fill(c, vertices_, offset, size); });
  }
  VkCommandBuffer Drawing(const Masks& before = {}) {
    return Record([&](VkCommandBuffer c) {
      if (before.src_stages != 0) Barrier(c, before);
      DrawIndexed(c);
    });
  }

  Buffer vertices_;
  Buffer indices_;
  VkPipeline mesh_ = VK_NULL_HANDLE;
};
class NegativeSyncPossibleRead : public SyncPossibleRead {};
class PositiveSyncPossibleRead : public SyncPossibleRead {};

// Between submissions.

TEST_F(NegativeSyncPossibleRead, DrawAfterAFillOfAll) {
  Submit(Queue(), {Filling(0, kSize)});
  Submit(Queue(), {Drawing()});
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.src_stages, kClear);
  EXPECT_EQ(fix.dst_stages, kVertexInput);
  EXPECT_EQ(fix.dst_access, kVertexRead);
}
TEST_F(PositiveSyncPossibleRead, DrawAfterAFillOfAllAndABarrier) {
  Submit(Queue(), {Filling(0, kSize)});
  Submit(Queue(), {Drawing({kClear, kWrite, kVertexInput, kVertexRead})});
}
// The indices may choose vertices that were not filled.
TEST_F(PositiveSyncPossibleRead, DrawAfterAFillOfAPart) {
  Submit(Queue(), {Filling(0, kSize - 16)});
  Submit(Queue(), {Drawing()});
}
TEST_F(PositiveSyncPossibleRead, FillOfAPartAfterADraw) {
  Submit(Queue(), {Drawing()});
  Submit(Queue(), {Filling(16, kSize - 16)});
}
// Two fills together have filled all.
TEST_F(NegativeSyncPossibleRead, DrawAfterTwoFills) {
  Submit(Queue(), {Filling(0, 256), Filling(256, kSize - 256)});
  Submit(Queue(), {Drawing()});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncPossibleRead, FillOfAllAfterADraw) {
  Submit(Queue(), {Drawing()});
  Submit(Queue(), {Filling(0, kSize)});
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterRead).text);
  EXPECT_EQ(fix.src_stages, kVertexInput);
  EXPECT_EQ(fix.dst_stages, kClear);
}
TEST_F(PositiveSyncPossibleRead, FillOfAllAfterADrawAndABarrier) {
  Submit(Queue(), {Drawing()});
  VkCommandBuffer fill = Record([&](VkCommandBuffer c) {
    Barrier(c, {kVertexInput, 0, kClear, 0});
    Fill(c, vertices_);
  });
  Submit(Queue(), {fill});
}
TEST_F(NegativeSyncPossibleRead, FillOfWhatIsBoundAfterADraw) {
  VkCommandBuffer draw = Record([&](VkCommandBuffer c) { DrawIndexed(c, 512); });
  Submit(Queue(), {draw});
  Submit(Queue(), {Filling(0, 512)});
  ExpectNothing();
  Submit(Queue(), {Filling(512, 512)});
  ExpectMessage(kWriteAfterRead);
}
// Another access conflicts for certain, at higher addresses.
TEST_F(NegativeSyncPossibleRead, FillAfterADrawAndACopy) {
  VkCommandBuffer both = Record([&](VkCommandBuffer c) {
    DrawIndexed(c);
    Copy(c, vertices_, MakeBuffer(64), {512, 0, 64});
  });
  Submit(Queue(), {both});
  Submit(Queue(), {Filling(256, 512)});
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterRead).text);
  EXPECT_EQ(fix.src_stages & kCopy, kCopy);
}
// The recording that says what the draw may have read is gone.
TEST_F(PositiveSyncPossibleRead, RecordingIsGone) {
  VkCommandBuffer c = MakeCommandBuffer();
  Begin(c);
  DrawIndexed(c);
  End(c);
  Submit(Queue(), {c});
  vk.ResetCommandBuffer(c, 0);
  Submit(Queue(), {Filling(0, kSize)});
}

// Within a command buffer.

TEST_F(NegativeSyncPossibleRead, InOneCommandBuffer) {
  VkCommandBuffer c = Begun();
  DrawIndexed(c);
  Fill(c, vertices_, 0, kSize - 4);
  ExpectNothing();
  VkCommandBuffer d = Begun();
  DrawIndexed(d);
  Fill(d, vertices_);
  ExpectMessage(kWriteAfterRead);
}
// A draw from a buffer does not excuse what happens to another one.
TEST_F(NegativeSyncPossibleRead, WritesOfAnotherBuffer) {
  Buffer other = MakeBuffer(64);
  VkCommandBuffer c = Begun();
  Fill(c, other);
  Barrier(c, {kClear, kWrite, kVertexInput, kVertexRead});
  DrawIndexed(c);
  Barrier(c, {kVertexInput, 0, kClear, 0});
  Fill(c, other);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncPossibleRead, WritesOfTheSameBuffer) {
  VkCommandBuffer c = Begun();
  Fill(c, vertices_);
  Barrier(c, {kClear, kWrite, kVertexInput, kVertexRead});
  DrawIndexed(c);
  Barrier(c, {kVertexInput, 0, kClear, 0});
  Fill(c, vertices_);
}

// More draws than possible reads are kept for.
TEST_F(PositiveSyncPossibleRead, ManyOffsets) {
  VkCommandBuffer c = Begun();
  BeginRendering(c, Untouched(color_view_));
  BindPipeline(c, mesh_);
  vk.CmdBindIndexBuffer(c, indices_, 0, VK_INDEX_TYPE_UINT16);
  for (VkDeviceSize offset = 0; offset < kSize - 16; offset += 8) {
    BindVertices(c, vertices_, offset);
    vk.CmdDrawIndexed(c, 3, 1, 0, 0, 0);
  }
  vk.CmdEndRendering(c);
  Fill(c, vertices_, 0, 4);
}

}  // namespace
}  // namespace assay::syncval
