// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Submissions whose order depends on what is not seen: payloads that are shared outside of the device, device groups.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

class SyncExternalPayload : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    a_ = MakeBuffer(64);
    b_ = MakeBuffer(64);
    c_ = MakeBuffer(64);
  }
  VkCommandBuffer CopyCommands(VkBuffer from, VkBuffer to, uint32_t family = 0) {
    return Record([&](VkCommandBuffer commands) { Copy(commands, from, to); }, family);
  }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value = 0,
                                  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, stages, 0};
  }
  void Import(VkSemaphore semaphore) {
    const VkImportSemaphoreFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                             .semaphore = semaphore,
                                             .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
                                             .fd = 1};
    vk.ImportSemaphoreFdKHR(device, &info);
  }
  VkSemaphore MakeImported() {
    VkSemaphore semaphore = MakeSemaphore();
    Import(semaphore);
    return semaphore;
  }
  // One command buffer on several devices of a group.
  void SubmitToDevices(VkCommandBuffer commands, uint32_t device_mask) {
    const VkCommandBufferSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = commands, .deviceMask = device_mask};
    const VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .commandBufferInfoCount = 1, .pCommandBufferInfos = &info};
    vk.QueueSubmit2(Queue(), 1, &submit, VK_NULL_HANDLE);
  }
  Buffer a_, b_, c_;
};
class PositiveSyncExternalPayload : public SyncExternalPayload {};
class NegativeSyncExternalPayload : public SyncExternalPayload {};

// The wait may be for anything that was submitted before it.
TEST_F(PositiveSyncExternalPayload, WaitOrdersWhatWasSubmittedBefore) {
  VkSemaphore imported = MakeImported();
  Submit(Queue(0), {CopyCommands(a_, b_)});
  Submit(Queue(2), {CopyCommands(b_, c_, 2)}, {.waits = {At(imported)}});
}
TEST_F(PositiveSyncExternalPayload, WaitOnTheSameQueue) {
  VkSemaphore imported = MakeImported();
  Submit(Queue(), {CopyCommands(a_, b_)});
  Submit(Queue(), {CopyCommands(b_, c_)}, {.waits = {At(imported)}});
}
// What waits for the waiting batch is after all of that too.
TEST_F(PositiveSyncExternalPayload, ThroughAnotherQueue) {
  VkSemaphore imported = MakeImported(), semaphore = MakeSemaphore();
  Submit(Queue(0), {CopyCommands(a_, b_)});
  Submit(Queue(1), {}, {.waits = {At(imported)}, .signals = {At(semaphore)}});
  Submit(Queue(2), {CopyCommands(b_, c_, 2)}, {.waits = {At(semaphore)}});
}
// The signal of a shared timeline may be submitted after the wait for it.
TEST_F(PositiveSyncExternalPayload, SharedTimelineIsSignalledLater) {
  VkSemaphore timeline = MakeTimeline();
  Import(timeline);
  Submit(Queue(2), {CopyCommands(b_, c_, 2)}, {.waits = {At(timeline, 1)}});
  Submit(Queue(0), {CopyCommands(a_, b_)}, {.signals = {At(timeline, 1)}});
}
// Work of the queue that does not wait is in no order with what was before.
TEST_F(NegativeSyncExternalPayload, OtherQueueDoesNotWait) {
  VkSemaphore imported = MakeImported();
  Submit(Queue(0), {CopyCommands(a_, b_)});
  Submit(Queue(2), {}, {.waits = {At(imported)}});
  ExpectNothing();
  Submit(Queue(0), {CopyCommands(b_, c_)});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncExternalPayload, WaitsAtAnotherStage) {
  VkSemaphore imported = MakeImported();
  Submit(Queue(), {CopyCommands(a_, b_)});
  Submit(Queue(), {CopyCommands(b_, c_)}, {.waits = {At(imported, 0, kCompute)}});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncExternalPayload, WorkAfterTheWait) {
  VkSemaphore imported = MakeImported();
  Submit(Queue(2), {}, {.waits = {At(imported)}});
  Submit(Queue(0), {CopyCommands(a_, b_)});
  ExpectNothing();
  Submit(Queue(2), {CopyCommands(b_, c_, 2)});
  ExpectMessage("SYNC-HAZARD-READ-RACING-WRITE");
}

// The other devices have other memory, so what they do is left out; its barriers may order what the queue has done.
TEST_F(PositiveSyncExternalPayload, CommandsOfSeveralDevices) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  SubmitToDevices(CopyCommands(b_, c_), 3);
  Submit(Queue(), {CopyCommands(b_, c_)});
}
TEST_F(NegativeSyncExternalPayload, CommandsOfSeveralDevicesOrderNoOtherQueue) {
  Submit(Queue(2), {CopyCommands(a_, b_, 2)});
  SubmitToDevices(CopyCommands(a_, c_), 3);
  ExpectNothing();
  Submit(Queue(2), {CopyCommands(b_, MakeBuffer(64), 2)});
  ExpectMessage(kReadAfterWrite);
}

// The host may have learnt from an exported payload that the copy is complete, and be recording its command buffer
// anew. The report says nothing of what is recorded there.
TEST_F(NegativeSyncExternalPayload, CommandBufferThatMayBeRecordedAnew) {
  VkFence fence = MakeFence();
  Submit(Queue(), {CopyCommands(a_, b_)}, {.fence = fence});
  const VkFenceGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR,
                                    .fence = fence,
                                    .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
  int fd = -1;
  vk.GetFenceFdKHR(device, &info, &fd);
  ExpectNothing();
  Submit(Queue(), {Record([&](VkCommandBuffer commands) { Fill(commands, b_); })});
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_EQ(message.text.find("vkCmdCopyBuffer"), std::string::npos) << message.text;
}

}  // namespace
}  // namespace assay::syncval
