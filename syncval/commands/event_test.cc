// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The order that events make within a command buffer.

#include "syncval/commands/event_test.h"

namespace assay::syncval {
namespace {

class NegativeSyncEvent : public SyncEvent {};
class PositiveSyncEvent : public SyncEvent {};

TEST_F(PositiveSyncEvent, SetAndWait) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Set(c);
  Wait(c);
  ReadB(c);
}
TEST_F(NegativeSyncEvent, AccessAfterTheSet) {
  SetName(VK_OBJECT_TYPE_EVENT, event_, "uploaded");
  VkCommandBuffer c = Begun();
  Set(c);
  WriteB(c);
  Wait(c);
  ReadB(c);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("[uploaded] (command 3, vkCmdWaitEvents2()) orders what comes before that event's set "
                              "(command 1, vkCmdSetEvent2())"),
            std::string::npos)
      << message.text;
  EXPECT_NE(message.text.find("[uploaded] after the earlier access."), std::string::npos) << message.text;
}
TEST_F(PositiveSyncEvent, WorkBetweenSetAndWait) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Set(c);
  Fill(c, c_);
  Wait(c);
  Copy(c, b_, MakeBuffer(256), {0, 0, 256});
}
TEST_F(NegativeSyncEvent, LacksABit) {
  for (const Masks& masks : WithoutEachBit(kWriteToRead)) {
    SCOPED_TRACE(ToString(masks));
    VkCommandBuffer c = Begun();
    WriteB(c);
    Set(c, masks, event_);
    Wait(c, masks, event_);
    ReadB(c);
    ExpectMessage(kReadAfterWrite);
    ExpectNothing();
  }
}
TEST_F(NegativeSyncEvent, NotWaitedFor) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Set(c);
  ReadB(c);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("is set between the two (command 2, vkCmdSetEvent2()), but not waited for"),
            std::string::npos)
      << message.text;
}
TEST_F(PositiveSyncEvent, BarrierWithoutWait) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Set(c);
  Barrier(c, kWriteToRead);
  ReadB(c);
}

TEST_F(PositiveSyncEvent, Sync1) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  vk.CmdSetEvent(c, event_, kTransfer);
  Wait1(c, {event_}, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer, VK_ACCESS_TRANSFER_READ_BIT);
  ReadB(c);
}
TEST_F(NegativeSyncEvent, Sync1LacksABit) {
  constexpr VkPipelineStageFlags kOther = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  const struct {
    VkPipelineStageFlags set;
    VkAccessFlags src_access;
    VkPipelineStageFlags dst;
    VkAccessFlags dst_access;
  } all[] = {
      {kOther, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer, VK_ACCESS_TRANSFER_READ_BIT},
      {kTransfer, 0, kTransfer, VK_ACCESS_TRANSFER_READ_BIT},
      {kTransfer, VK_ACCESS_TRANSFER_READ_BIT, kTransfer, VK_ACCESS_TRANSFER_READ_BIT},
      {kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kOther, VK_ACCESS_TRANSFER_READ_BIT},
      {kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer, 0},
  };
  for (const auto& masks : all) {
    VkCommandBuffer c = Begun();
    WriteB(c);
    vk.CmdSetEvent(c, event_, masks.set);
    Wait1(c, {event_}, masks.set, masks.src_access, masks.dst, masks.dst_access);
    ReadB(c);
    ExpectMessage(kReadAfterWrite);
    ExpectNothing();
  }
}
TEST_F(PositiveSyncEvent, Sync1WithoutBarriersOrdersExecution) {
  VkCommandBuffer c = Begun();
  ReadB(c);
  vk.CmdSetEvent(c, event_, kTransfer);
  vk.CmdWaitEvents(c, 1, &event_, kTransfer, kTransfer, 0, nullptr, 0, nullptr, 0, nullptr);
  Fill(c, b_);
}
TEST_F(PositiveSyncEvent, WideMasks) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  vk.CmdSetEvent(c, event_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  Wait1(c, {event_}, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        VK_ACCESS_MEMORY_READ_BIT);
  ReadB(c);
}

TEST_F(PositiveSyncEvent, SeveralInOneWait) {
  VkEvent other = MakeEvent();
  VkCommandBuffer c = Begun();
  WriteB(c);
  vk.CmdSetEvent(c, event_, kTransfer);
  Fill(c, c_);
  vk.CmdSetEvent(c, other, kTransfer);
  Wait1(c, {event_, other}, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer,
        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  ReadB(c);
}
TEST_F(NegativeSyncEvent, SeveralOfWhichOneIsNotWaitedFor) {
  VkEvent other = MakeEvent();
  VkCommandBuffer c = Begun();
  WriteB(c);
  vk.CmdSetEvent(c, event_, kTransfer);
  Fill(c, c_);
  vk.CmdSetEvent(c, other, kTransfer);
  Wait1(c, {event_}, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer,
        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  ReadB(c);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("comes after it"), std::string::npos) << message.text;
}
TEST_F(PositiveSyncEvent, WaitedForTwice) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  vk.CmdSetEvent(c, event_, kTransfer);
  Wait1(c, {event_}, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        VK_ACCESS_SHADER_READ_BIT);
  Wait1(c, {event_}, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer, VK_ACCESS_TRANSFER_READ_BIT);
  ReadB(c);
}
TEST_F(PositiveSyncEvent, SetAgain) {
  VkCommandBuffer c = Begun();
  Set(c);
  Wait(c);
  vk.CmdResetEvent2(c, event_, kCopy);
  WriteB(c);
  Set(c);
  Wait(c);
  ReadB(c);
}
TEST_F(NegativeSyncEvent, ResetAndNotSetAgain) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Set(c);
  vk.CmdResetEvent(c, event_, kTransfer);
  Wait(c);
  ReadB(c);
  ExpectMessage(kReadAfterWrite);
}
// More events than the engine has event stages.
TEST_F(PositiveSyncEvent, ManyEvents) {
  VkCommandBuffer c = Begun();
  std::vector<test::Buffer> buffers;
  std::vector<VkEvent> events;
  for (int i = 0; i < 40; ++i) {
    buffers.push_back(MakeBuffer(64));
    events.push_back(MakeEvent());
    Fill(c, buffers.back());
    Set(c, {kClear, kWrite, kCopy, kRead}, events.back());
  }
  for (size_t i = 0; i < events.size(); ++i) {
    Wait(c, {kClear, kWrite, kCopy, kRead}, events[i]);
    Copy(c, buffers[i], MakeBuffer(64));
  }
}
// A wait for one of many does not order what came after its set.
TEST_F(NegativeSyncEvent, ManyEvents) {
  VkCommandBuffer c = Begun();
  std::vector<test::Buffer> buffers;
  std::vector<VkEvent> events;
  for (int i = 0; i < 40; ++i) {
    buffers.push_back(MakeBuffer(64));
    events.push_back(MakeEvent());
    Fill(c, buffers.back());
    vk.CmdSetEvent(c, events.back(), kTransfer);
  }
  for (const size_t i : {size_t{3}, size_t{20}, size_t{38}}) {
    Wait1(c, {events[i]}, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kTransfer, VK_ACCESS_TRANSFER_READ_BIT);
    Copy(c, buffers[i], MakeBuffer(64));
    ExpectNothing();
    Copy(c, buffers[i + 1], MakeBuffer(64));
    ExpectMessage(kReadAfterWrite);
  }
}
TEST_F(NegativeSyncEvent, NotSetHere) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Wait(c);
  ReadB(c);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("orders nothing here"), std::string::npos) << message.text;
}

TEST_F(PositiveSyncEvent, NullArrays) {
  VkCommandBuffer c = Begun();
  for (const uint32_t count : {0u, 1u}) {
    vk.CmdWaitEvents(c, count, nullptr, 0, 0, 0, nullptr, 0, nullptr, 0, nullptr);
    vk.CmdWaitEvents2(c, count, nullptr, nullptr);
  }
  vk.CmdSetEvent(c, VK_NULL_HANDLE, 0);
  vk.CmdSetEvent2(c, event_, nullptr);
  vk.CmdResetEvent(c, VK_NULL_HANDLE, 0);
}

}  // namespace
}  // namespace assay::syncval
