// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What events order and what they do not.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr Masks kWriteToRead = {kCopy, kWrite, kCopy, kRead};

class SyncEvent : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    event_ = MakeEvent();
    a_ = MakeBuffer(256);
    b_ = MakeBuffer(256);
    c_ = MakeBuffer(256);
  }
  void WriteB(VkCommandBuffer commands) { Copy(commands, a_, b_, {0, 0, 256}); }
  void ReadB(VkCommandBuffer commands) { Copy(commands, b_, c_, {0, 0, 256}); }

  // The second generation.
  void Set(VkCommandBuffer commands, const Masks& masks, VkEvent event) {
    VkMemoryBarrier2 barrier = MemoryBarrier(masks);
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
    vk.CmdSetEvent2(commands, event, &info);
  }
  void Wait(VkCommandBuffer commands, const Masks& masks, VkEvent event) {
    VkMemoryBarrier2 barrier = MemoryBarrier(masks);
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
    vk.CmdWaitEvents2(commands, 1, &event, &info);
  }
  void Set(VkCommandBuffer commands) { Set(commands, kWriteToRead, event_); }
  void Wait(VkCommandBuffer commands) { Wait(commands, kWriteToRead, event_); }

  // The first.
  void Wait1(VkCommandBuffer commands, std::vector<VkEvent> events, VkPipelineStageFlags src_stages,
             VkAccessFlags src_access, VkPipelineStageFlags dst_stages, VkAccessFlags dst_access) {
    VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, src_access, dst_access};
    vk.CmdWaitEvents(commands, static_cast<uint32_t>(events.size()), events.data(), src_stages, dst_stages, 1, &barrier,
                     0, nullptr, 0, nullptr);
  }
  VkCommandBuffer Secondary(const std::function<void(VkCommandBuffer)>& commands) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    Begin(secondary);
    commands(secondary);
    End(secondary);
    return secondary;
  }
  VkEvent event_ = VK_NULL_HANDLE;
  Buffer a_, b_, c_;
};
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
// More than the engine has stages for.
TEST_F(PositiveSyncEvent, ManyEvents) {
  VkCommandBuffer c = Begun();
  std::vector<Buffer> buffers;
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
TEST_F(NegativeSyncEvent, NotSetHere) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Wait(c);
  ReadB(c);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("orders nothing here"), std::string::npos) << message.text;
}

class SyncEventTransition : public SyncEvent {
 protected:
  void SetUp() override {
    SyncEvent::SetUp();
    image_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  }
  // The set and the wait of a dependency.
  void Set(VkCommandBuffer c, VkImageMemoryBarrier2 barrier) {
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdSetEvent2(c, event_, &info);
  }
  void Wait(VkCommandBuffer c, VkImageMemoryBarrier2 barrier) {
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
    vk.CmdWaitEvents2(c, 1, &event_, &info);
  }
  VkImageMemoryBarrier2 ToSource(const Masks& masks) {
    return ImageBarrier(masks, image_, image_.Range(), VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  }
  void CopyOut(VkCommandBuffer c) {
    VkBufferImageCopy region = {.imageSubresource = image_.Layers(), .imageExtent = {8, 8, 1}};
    vk.CmdCopyImageToBuffer(c, image_, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, b_, 1, &region);
  }
  static constexpr Masks kClearToCopy = {kClear, kWrite, kCopy, kRead};
  Image image_;
};
class NegativeSyncEventTransition : public SyncEventTransition {};
class PositiveSyncEventTransition : public SyncEventTransition {};

TEST_F(PositiveSyncEventTransition, AtTheWait) {
  VkCommandBuffer c = Begun();
  Clear(c, image_, image_.Range());
  Set(c, ToSource(kClearToCopy));
  Wait(c, ToSource(kClearToCopy));
  CopyOut(c);
}
TEST_F(NegativeSyncEventTransition, AfterTheSet) {
  VkCommandBuffer c = Begun();
  Set(c, ToSource(kClearToCopy));
  Clear(c, image_, image_.Range());
  Wait(c, ToSource(kClearToCopy));
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("pDependencyInfos[0]"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("To fix"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("Set VkEvent"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncEventTransition, LacksABit) {
  VkCommandBuffer c = Begun();
  Clear(c, image_, image_.Range());
  Set(c, ToSource({kClear, 0, kCopy, kRead}));
  Wait(c, ToSource({kClear, 0, kCopy, kRead}));
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_NE(message.text.find("and the set of its event, set srcAccessMask |= VK_ACCESS_2_TRANSFER_WRITE_BIT"),
            std::string::npos)
      << message.text;
}
TEST_F(PositiveSyncEventTransition, Sync1) {
  VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                  .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                  .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .image = image_,
                                  .subresourceRange = image_.Range()};
  VkEvent events[] = {event_, MakeEvent()};
  VkCommandBuffer c = Begun();
  vk.CmdSetEvent(c, events[1], kTransfer);
  Clear(c, image_, image_.Range());
  vk.CmdSetEvent(c, events[0], kTransfer);
  // The layout changes once, for both events together.
  vk.CmdWaitEvents(c, 2, events, kTransfer, kTransfer, 0, nullptr, 0, nullptr, 1, &barrier);
  CopyOut(c);
}
// Nothing of the skipped wait is there.
TEST_F(NegativeSyncEventTransition, SkippedWait) {
  VkCommandBuffer c = Begun();
  Clear(c, image_, image_.Range());
  Set(c, ToSource({kClear, 0, kCopy, kRead}));
  messages.set_callback_result(VK_TRUE);
  Wait(c, ToSource({kClear, 0, kCopy, kRead}));
  ExpectMessage(kWriteAfterWrite);
  messages.set_callback_result(VK_FALSE);
  Barriers(c, {}, {}, {ToSource(kClearToCopy)});
  CopyOut(c);
}

TEST_F(PositiveSyncEvent, SetAndWaitInSecondaries) {
  VkCommandBuffer write = Secondary([&](VkCommandBuffer c) {
    WriteB(c);
    Set(c);
  });
  VkCommandBuffer read = Secondary([&](VkCommandBuffer c) {
    Wait(c);
    ReadB(c);
  });
  VkCommandBuffer both[] = {write, read};
  VkCommandBuffer c = Begun();
  vk.CmdExecuteCommands(c, 2, both);
  End(c);
}
TEST_F(NegativeSyncEvent, WaitInASecondary) {
  VkCommandBuffer read = Secondary([&](VkCommandBuffer c) {
    Wait(c);
    ReadB(c);
  });
  VkCommandBuffer c = Begun();
  Set(c);
  WriteB(c);
  vk.CmdExecuteCommands(c, 1, &read);
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("orders what comes before that event's set (command 1, vkCmdSetEvent2())"),
            std::string::npos)
      << message.text;
}
TEST_F(PositiveSyncEvent, AcrossCommandBuffers) {
  VkCommandBuffer write = Record([&](VkCommandBuffer c) {
    WriteB(c);
    Set(c);
  });
  VkCommandBuffer between = Record([&](VkCommandBuffer c) { Fill(c, c_); });
  VkCommandBuffer read = Record([&](VkCommandBuffer c) {
    Wait(c);
    Copy(c, b_, a_, {0, 128, 128});
    vk.CmdResetEvent2(c, event_, kCopy);
  });
  Submit(Queue(), {write, between});
  Submit(Queue(), {read});
}
TEST_F(NegativeSyncEvent, AcrossCommandBuffers) {
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Set(c);
           WriteB(c);
         })});
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Wait(c);
           ReadB(c);
         })});
  const test::Message message = ExpectMessage(kReadAfterWrite);
  EXPECT_NE(message.text.find("(command 1, vkCmdSetEvent2() of VkCommandBuffer"), std::string::npos) << message.text;
}
// The specification does not permit it, and it orders nothing.
TEST_F(NegativeSyncEvent, AcrossQueues) {
  Submit(Queue(0), {Record([&](VkCommandBuffer c) {
           WriteB(c);
           Set(c);
         })});
  Submit(Queue(0, 1), {Record([&](VkCommandBuffer c) {
           Wait(c);
           ReadB(c);
         })});
  ExpectMessage("SYNC-HAZARD-READ-RACING-WRITE");
}

constexpr Masks kHostToCopy = {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_WRITE_BIT, kCopy, kRead};

// What the host waited for before is not known.
TEST_F(PositiveSyncEvent, SetByTheHost) {
  VkCommandBuffer c = Begun();
  WriteB(c);
  Wait(c, kHostToCopy, event_);
  ReadB(c);
  Wait1(c, {event_}, VK_PIPELINE_STAGE_HOST_BIT, 0, kTransfer, 0);
  WriteB(c);
  End(c);
}
TEST_F(NegativeSyncEvent, SetByTheHostWithoutItsStage) {
  vk.SetEvent(device, event_);
  VkCommandBuffer c = Begun();
  WriteB(c);
  Wait(c);
  ReadB(c);
  ExpectMessage(kReadAfterWrite);
}
// The host waits for the other queue, and lets this one go on.
TEST_F(PositiveSyncEvent, HostBetweenQueues) {
  VkCommandBuffer waits = Record([&](VkCommandBuffer c) {
    Wait(c, kHostToCopy, event_);
    ReadB(c);
  });
  VkFence fences[] = {MakeFence(), MakeFence()}, other_fence = MakeFence();
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { WriteB(c); }, 2)}, {.fence = fences[0]});
  Submit(Queue(0), {waits}, {.fence = other_fence});
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { Fill(c, c_); }, 2)}, {.fence = fences[1]});
  vk.WaitForFences(device, 2, fences, VK_TRUE, ~0ull);
  vk.SetEvent(device, event_);
  vk.WaitForFences(device, 1, &other_fence, VK_TRUE, ~0ull);
}
// Once that is over, queues are compared again.
TEST_F(NegativeSyncEvent, QueuesAfterTheHostSetTheEvent) {
  VkFence fence = MakeFence();
  Submit(Queue(0), {Record([&](VkCommandBuffer c) { Wait(c, kHostToCopy, event_); })}, {.fence = fence});
  vk.SetEvent(device, event_);
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { WriteB(c); }, 2)});
  Submit(Queue(0), {Record([&](VkCommandBuffer c) { ReadB(c); })});
  ExpectMessage("SYNC-HAZARD-READ-RACING-WRITE");
}
TEST_F(PositiveSyncEvent, StatusSeenByTheHost) {
  Submit(Queue(0), {Record([&](VkCommandBuffer c) {
           WriteB(c);
           Set(c);
         })});
  while (vk.GetEventStatus(device, event_) != VK_EVENT_SET) vk.SetEvent(device, event_);
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { ReadB(c); }, 2)});
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
