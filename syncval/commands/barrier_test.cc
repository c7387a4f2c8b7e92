// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What pipeline barriers order and what they do not.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

class SyncBarrier : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    a_ = MakeBuffer(256);
    b_ = MakeBuffer(256);
    c_ = MakeBuffer(256);
  }
  // Writes and reads of b_.
  void WriteB(VkCommandBuffer commands) { Copy(commands, a_, b_, {0, 0, 256}); }
  void ReadB(VkCommandBuffer commands) { Copy(commands, b_, c_, {0, 0, 256}); }

  static constexpr Masks kWriteToRead = {kCopy, kWrite, kCopy, kRead};
  Buffer a_, b_, c_;
};
class NegativeSyncBarrier : public SyncBarrier {};
class PositiveSyncBarrier : public SyncBarrier {};

TEST_F(PositiveSyncBarrier, Global) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Barrier(c, kWriteToRead);
  ReadB(c);
}
TEST_F(PositiveSyncBarrier, GlobalInSync1) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Barrier1(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
           VK_ACCESS_TRANSFER_READ_BIT);
  ReadB(c);
}
TEST_F(NegativeSyncBarrier, GlobalInSync1LacksABit) {
  constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 kOther = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  struct {
    VkPipelineStageFlags src;
    VkAccessFlags src_access;
    VkPipelineStageFlags dst;
    VkAccessFlags dst_access;
  } const all[] = {
      {kOther, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer, VK_ACCESS_TRANSFER_READ_BIT},
      {kTransfer, VK_ACCESS_TRANSFER_READ_BIT, kTransfer, VK_ACCESS_TRANSFER_READ_BIT},
      {kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kOther, VK_ACCESS_TRANSFER_READ_BIT},
      {kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT},
  };
  for (const auto& masks : all) {
    VkCommandBuffer c = Begun();
    WriteB(c);
    Barrier1(c, masks.src, masks.src_access, masks.dst, masks.dst_access);
    ReadB(c);
    ExpectMessage(kReadAfterWrite);
    ExpectNothing();
  }
}

TEST_F(PositiveSyncBarrier, WideMasks) {
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                  kTransfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  constexpr VkAccessFlags2 kAnyRead = VK_ACCESS_2_MEMORY_READ_BIT, kAnyWrite = VK_ACCESS_2_MEMORY_WRITE_BIT;
  for (const Masks& masks :
       {Masks{kAll, kAnyWrite, kAll, kAnyRead}, Masks{kTransfer, kAnyWrite, kTransfer, kAnyRead},
        Masks{kAll, kWrite, kTransfer, kRead}, Masks{kCopy | kCompute, kWrite, kCopy | kCompute, kRead},
        Masks{VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT | kCopy, kWrite, kAll, kRead}}) {
    SCOPED_TRACE(ToString(masks));
    VkCommandBuffer c = Begun();
    WriteB(c);
    Barrier(c, masks);
    ReadB(c);
    ExpectNothing();
  }
}
// TOP_OF_PIPE waits for nothing and nothing waits at BOTTOM_OF_PIPE; neither has accesses, on either side.
TEST_F(NegativeSyncBarrier, PipelineEnds) {
  constexpr VkPipelineStageFlags2 kTop = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT,
                                  kBottom = VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
  for (const Masks& masks : {Masks{kTop, 0, kCopy, kRead}, Masks{kBottom, 0, kCopy, kRead},
                             Masks{kCopy, kWrite, kTop, 0}, Masks{kCopy, kWrite, kBottom, 0}, Masks{}}) {
    SCOPED_TRACE(ToString(masks));
    VkCommandBuffer c = Begun();
    WriteB(c);
    Barrier(c, masks);
    ReadB(c);
    ExpectMessage(kReadAfterWrite);
    ExpectNothing();
  }
}
// BOTTOM_OF_PIPE waits for all stages, which suffices for a write after a read.
TEST_F(PositiveSyncBarrier, ExecutionAloneOrdersAWriteAfterARead) {
  for (const Masks& masks : {Masks{kCopy, 0, kClear, 0}, Masks{VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, 0, kClear, 0},
                             Masks{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, 0}}) {
    SCOPED_TRACE(ToString(masks));
    VkCommandBuffer c = Begun();
    ReadB(c);
    Barrier(c, masks);
    Fill(c, b_);
    ExpectNothing();
  }
}
TEST_F(NegativeSyncBarrier, ExecutionAloneDoesNotOrderAfterAWrite) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Barrier(c, {kCopy, 0, kCopy, 0});
  ReadB(c);
  ExpectMessage(kReadAfterWrite);
}

TEST_F(PositiveSyncBarrier, BufferRange) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  BufferBarrier(c, kWriteToRead, b_, 64, 64);
  Copy(c, b_, c_, {64, 0, 64});
  BufferBarrier(c, kWriteToRead, b_);
  Copy(c, b_, c_, {128, 64, 128});
}
TEST_F(NegativeSyncBarrier, BufferRange) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  BufferBarrier(c, kWriteToRead, b_, 64, 64);
  BufferBarrier(c, kWriteToRead, a_);
  Copy(c, b_, c_, {63, 0, 64});
  ExpectMessage(kReadAfterWrite);
  Copy(c, b_, c_, {127, 128, 2});
  ExpectMessage(kReadAfterWrite);
}
// The execution dependency is not limited to the range.
TEST_F(PositiveSyncBarrier, AnyBufferBarrierOrdersExecution) {
  VkCommandBuffer c = Begun();
  ReadB(c);
  BufferBarrier(c, {kCopy, 0, kClear, 0}, a_, 0, 4);
  Fill(c, b_);
}

TEST_F(PositiveSyncBarrier, Chain) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Barrier(c, {kCopy, kWrite, kCompute, kStorageRead});
  Barrier(c, {kCompute, 0, kCopy, kRead});
  ReadB(c);
}
TEST_F(NegativeSyncBarrier, BrokenChain) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Barrier(c, {kCopy, kWrite, kCompute, kStorageRead});
  Barrier(c, {kClear, 0, kCopy, kRead});
  ReadB(c);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncBarrier, BarriersOfOneCommandDoNotChain) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Barriers(c, {MemoryBarrier({kCopy, kWrite, kCompute, kStorageRead}), MemoryBarrier({kCompute, 0, kCopy, kRead})}, {},
           {});
  ReadB(c);
  ExpectMessage(kReadAfterWrite);
}
// Each barrier of a synchronization2 command is a dependency of its own. All barriers of a sync1 command are one.
TEST_F(NegativeSyncBarrier, ScopesOfSeveralBarriers) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Barriers(c, {MemoryBarrier({kCopy, kWrite, kCopy, 0}), MemoryBarrier({kCopy, 0, kCopy, kRead})}, {}, {});
  ReadB(c);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncBarrier, ScopesOfSeveralSync1Barriers) {
  VkMemoryBarrier barriers[] = {{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT, 0},
                                {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, 0, VK_ACCESS_TRANSFER_READ_BIT}};
  VkBufferMemoryBarrier of_buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                     .buffer = b_,
                                     .size = VK_WHOLE_SIZE};
  for (bool global : {true, false}) {
    VkCommandBuffer c = Begun();
    WriteB(c);
    vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, global ? 2 : 1,
                          barriers, global ? 0 : 1, &of_buffer, 0, nullptr);
    ReadB(c);
    ExpectNothing();
  }
}
TEST_F(PositiveSyncBarrier, NoBarrierAtAllOrdersExecution) {
  VkCommandBuffer c = Begun();
  ReadB(c);
  vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 0,
                        nullptr);
  Fill(c, b_);
}

// A read orders accesses after a barrier behind it with the write that it read.
TEST_F(PositiveSyncBarrier, WriteAfterReadAfterWrite) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Barrier(c, kWriteToRead);
  ReadB(c);
  Barrier(c, {kCopy, 0, kClear, 0});
  Fill(c, b_);
}

}  // namespace
}  // namespace assay::syncval
