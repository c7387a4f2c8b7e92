// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses through descriptors that are updated until the command buffer is submitted.

#include "syncval/queues/late_access_test.h"

#include <malloc.h>

#include "syncval/shaders/storage_image_read.h"

namespace assay::syncval {
namespace {

class NegativeSyncLateAccess : public SyncLateAccess {};
class PositiveSyncLateAccess : public SyncLateAccess {};

TEST_F(NegativeSyncLateAccess, UpdatedAfterRecording) {
  const Compute reader = MakeReader();
  WriteStorage(reader, 0, other_);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Dispatch(c, reader);
  End(c);
  ExpectNothing();
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("vkCmdDispatch()"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("vkCmdFillBuffer()"), std::string::npos) << message.text;
  const Masks fix = ParseFix(message.text);
  EXPECT_EQ(fix.src_stages, kClear) << message.text;
  EXPECT_EQ(fix.dst_stages, kCompute) << message.text;
  EXPECT_EQ(fix.dst_access, kStorageRead) << message.text;
}
TEST_F(PositiveSyncLateAccess, AfterABarrier) {
  const Compute reader = MakeReader();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Barrier(c, kFillToRead);
  Dispatch(c, reader);
  End(c);
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
}
TEST_F(NegativeSyncLateAccess, BarrierForAnotherBuffer) {
  const Compute reader = MakeReader();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Fill(c, other_);
  BufferBarrier(c, kFillToRead, other_);
  Dispatch(c, reader);
  End(c);
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncLateAccess, BarrierForTheBuffer) {
  const Compute reader = MakeReader();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  BufferBarrier(c, kFillToRead, buffer_);
  Dispatch(c, reader);
  End(c);
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
}
// The barrier comes too late, or is before what it should order.
TEST_F(NegativeSyncLateAccess, BarrierElsewhere) {
  const Compute reader = MakeReader();
  VkCommandBuffer c = Begun();
  Barrier(c, kFillToRead);
  Fill(c, buffer_);
  Dispatch(c, reader);
  Barrier(c, kFillToRead);
  End(c);
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncLateAccess, UpdatedToAnotherBuffer) {
  const Compute reader = MakeReader();
  WriteStorage(reader, 0, buffer_);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Dispatch(c, reader);
  End(c);
  WriteStorage(reader, 0, other_);
  Submit(Queue(), {c});
}

// What a submission found does not count for the next one.
TEST_F(NegativeSyncLateAccess, OtherContentsAtTheNextSubmission) {
  const Compute reader = MakeReader();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Dispatch(c, reader);
  End(c);
  const auto submit_with = [&](VkBuffer buffer) {
    WriteStorage(reader, 0, buffer);
    Submit(Queue(), {c});
    vk.QueueWaitIdle(Queue());
  };
  submit_with(other_);
  ExpectNothing();
  submit_with(buffer_);
  ExpectMessage(kReadAfterWrite);
  submit_with(other_);
  ExpectNothing();
}

TEST_F(NegativeSyncLateAccess, BeforeAnotherCommand) {
  const Compute writer = MakeWriter();
  VkCommandBuffer c = Begun();
  Dispatch(c, writer);
  Copy(c, buffer_, other_);
  End(c);
  WriteStorage(writer, 0, buffer_);
  Submit(Queue(), {c});
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_EQ(ParseFix(message.text).src_access, kStorageWrite) << message.text;
}
TEST_F(PositiveSyncLateAccess, BarrierBeforeAnotherCommand) {
  const Compute writer = MakeWriter();
  VkCommandBuffer c = Begun();
  Dispatch(c, writer);
  Barrier(c, {kCompute, kStorageWrite, kCopy, kRead});
  Copy(c, buffer_, other_);
  End(c);
  WriteStorage(writer, 0, buffer_);
  Submit(Queue(), {c});
}
TEST_F(NegativeSyncLateAccess, Twice) {
  const Compute writer = MakeWriter();
  VkCommandBuffer c = Begun();
  Dispatch(c, writer);
  Dispatch(c, writer);
  End(c);
  WriteStorage(writer, 0, buffer_);
  Submit(Queue(), {c});
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncLateAccess, TwiceWithABarrier) {
  const Compute writer = MakeWriter();
  VkCommandBuffer c = Begun();
  Dispatch(c, writer);
  Barrier(c, kWriteToWrite);
  Dispatch(c, writer);
  End(c);
  WriteStorage(writer, 0, buffer_);
  Submit(Queue(), {c});
}
// The second read is another access than the first.
TEST_F(NegativeSyncLateAccess, BetweenEqualReads) {
  const Compute reader = MakeReader(), writer = MakeWriter();
  VkCommandBuffer c = Begun();
  Dispatch(c, reader);
  Dispatch(c, writer);
  Dispatch(c, reader);
  End(c);
  ExpectNothing();
  WriteStorage(reader, 0, buffer_);
  WriteStorage(writer, 0, buffer_);
  Submit(Queue(), {c});
  ExpectMessages({kWriteAfterRead, kReadAfterWrite});
}
TEST_F(PositiveSyncLateAccess, BetweenEqualReads) {
  const Compute reader = MakeReader(), writer = MakeWriter();
  VkCommandBuffer c = Begun();
  for (int i = 0; i < 3; ++i) {
    Dispatch(c, reader);
    Barrier(c, {kCompute, 0, kCompute, 0});
    Dispatch(c, writer);
    Barrier(c, {kCompute, kStorageWrite, kCompute, kStorageRead | kStorageWrite});
  }
  End(c);
  WriteStorage(reader, 0, buffer_);
  WriteStorage(writer, 0, buffer_);
  Submit(Queue(), {c});
}
// What was found while recording is not reported again.
TEST_F(NegativeSyncLateAccess, OtherHazardsAreReportedOnce) {
  const Compute reader = MakeReader();
  WriteStorage(reader, 0, other_);
  VkCommandBuffer c = Begun();
  Dispatch(c, reader);
  Fill(c, buffer_);
  Copy(c, buffer_, MakeBuffer(64));
  ExpectMessage(kReadAfterWrite);
  End(c);
  Submit(Queue(), {c});
}

TEST_F(NegativeSyncLateAccess, BetweenSubmissions) {
  const Compute writer = MakeWriter();
  WriteStorage(writer, 0, buffer_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, writer); })});
  ExpectNothing();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Copy(c, buffer_, other_); })});
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("vkCmdDispatch()"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncLateAccess, AfterAnEarlierSubmission) {
  const Compute reader = MakeReader();
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Fill(c, buffer_); })});
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Dispatch(c, reader); })});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncLateAccess, BarrierBetweenSubmissions) {
  const Compute reader = MakeReader();
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Fill(c, buffer_); })});
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Barrier(c, kFillToRead);
           Dispatch(c, reader);
         })});
}
// A skipped submission leaves nothing: the next one is in the same order with what was before.
TEST_F(NegativeSyncLateAccess, SkippedSubmission) {
  const Compute writer = MakeWriter();
  WriteStorage(writer, 0, buffer_);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Fill(c, buffer_); })});
  VkCommandBuffer c = Record([&](VkCommandBuffer commands) { Dispatch(commands, writer); });
  {
    SkipCalls skip(*this);
    VkCommandBufferSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = c};
    VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .commandBufferInfoCount = 1, .pCommandBufferInfos = &info};
    vk.QueueSubmit2(Queue(), 1, &submit, VK_NULL_HANDLE);
    ExpectMessage(kWriteAfterWrite);
  }
  // The dispatch, which would conflict with the copy, has not happened.
  Submit(Queue(), {Record([&](VkCommandBuffer commands) {
           Barrier(commands, {kClear, kWrite, kCopy, kRead});
           Copy(commands, buffer_, other_);
         })});
}

TEST_F(NegativeSyncLateAccess, InASecondary) {
  const Compute reader = MakeReader();
  VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(secondary);
  Dispatch(secondary, reader);
  End(secondary);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  vk.CmdExecuteCommands(c, 1, &secondary);
  End(c);
  ExpectNothing();
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncLateAccess, BarrierInASecondary) {
  const Compute reader = MakeReader();
  VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(secondary);
  BufferBarrier(secondary, kFillToRead, buffer_);
  Dispatch(secondary, reader);
  End(secondary);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  vk.CmdExecuteCommands(c, 1, &secondary);
  End(c);
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
}

TEST_F(PositiveSyncLateAccess, AfterAnEvent) {
  const Compute reader = MakeReader();
  VkEvent event = MakeEvent();
  VkMemoryBarrier2 barrier = MemoryBarrier(kFillToRead);
  VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  vk.CmdSetEvent2(c, event, &info);
  vk.CmdWaitEvents2(c, 1, &event, &info);
  Dispatch(c, reader);
  End(c);
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
}
TEST_F(NegativeSyncLateAccess, EventSetTooEarly) {
  const Compute reader = MakeReader();
  VkEvent event = MakeEvent();
  VkMemoryBarrier2 barrier = MemoryBarrier(kFillToRead);
  VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
  VkCommandBuffer c = Begun();
  vk.CmdSetEvent2(c, event, &info);
  Fill(c, buffer_);
  vk.CmdWaitEvents2(c, 1, &event, &info);
  Dispatch(c, reader);
  End(c);
  WriteStorage(reader, 0, buffer_);
  Submit(Queue(), {c});
  ExpectMessage(kReadAfterWrite);
}

// The layout transition of an image that a late access reads.
class SyncLateAccessTransition : public SyncLateAccess {
 protected:
  void Transition(VkPipelineStageFlags2 src_stages) {
    const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
    const Compute compute =
        MakeLateCompute(MakeLateLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_ALL, nullptr},
                                        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, nullptr}},
                                       kLate),
                        MakeShader(k_storage_image_read));
    VkCommandBuffer c = Begun();
    Dispatch(c, compute);
    Barriers(c, {}, {},
             {ImageBarrier({src_stages, 0, kCopy, kRead}, image, image.Range(), VK_IMAGE_LAYOUT_GENERAL,
                           VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)});
    End(c);
    WriteImage(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, MakeView(image), VK_IMAGE_LAYOUT_GENERAL);
    WriteStorage(compute, 1, other_);
    Submit(Queue(), {c});
  }
};
TEST_F(SyncLateAccessTransition, NotOrdered) {
  Transition(kCopy);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(SyncLateAccessTransition, Ordered) { Transition(kCompute); }

// A command buffer that is recorded and submitted again and again.
TEST_F(PositiveSyncLateAccess, MemoryDoesNotGrow) {
  const Compute reader = MakeReader();
  VkCommandBuffer c = MakeCommandBuffer();
  const auto record = [&](int rounds) {
    for (int round = 0; round < rounds; ++round) {
      Begin(c);
      for (int i = 0; i < 20; ++i) {
        Fill(c, buffer_);
        Barrier(c, kFillToRead);
        Dispatch(c, reader);
        Barrier(c, {kCompute, 0, kClear, 0});
      }
      End(c);
      WriteStorage(reader, 0, round % 2 == 0 ? buffer_ : other_);
      Submit(Queue(), {c});
      vk.QueueWaitIdle(Queue());
    }
  };
  record(50);
  const size_t before = mallinfo2().uordblks;
  record(500);
  EXPECT_LT(mallinfo2().uordblks, before + 100'000);
}

}  // namespace
}  // namespace assay::syncval
