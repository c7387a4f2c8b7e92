// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events that another command buffer or the host sets.

#include "syncval/commands/event_test.h"

namespace assay::syncval {
namespace {

class NegativeSyncEvent : public SyncEvent {};
class PositiveSyncEvent : public SyncEvent {};

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
// The specification does not permit a wait on another queue, and the wait orders nothing.
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

// The host may have waited for anything before it sets the event.
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
// The host waits for the other queue, then sets the event.
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
// After the wait, queues are compared again.
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

}  // namespace
}  // namespace assay::syncval
