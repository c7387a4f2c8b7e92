// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events through secondary command buffers and submissions, and while a queue has them in use.

#include "core/events/event_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr char kHostSets[] = "VUID-vkSetEvent-event-09543";
constexpr char kHostResets[] = "VUID-vkResetEvent-event-03821";
constexpr char kHostResets2[] = "VUID-vkResetEvent-event-03822";
constexpr char kOtherQueue[] = "VUID-vkQueueSubmit-pCommandBuffers-00065";
constexpr char kOtherQueue2[] = "VUID-vkQueueSubmit2-commandBuffer-03867";

TEST_F(NegativeEvent, InSecondaries) {
  const VkCommandBuffer set = Secondary([&](VkCommandBuffer c) { Reset(c), Set1(c); });
  const VkCommandBuffer wait = Secondary([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  Record([&](VkCommandBuffer c) {
    vk.CmdExecuteCommands(c, 1, &set);
    vk.CmdExecuteCommands(c, 1, &wait);
    EXPECT_THAT(ExpectMessage(kOtherStages).text, HasSubstr("vkCmdExecuteCommands(): pCommandBuffers[0] executes "
                                                            "vkCmdWaitEvents() of VkCommandBuffer"));
  });
  Run([&](VkCommandBuffer c) { Set1(c), vk.CmdExecuteCommands(c, 1, &wait); });
  ExpectMessage(kOtherStages);
}
TEST_F(PositiveEvent, InSecondaries) {
  const VkCommandBuffer both[] = {Secondary([&](VkCommandBuffer c) { Set1(c); }),
                                  Secondary([&](VkCommandBuffer c) { Wait1(c); })};
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 2, both), Reset(c); });
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    Submit(Queue(), {commands});
    vk.DeviceWaitIdle(device);
  }
}
TEST_F(NegativeEvent, InTheSameSubmission) {
  Submit(Queue(),
         {Record([&](VkCommandBuffer c) { Set2(c); }), Record([&](VkCommandBuffer c) { Wait2(c, kCompute); })});
  ExpectMessage(kOtherDependency);
}
TEST_F(NegativeEvent, InABatchThatTheHostLetsExecute) {
  const VkSemaphore timeline = MakeTimeline();
  Run([&](VkCommandBuffer c) { Set2(c); });
  Submit(Queue(), {Record([&](VkCommandBuffer c) { Wait2(c, kCompute); })},
         {.waits = {{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}}});
  ExpectNothing();
  const VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  vk.SignalSemaphore(device, &signal);
  ExpectMessage(kOtherDependency);
}
TEST_F(PositiveEvent, Rerecorded) {
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Wait2(c); });
  Begin(commands);
  End(commands);
  Submit(Queue(), {commands});
}
// The second set has no effect, and the specification does not say what the wait must match.
TEST_F(PositiveEvent, SetTwice) {
  Run([&](VkCommandBuffer c) { Set1(c), Set1(c, kCompute), Wait1(c, kTransfer | kCompute); });
  vk.SetEvent(device, other_);
  Run([&](VkCommandBuffer c) { vk.CmdSetEvent(c, other_, kTransfer), Wait1(c, {other_}, kHost); });
}
TEST_F(PositiveEvent, SetAgainWithTheSame) {
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Set2(c), Wait2(c); });
  Submit(Queue(), {commands});
  vk.DeviceWaitIdle(device);
  Submit(Queue(), {commands});
}
TEST_F(PositiveEvent, SetByTheHostWhileAQueueUsesIt) {
  driver().config().hold_work = true;
  Run([&](VkCommandBuffer c) { Reset(c); });
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait1(c, kTransfer); });
  driver().config().hold_work = false;
  driver().CompleteWork();
}
TEST_F(PositiveEvent, SubmissionFails) {
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  Run([&](VkCommandBuffer c) { Set1(c, kCompute); });
  Run([&](VkCommandBuffer c) { Wait1(c); });
  Run([&](VkCommandBuffer c) { Reset(c), Set1(c); });
  Run([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  ExpectMessage(kOtherStages);
}
// Of the event that the host fails to set nothing is known, of others everything.
TEST_F(NegativeEvent, HostFailsToSetAnother) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  driver().FailNext<vk::SetEvent>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.SetEvent(device, other_), VK_ERROR_OUT_OF_HOST_MEMORY);
  Run([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  ExpectMessage(kOtherStages);
}
TEST_F(PositiveEvent, HostFailsToSetOrReset) {
  driver().FailNext<vk::SetEvent>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.SetEvent(device, event_), VK_ERROR_OUT_OF_HOST_MEMORY);
  Run([&](VkCommandBuffer c) { Set2(c); });
  Run([&](VkCommandBuffer c) { Wait2(c); });
  vk.DeviceWaitIdle(device);
  driver().FailNext<vk::ResetEvent>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(vk.ResetEvent(device, event_), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  Run([&](VkCommandBuffer c) { Wait2(c); });
}
TEST_F(PositiveEvent, DestroyedAndMadeAgain) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  vk.DeviceWaitIdle(device);
  DestroyNow(event_);
  event_ = MakeEvent();
  Run([&](VkCommandBuffer c) { Set2(c), Wait2(c); });
}

TEST_F(NegativeEvent, HostSetsAnEventThatAQueueWaitsFor) {
  driver().config().hold_work = true;
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait1(c, kHost); });
  vk.SetEvent(device, event_);
  EXPECT_THAT(ExpectMessage(kHostSets).text, HasSubstr("is waited for by a command buffer that VkQueue"));
  driver().config().hold_work = false;
  driver().CompleteWork();
}
TEST_F(NegativeEvent, HostResetsAnEventThatAQueueWaitsFor) {
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait1(c, kHost); });
  vk.ResetEvent(device, event_);
  ExpectMessage(kHostResets);
  vk.SetEvent(device, other_);
  Run([&](VkCommandBuffer c) { event_ = other_, Wait2(c, kHost); });
  vk.ResetEvent(device, other_);
  ExpectMessage(kHostResets2);
}
TEST_F(PositiveEvent, HostWaitsBefore) {
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait1(c, kHost); });
  vk.QueueWaitIdle(Queue());
  vk.ResetEvent(device, event_);
  vk.SetEvent(device, event_);
}
TEST_F(PositiveEvent, HostResetsBeforeItLetsTheQueueGoOn) {
  const VkSemaphore timeline = MakeTimeline();
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Set1(c);
           Wait1(c);
         })},
         {.waits = {{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}}});
  vk.ResetEvent(device, event_);
  const VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  vk.SignalSemaphore(device, &signal);
}
// An available query tells the host that the wait before it is over.
TEST_F(PositiveEvent, HostReadsQueries) {
  const VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1);
  Run([&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, queries, 0, 1);
    Set1(c);
    Wait1(c);
    vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, 0);
  });
  uint64_t time;
  vk.GetQueryPoolResults(device, queries, 0, 1, sizeof(time), &time, sizeof(time),
                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  vk.ResetEvent(device, event_);
}
// A query of an earlier batch tells nothing, nor does a call that fails or another pool.
TEST_F(NegativeEvent, HostReadsOtherQueries) {
  const VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1);
  const VkQueryPool others = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1);
  const auto write = [&](VkCommandBuffer c, VkQueryPool pool) {
    vk.CmdResetQueryPool(c, pool, 0, 1);
    vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 0);
  };
  Run([&](VkCommandBuffer c) { write(c, others); });
  Run([&](VkCommandBuffer c) { Set1(c), Wait1(c), write(c, queries); });
  uint64_t time;
  const auto read = [&](VkQueryPool pool) {
    return vk.GetQueryPoolResults(device, pool, 0, 1, sizeof(time), &time, sizeof(time), VK_QUERY_RESULT_64_BIT);
  };
  read(others);
  driver().FailNext<vk::GetQueryPoolResults>(VK_NOT_READY);
  read(queries);
  vk.ResetEvent(device, event_);
  ExpectMessage(kHostResets);
}
TEST_F(PositiveEvent, HostReadsQueriesOfASecondary) {
  const VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1);
  const VkCommandBuffer secondary =
      Secondary([&](VkCommandBuffer c) { vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, 0); });
  Run([&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, queries, 0, 1);
    Set1(c);
    Wait1(c);
    vk.CmdExecuteCommands(c, 1, &secondary);
  });
  uint64_t time;
  vk.GetQueryPoolResults(device, queries, 0, 1, sizeof(time), &time, sizeof(time), VK_QUERY_RESULT_64_BIT);
  vk.ResetEvent(device, event_);
}

// A batch waits for an imported semaphore, which the host may keep unsignaled until it has reset the event.
class ImportedSemaphore : public Event {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME}, .settings = {{"validate_sync", false}}};
  }
  VkSemaphoreSubmitInfo Imported() {
    const VkSemaphore semaphore = MakeSemaphore();
    const VkImportSemaphoreFdInfoKHR info = {
        VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,  nullptr, semaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
        VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, -1};
    vk.ImportSemaphoreFdKHR(device, &info);
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0};
  }
  VkCommandBuffer SetAndWait() {
    return Record([&](VkCommandBuffer c) { Set1(c), Wait1(c); });
  }
};
class NegativeImportedSemaphore : public ImportedSemaphore {};
class PositiveImportedSemaphore : public ImportedSemaphore {};

TEST_F(PositiveImportedSemaphore, KeepsABatch) {
  Submit(Queue(), {}, {.waits = {Imported()}});
  Submit(Queue(), {SetAndWait()});
  vk.ResetEvent(device, event_);
}
TEST_F(NegativeImportedSemaphore, OfACompleteBatch) {
  Submit(Queue(), {}, {.waits = {Imported()}});
  vk.QueueWaitIdle(Queue());
  Submit(Queue(), {SetAndWait()});
  vk.ResetEvent(device, event_);
  ExpectMessage(kHostResets);
}

TEST_F(NegativeEvent, OtherQueueUsesIt) {
  driver().config().hold_work = true;
  Run([&](VkCommandBuffer c) { Set1(c); });
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Reset(c); });
  Submit(Queue(0, 1), {commands});
  EXPECT_THAT(ExpectMessage(kOtherQueue2).text,
              HasSubstr("pSubmits[0].pCommandBufferInfos[0].commandBuffer (VkCommand"));
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  driver().config().hold_work = false;
  driver().CompleteWork();
  vk.DeviceWaitIdle(device);
  Run([&](VkCommandBuffer c) { Set1(c); });
  vk.QueueSubmit(Queue(0, 1), 1, &submit, VK_NULL_HANDLE);
  ExpectMessage(kOtherQueue);
}
TEST_F(PositiveEvent, OtherQueueUsedIt) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  vk.QueueWaitIdle(Queue());
  Run([&](VkCommandBuffer c) { Reset(c); }, Queue(0, 1));
}

}  // namespace
}  // namespace assay::core
