// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// When the needs of submitted commands are looked at; queries have them here.

#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr char kUninitialized[] = "VUID-vkCmdCopyQueryPoolResults-None-09402";
constexpr char kUnavailable[] = "VUID-vkCmdCopyQueryPoolResults-None-08752";

class ContentsTest : public test::ValidationTest {
 protected:
  using Commands = std::function<void(VkCommandBuffer)>;

  test::DeviceOptions Options() override {
    return {.device_extensions = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME}, .settings = {{"validate_sync", false}}};
  }
  void SetUp() override {
    ValidationTest::SetUp();
    pool_ = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 70);
    buffer_ = MakeBuffer(1024);
    timeline_ = MakeTimeline();
  }
  void Reset(VkCommandBuffer c, uint32_t first = 0, uint32_t count = 4) {
    vk.CmdResetQueryPool(c, pool_, first, count);
  }
  void Write(VkCommandBuffer c, uint32_t query) {
    vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_, query);
  }
  void Copy(VkCommandBuffer c, uint32_t count = 4, VkQueryResultFlags flags = 0) {
    vk.CmdCopyQueryPoolResults(c, pool_, 0, count, buffer_, 0, 4, flags);
  }
  VkCommandBuffer CopyCommands() {
    return Record([&](VkCommandBuffer c) { Copy(c); });
  }
  void Run(const Commands& commands) { Submit(Queue(), {Record(commands)}); }
  // Submits a copy that waits for the timeline, so that its needs are looked at later.
  void SubmitHeldCopy() {
    Submit(Queue(), {CopyCommands()}, {.waits = {At(timeline_, 1)}});
    ExpectNothing();
  }

  VkQueryPool pool_ = VK_NULL_HANDLE;
  test::Buffer buffer_;
  VkSemaphore timeline_ = VK_NULL_HANDLE;
};
class NegativeContents : public ContentsTest {};
class PositiveContents : public ContentsTest {};

TEST_F(NegativeContents, NothingWasReset) {
  const VkCommandBuffer copy = CopyCommands();
  ExpectNothing();
  Submit(Queue(), {copy});
  EXPECT_THAT(ExpectMessage(kUninitialized).text,
              HasSubstr(", of which nothing has reset query 0 since it was created."));
  vk.DeviceWaitIdle(device);
  Submit(Queue(), {copy});
  ExpectMessage(kUninitialized);
}
TEST_F(NegativeContents, NotAllWereReset) {
  Run([&](VkCommandBuffer c) { Reset(c, 0, 66), Copy(c, 70); });
  EXPECT_THAT(ExpectMessage(kUninitialized).text, HasSubstr("nothing has reset query 66 since"));
}
TEST_F(PositiveContents, ResetInTheSameCommands) {
  Run([&](VkCommandBuffer c) { Reset(c), Copy(c); });
}
TEST_F(PositiveContents, ResetAfterTheRecording) {
  const VkCommandBuffer copy = CopyCommands();
  vk.ResetQueryPool(device, pool_, 0, 4);
  Submit(Queue(), {copy});
}
TEST_F(PositiveContents, ResetByAnEarlierCommandBuffer) {
  const VkCommandBuffer copy = CopyCommands();
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Reset(c); }), copy});
}

TEST_F(NegativeContents, WaitsForWhatNothingWrites) {
  Run([&](VkCommandBuffer c) {
    Reset(c);
    for (uint32_t query : {0, 1, 3}) Write(c, query);
    Copy(c, 4, VK_QUERY_RESULT_WAIT_BIT);
  });
  EXPECT_THAT(ExpectMessage(kUnavailable).text, HasSubstr("of which no command makes query 2 available."));
}
TEST_F(PositiveContents, WaitsForWhatAnotherWrites) {
  const VkCommandBuffer copy = Record([&](VkCommandBuffer c) { Copy(c, 1, VK_QUERY_RESULT_WAIT_BIT); });
  Run([&](VkCommandBuffer c) { Reset(c), Write(c, 0); });
  Submit(Queue(), {copy});
}
// The results of queries that are not available are not written.
TEST_F(PositiveContents, DoesNotWait) {
  Run([&](VkCommandBuffer c) { Reset(c), Copy(c, 4, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT); });
}

TEST_F(NegativeContents, InASecondary) {
  const VkCommandBuffer secondary = Record([&](VkCommandBuffer c) { Copy(c); }, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Run([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); });
  ExpectMessage(kUninitialized);
}

// What the first batch waits for is recorded after it was submitted.
TEST_F(PositiveContents, HeldBatch) {
  SubmitHeldCopy();
  Submit(Queue(1), {Record([&](VkCommandBuffer c) { Reset(c); }, 1)}, {.signals = {At(timeline_, 1)}});
}
TEST_F(NegativeContents, HeldBatch) {
  SubmitHeldCopy();
  Submit(Queue(1), {}, {.signals = {At(timeline_, 1)}});
  ExpectMessage(kUninitialized);
}
TEST_F(NegativeContents, SignaledByTheHost) {
  SubmitHeldCopy();
  HostSignal(timeline_, 1);
  ExpectMessage(kUninitialized);
}
TEST_F(NegativeContents, SignaledBySparseBinding) {
  SubmitHeldCopy();
  const uint64_t one = 1;
  const auto values = test::Of<VkTimelineSemaphoreSubmitInfo>(0u, nullptr, 1u, &one);
  const auto info =
      test::Typed(VkBindSparseInfo{.pNext = &values, .signalSemaphoreCount = 1, .pSignalSemaphores = &timeline_});
  vk.QueueBindSparse(Queue(0, 1), 1, &info, VK_NULL_HANDLE);
  ExpectMessage(kUninitialized);
}
TEST_F(NegativeContents, Sync1) {
  const VkCommandBuffer copy = CopyCommands();
  const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &copy};
  vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE);
  ExpectMessage(kUninitialized);
}
TEST_F(NegativeContents, Skipped) {
  const VkCommandBuffer copy = CopyCommands();
  {
    SkipCalls skip(*this);
    EXPECT_EQ(Submit(Queue(), {copy}), VK_ERROR_VALIDATION_FAILED_EXT);
    ExpectMessage(kUninitialized);
  }
  vk.ResetQueryPool(device, pool_, 0, 4);
  Submit(Queue(), {copy});
}

// The host may reset the queries before it sets the event.
TEST_F(PositiveContents, WaitsForAnEvent) {
  const VkEvent event = MakeEvent();
  vk.SetEvent(device, event);
  Run([&](VkCommandBuffer c) {
    vk.CmdWaitEvents(c, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, nullptr, 0, nullptr,
                     0, nullptr);
    Copy(c);
  });
}
// So may whoever shares the semaphore.
TEST_F(PositiveContents, WaitsForASharedSemaphore) {
  const VkSemaphore semaphore = MakeSemaphore();
  const auto import =
      test::Of<VkImportSemaphoreFdInfoKHR>(semaphore, 0u, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, 3);
  EXPECT_EQ(vk.ImportSemaphoreFdKHR(device, &import), VK_SUCCESS);
  Submit(Queue(), {CopyCommands()}, {.waits = {At(semaphore)}});
}

}  // namespace
}  // namespace assay::core
