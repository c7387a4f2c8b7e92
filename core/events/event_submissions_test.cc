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

TEST_F(NegativeEvent, InSecondaries) {
  const VkCommandBuffer set = Secondary({Reset(), Set1()});
  const VkCommandBuffer wait = Secondary({Wait1(kCompute)});
  Record({Execute({set}), Execute({wait}),
          Reports(kOtherStages,
                  "vkCmdExecuteCommands(): pCommandBuffers[0] executes vkCmdWaitEvents() of VkCommandBuffer")});
  Run(kOtherStages, {Set1(), Execute({wait})});
}
TEST_F(PositiveEvent, InSecondaries) {
  const VkCommandBuffer commands = Record({Execute({Secondary({Set1()}), Secondary({Wait1()})}), Reset()});
  Submit(Queue(), {commands});
  vk.DeviceWaitIdle(device);
  Submit(Queue(), {commands});
}
TEST_F(NegativeEvent, InTheSameSubmission) {
  Submit(Queue(), {Record({Set2()}), Record({Wait2(kCompute)})});
  ExpectMessage(kOtherDependency);
}
TEST_F(NegativeEvent, InABatchThatTheHostLetsExecute) {
  const VkSemaphore timeline = MakeTimeline();
  Run({Set2()});
  Submit(Queue(), {Record({Wait2(kCompute)})}, {.waits = {At(timeline, 1)}});
  ExpectNothing();
  HostSignal(timeline, 1);
  ExpectMessage(kOtherDependency);
}
TEST_F(PositiveEvent, Rerecorded) {
  const VkCommandBuffer commands = Record({Wait2()});
  Begin(commands);
  End(commands);
  Submit(Queue(), {commands});
}
// The second set has no effect, and the specification does not say what the wait must match.
TEST_F(PositiveEvent, SetTwice) {
  Run({Set1(), Set1(kCompute), Wait1(kTransfer | kCompute)});
  vk.SetEvent(device, other_);
  Run({Set1(other_, kTransfer), Wait1({other_}, kHost)});
}
TEST_F(PositiveEvent, SetAgainWithTheSame) {
  const VkCommandBuffer commands = Record({Set2(), Wait2()});
  Submit(Queue(), {commands});
  vk.DeviceWaitIdle(device);
  Submit(Queue(), {commands});
}
TEST_F(PositiveEvent, SetByTheHostWhileAQueueUsesIt) {
  Hold();
  Run({Reset()});
  vk.SetEvent(device, event_);
  Run({Wait1(kTransfer)});
  Complete();
}
TEST_F(PositiveEvent, SubmissionFails) {
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  Run({Set1(kCompute)});
  Run({Wait1()});
  Run({Reset(), Set1()});
  Run(kOtherStages, {Wait1(kCompute)});
}
// Of the event that the host fails to set nothing is known, of others everything.
TEST_F(NegativeEvent, HostFailsToSetAnother) {
  Run({Set1()});
  driver().FailNext<vk::SetEvent>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.SetEvent(device, other_), VK_ERROR_OUT_OF_HOST_MEMORY);
  Run(kOtherStages, {Wait1(kCompute)});
}
TEST_F(PositiveEvent, HostFailsToSetOrReset) {
  driver().FailNext<vk::SetEvent>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.SetEvent(device, event_), VK_ERROR_OUT_OF_HOST_MEMORY);
  Run({Set2()});
  Run({Wait2()});
  vk.DeviceWaitIdle(device);
  driver().FailNext<vk::ResetEvent>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(vk.ResetEvent(device, event_), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  Run({Wait2()});
}
TEST_F(PositiveEvent, DestroyedAndMadeAgain) {
  Run({Set1()});
  vk.DeviceWaitIdle(device);
  DestroyNow(event_);
  event_ = MakeEvent();
  Run({Set2(), Wait2()});
}

TEST_F(NegativeEvent, HostSetsAnEventThatAQueueWaitsFor) {
  Hold();
  vk.SetEvent(device, event_);
  Run({Wait1(kHost)});
  vk.SetEvent(device, event_);
  EXPECT_THAT(ExpectMessage(kHostSets).text, HasSubstr("is waited for by a command buffer that VkQueue"));
  Complete();
}
TEST_F(NegativeEvent, HostResetsAnEventThatAQueueWaitsFor) {
  vk.SetEvent(device, event_);
  Run({Wait1(kHost)});
  vk.ResetEvent(device, event_);
  ExpectMessage(kHostResets);
  vk.SetEvent(device, other_);
  event_ = other_;
  Run({Wait2(kHost)});
  vk.ResetEvent(device, other_);
  ExpectMessage("VUID-vkResetEvent-event-03822");
}
TEST_F(PositiveEvent, HostWaitsBefore) {
  vk.SetEvent(device, event_);
  Run({Wait1(kHost)});
  vk.QueueWaitIdle(Queue());
  vk.ResetEvent(device, event_);
  vk.SetEvent(device, event_);
}
TEST_F(PositiveEvent, HostResetsBeforeItLetsTheQueueGoOn) {
  const VkSemaphore timeline = MakeTimeline();
  Submit(Queue(), {Record({Set1(), Wait1()})}, {.waits = {At(timeline, 1)}});
  vk.ResetEvent(device, event_);
  HostSignal(timeline, 1);
}

// Writes a query, and reads it.
class QueriedEvent : public Event {
 protected:
  void SetUp() override {
    Event::SetUp();
    queries_ = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1);
  }
  Commands Clear(VkQueryPool pool) { return Call(vk.CmdResetQueryPool, pool, 0, 1); }
  Commands Write(VkQueryPool pool) {
    return Call(vk.CmdWriteTimestamp2, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 0);
  }
  void Read(VkQueryPool pool, VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT) {
    uint64_t time;
    vk.GetQueryPoolResults(device, pool, 0, 1, sizeof(time), &time, sizeof(time), flags);
  }

  VkQueryPool queries_ = VK_NULL_HANDLE;
};
class NegativeQueriedEvent : public QueriedEvent {};
class PositiveQueriedEvent : public QueriedEvent {};

// An available query tells the host that the wait before it is over.
TEST_F(PositiveQueriedEvent, HostReadsQueries) {
  Run({Clear(queries_), Set1(), Wait1(), Write(queries_)});
  Read(queries_, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  vk.ResetEvent(device, event_);
}
// A query of an earlier batch tells nothing, nor does a call that fails or another pool.
TEST_F(NegativeQueriedEvent, HostReadsOtherQueries) {
  const VkQueryPool others = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1);
  Run({Clear(others), Write(others)});
  Run({Set1(), Wait1(), Clear(queries_), Write(queries_)});
  Read(others);
  driver().FailNext<vk::GetQueryPoolResults>(VK_NOT_READY);
  Read(queries_);
  vk.ResetEvent(device, event_);
  ExpectMessage(kHostResets);
}
TEST_F(PositiveQueriedEvent, HostReadsQueriesOfASecondary) {
  Run({Clear(queries_), Set1(), Wait1(), Execute({Secondary({Write(queries_)})})});
  Read(queries_);
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
    const auto info = test::Of<VkImportSemaphoreFdInfoKHR>(semaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                                                           VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, -1);
    vk.ImportSemaphoreFdKHR(device, &info);
    return At(semaphore);
  }
};
class NegativeImportedSemaphore : public ImportedSemaphore {};
class PositiveImportedSemaphore : public ImportedSemaphore {};

TEST_F(PositiveImportedSemaphore, KeepsABatch) {
  Submit(Queue(), {}, {.waits = {Imported()}});
  Run({SetAndWait()});
  vk.ResetEvent(device, event_);
}
TEST_F(NegativeImportedSemaphore, OfACompleteBatch) {
  Submit(Queue(), {}, {.waits = {Imported()}});
  vk.QueueWaitIdle(Queue());
  Run({SetAndWait()});
  vk.ResetEvent(device, event_);
  ExpectMessage(kHostResets);
}

TEST_F(NegativeEvent, OtherQueueUsesIt) {
  Hold();
  Run({Set1()});
  const VkCommandBuffer commands = Record({Reset()});
  Submit(Queue(0, 1), {commands});
  EXPECT_THAT(ExpectMessage("VUID-vkQueueSubmit2-commandBuffer-03867").text,
              HasSubstr("pSubmits[0].pCommandBufferInfos[0].commandBuffer (VkCommand"));
  const auto submit = test::Typed(VkSubmitInfo{.commandBufferCount = 1, .pCommandBuffers = &commands});
  Complete();
  vk.DeviceWaitIdle(device);
  Run({Set1()});
  vk.QueueSubmit(Queue(0, 1), 1, &submit, VK_NULL_HANDLE);
  ExpectMessage("VUID-vkQueueSubmit-pCommandBuffers-00065");
}
TEST_F(PositiveEvent, OtherQueueUsedIt) {
  Run({Set1()});
  vk.QueueWaitIdle(Queue());
  Run({Reset()}, Queue(0, 1));
}

}  // namespace
}  // namespace assay::core
