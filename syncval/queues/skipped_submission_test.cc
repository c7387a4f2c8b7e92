// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Submissions that a callback skips because of their hazards, or that the driver fails. They leave nothing: the same
// mistake is reported again with the same text, and correct work is silent.

#include <string>
#include <string_view>

#include "syncval/fixture/sync_test.h"
#include "vk/commands.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr Masks kCopyToCopy = {kCopy, kWrite, kCopy, kRead | kWrite};
constexpr Masks kEverything = {kAll, VK_ACCESS_2_MEMORY_WRITE_BIT, kAll,
                               VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

// Batches are numbered on, also after one that was skipped.
std::string WithoutBatchNumbers(const std::string& text) {
  constexpr std::string_view kBatch = "batch ";
  std::string without;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_number = std::string_view(without).ends_with(kBatch) && text[i] >= '0' && text[i] <= '9';
    if (!is_number) without += text[i];
  }
  return without;
}

class SyncSkippedSubmission : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    for (Buffer* buffer : {&a_, &b_, &c_, &d_}) *buffer = MakeBuffer(64);
  }
  VkCommandBuffer CopyCommands(VkBuffer from, VkBuffer to, uint32_t family = 0) {
    return Record([&](VkCommandBuffer commands) { Copy(commands, from, to); }, family);
  }
  VkCommandBuffer FillCommands(VkBuffer buffer, uint32_t family = 0) {
    return Record([&](VkCommandBuffer commands) { Fill(commands, buffer); }, family);
  }
  VkCommandBuffer BarrierAndCopyCommands(VkBuffer from, VkBuffer to) {
    return Record([&](VkCommandBuffer commands) {
      Barrier(commands, kCopyToCopy);
      Copy(commands, from, to);
    });
  }
  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value = 0) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, kAll, 0};
  }
  // Submits something with this hazard, which a callback skips. Returns the message's text.
  std::string Skip(VkQueue queue, VkCommandBuffer commands, const char* hazard, const SubmitOptions& options = {}) {
    messages.set_callback_result(VK_TRUE);
    EXPECT_EQ(Submit(queue, {commands}, options), VK_ERROR_VALIDATION_FAILED_EXT);
    messages.set_callback_result(VK_FALSE);
    return ExpectMessage(hazard).text;
  }
  VkResult HostSignal(VkSemaphore semaphore, uint64_t value) {
    VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    return vk.SignalSemaphore(device, &info);
  }
  Buffer a_, b_, c_, d_;
};
class NegativeSyncSkippedSubmission : public SyncSkippedSubmission {};
class PositiveSyncSkippedSubmission : public SyncSkippedSubmission {};

TEST_F(NegativeSyncSkippedSubmission, IsReportedAgain) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  VkCommandBuffer copy = CopyCommands(b_, c_);
  const std::string first = Skip(Queue(), copy, kReadAfterWrite);
  const std::string second = Skip(Queue(), copy, kReadAfterWrite);
  EXPECT_EQ(WithoutBatchNumbers(second), WithoutBatchNumbers(first));
}
TEST_F(PositiveSyncSkippedSubmission, CorrectWorkAfterIt) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  Skip(Queue(), CopyCommands(b_, c_), kReadAfterWrite);
  Submit(Queue(), {BarrierAndCopyCommands(b_, d_)});
  // What it would have written was not written.
  Submit(Queue(), {FillCommands(c_)});
}
// Its barriers order nothing either.
TEST_F(NegativeSyncSkippedSubmission, Barrier) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Copy(c, b_, c_);
    Barrier(c, kEverything);
  });
  Skip(Queue(), commands, kReadAfterWrite);
  Submit(Queue(), {CopyCommands(b_, d_)});
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncSkippedSubmission, WaitIsStillPending) {
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {CopyCommands(a_, b_)}, {.signals = {At(semaphore)}});
  Submit(Queue(), {FillCommands(d_)});
  Skip(Queue(0, 1), FillCommands(d_), "SYNC-HAZARD-WRITE-RACING-WRITE", {.waits = {At(semaphore)}});
  Submit(Queue(0, 1), {CopyCommands(b_, c_)}, {.waits = {At(semaphore)}});
}
TEST_F(NegativeSyncSkippedSubmission, ItsWaitOrdersNothing) {
  VkSemaphore semaphore = MakeSemaphore();
  Submit(Queue(), {CopyCommands(a_, b_)}, {.signals = {At(semaphore)}});
  Submit(Queue(), {FillCommands(d_)});
  Skip(Queue(0, 1), FillCommands(d_), "SYNC-HAZARD-WRITE-RACING-WRITE", {.waits = {At(semaphore)}});
  Submit(Queue(0, 1), {CopyCommands(b_, c_)});
  ExpectMessage("SYNC-HAZARD-READ-RACING-WRITE");
}
TEST_F(PositiveSyncSkippedSubmission, FenceIsStillUnsignaled) {
  VkFence fence = MakeFence();
  Submit(Queue(), {CopyCommands(a_, b_)});
  Skip(Queue(), CopyCommands(b_, c_), kReadAfterWrite, {.fence = fence});
  Submit(Queue(), {BarrierAndCopyCommands(b_, c_)}, {.fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
  Submit(Queue(), {FillCommands(b_), FillCommands(c_)});
}

// A batch that a skipped submission would have released is held again.
TEST_F(PositiveSyncSkippedSubmission, HoldsBatches) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(2), {CopyCommands(b_, c_, 2)}, {.waits = {At(timeline, 1)}});
  VkCommandBuffer fill = FillCommands(d_);
  Submit(Queue(), {fill});
  Skip(Queue(), fill, kWriteAfterWrite, {.signals = {At(timeline, 1)}});
  Submit(Queue(), {CopyCommands(a_, b_)}, {.signals = {At(timeline, 1)}});
}
TEST_F(NegativeSyncSkippedSubmission, HostSignal) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(2), {FillCommands(a_, 2)}, {.waits = {At(timeline, 1)}});
  Submit(Queue(), {FillCommands(a_)});
  std::string texts[2];
  for (std::string& text : texts) {
    messages.set_callback_result(VK_TRUE);
    EXPECT_EQ(HostSignal(timeline, 1), VK_ERROR_VALIDATION_FAILED_EXT);
    messages.set_callback_result(VK_FALSE);
    text = ExpectMessage("SYNC-HAZARD-WRITE-RACING-WRITE").text;
  }
  EXPECT_EQ(texts[1], texts[0]);
}
TEST_F(PositiveSyncSkippedSubmission, HostSignal) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(2), {FillCommands(a_, 2)}, {.waits = {At(timeline, 1)}});
  Submit(Queue(), {FillCommands(a_)});
  messages.set_callback_result(VK_TRUE);
  HostSignal(timeline, 1);
  messages.set_callback_result(VK_FALSE);
  ExpectMessage("SYNC-HAZARD-WRITE-RACING-WRITE");
  vk.QueueWaitIdle(Queue());
  HostSignal(timeline, 1);
}

TEST_F(NegativeSyncSkippedSubmission, FailedByTheDriver) {
  Submit(Queue(), {CopyCommands(a_, b_)});
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(Submit(Queue(), {BarrierAndCopyCommands(b_, c_)}), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  Submit(Queue(), {CopyCommands(b_, d_)});
  ExpectMessage(kReadAfterWrite);
}

}  // namespace
}  // namespace assay::syncval
