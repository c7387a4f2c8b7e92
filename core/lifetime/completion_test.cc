// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The ways in which the application can know that a batch is complete, besides its fence and an idle queue.

#include <cstdint>
#include <functional>
#include <source_location>

#include "core/lifetime/lifetime_test.h"

namespace assay::core {
namespace {

using test::Buffer;

class Completion : public LifetimeTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = LifetimeTest::Options();
    options.device_extensions = {VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    LifetimeTest::SetUp();
    for (Buffer& source : sources_) source = MakeBuffer(64);
    timestamps_ = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 2);
  }

  // Submits a copy from sources_[index], followed by more commands.
  VkResult SubmitCopy(size_t index, const SubmitOptions& options, uint32_t queue = 0,
                      const std::function<void(VkCommandBuffer)>& more = {}) {
    return Submit(Queue(0, queue), {Record([&](VkCommandBuffer c) {
                    Copy(c, sources_[index], destination);
                    if (more) more(c);
                  })},
                  options);
  }
  void ExpectInUse(size_t index, std::source_location where = std::source_location::current()) {
    LifetimeTest::ExpectInUse(sources_[index], where);
  }
  void ExpectIdle(size_t index) { DestroyNow(sources_[index]); }

  void WriteTimestamp(VkCommandBuffer commands, uint32_t query = 0) {
    vk.CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, timestamps_, query);
  }
  // Submits a copy and a timestamp.
  void SubmitTimestamp(size_t index, uint32_t query) {
    SubmitCopy(index, {}, 0, [&](VkCommandBuffer c) {
      vk.CmdResetQueryPool(c, timestamps_, query, 1);
      WriteTimestamp(c, query);
    });
  }
  void SubmitQuery(size_t index, VkQueryPool pool, uint32_t query, uint32_t queue = 0) {
    SubmitCopy(index, {}, queue, [&](VkCommandBuffer c) {
      vk.CmdResetQueryPool(c, pool, query, 1);
      vk.CmdBeginQuery(c, pool, query, 0);
      vk.CmdEndQuery(c, pool, query);
    });
  }
  // One result of 64 bits.
  void GetResult(VkQueryPool pool, uint32_t query, VkQueryResultFlags flags = 0) {
    uint64_t result = 0;
    vk.GetQueryPoolResults(device, pool, query, 1, 8, &result, 8, VK_QUERY_RESULT_64_BIT | flags);
  }
  // Submits a copy, and what sets the event.
  void SubmitSet(size_t index, VkEvent event) {
    SubmitCopy(index, {}, 0, [&](VkCommandBuffer c) { vk.CmdSetEvent(c, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT); });
  }
  template <class Info>
  VkResult Export(VkResult(VKAPI_PTR* get)(VkDevice, const Info*, int*), auto object, auto type) {
    const auto info = Of<Info>(object, type);
    int fd = -1;
    return get(device, &info, &fd);
  }

  Buffer sources_[3];
  VkQueryPool timestamps_ = VK_NULL_HANDLE;
};

class NegativeCompletion : public Completion {};
class PositiveCompletion : public Completion {};

// Values of timeline semaphores.

TEST_F(PositiveCompletion, TimelineValueSmallerThanTheOnlySignal) {
  SubmitCopy(0, {.signals = {At(timeline, 5)}});
  Wait(timeline, 3);
  ExpectIdle(0);
  DestroyNow(timeline);
}
TEST_F(PositiveCompletion, TimelineValueOfAnySize) {
  VkSemaphore timeline = MakeTimeline(UINT64_MAX - 9);
  SubmitCopy(0, {.signals = {At(timeline, UINT64_MAX)}});
  Wait(timeline, UINT64_MAX - 5);
  ExpectIdle(0);
}
TEST_F(NegativeCompletion, TimelineValueThatALargerSignalNeedNotHaveReached) {
  SubmitCopy(0, {.signals = {At(timeline, 5)}});
  SubmitCopy(1, {.signals = {At(timeline, 9)}}, 1);
  Wait(timeline, 3);
  ExpectIdle(0);
  ExpectInUse(1);
  // It is known to be 5 at least.
  Wait(timeline, 4);
  ExpectInUse(1);
  Wait(timeline, 6);
  ExpectIdle(1);
}
TEST_F(NegativeCompletion, TimelineValueThatTheHostOrACompleteBatchHasReached) {
  VkSemaphore timeline = MakeTimeline(2);
  HostSignal(timeline, 4);
  SubmitCopy(0, {.signals = {At(timeline, 6)}, .fence = fence});
  Wait(timeline, 2);
  Wait(timeline, 4);
  ExpectInUse(0);
  Wait(fence);
  SubmitCopy(1, {.signals = {At(timeline, 9)}});
  Wait(timeline, 5);
  ExpectInUse(1);
}

// Results of queries.

TEST_F(PositiveCompletion, QueryIsAvailable) {
  SubmitTimestamp(0, 1);
  GetResult(timestamps_, 1, VK_QUERY_RESULT_WAIT_BIT);
  ExpectIdle(0);
  DestroyNow(timestamps_);
}
TEST_F(PositiveCompletion, OneOfTwoQueriesIsAvailable) {
  VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 2,
                                   VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT |
                                       VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT);
  for (uint32_t query : {0, 1}) SubmitQuery(query, pool, query, query);
  // Two statistics and the availability of each; the second query is available.
  uint32_t results[2][3] = {{7, 7, 0}, {7, 7, 1}};
  driver().FailNext<vk::GetQueryPoolResults>(VK_NOT_READY);
  EXPECT_EQ(vk.GetQueryPoolResults(device, pool, 0, 2, sizeof(results), results, sizeof(results[0]),
                                   VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
            VK_NOT_READY);
  ExpectInUse(0);
  ExpectIdle(1);
}
TEST_F(PositiveCompletion, QueryThatTheHostHasReset) {
  for (size_t i : {0, 1}) {
    vk.ResetQueryPool(device, timestamps_, 0, 1);
    SubmitCopy(i, {}, 0, [&](VkCommandBuffer c) { WriteTimestamp(c); });
    GetResult(timestamps_, 0);
    ExpectIdle(i);
  }
}
TEST_F(PositiveCompletion, QueryOfASecondary) {
  const VkCommandBuffer secondary =
      Record([&](VkCommandBuffer c) { WriteTimestamp(c); }, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  SubmitCopy(0, {}, 0, [&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, timestamps_, 0, 1);
    vk.CmdExecuteCommands(c, 1, &secondary);
  });
  GetResult(timestamps_, 0);
  ExpectIdle(0);
}
TEST_F(NegativeCompletion, QueryOfAnEarlierBatch) {
  SubmitTimestamp(0, 0);
  SubmitTimestamp(1, 0);
  // The second batch may not have reset it yet.
  GetResult(timestamps_, 0, VK_QUERY_RESULT_WAIT_BIT);
  ExpectIdle(0);
  ExpectInUse(1);
  // Another query.
  SubmitTimestamp(2, 1);
  GetResult(timestamps_, 0, VK_QUERY_RESULT_WAIT_BIT);
  ExpectInUse(2);
}
TEST_F(NegativeCompletion, QueryIsNotAvailable) {
  VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_OCCLUSION, 1);
  SubmitQuery(0, pool, 0);
  uint64_t samples[2] = {};
  driver().FailNext<vk::GetQueryPoolResults>(VK_NOT_READY);
  vk.GetQueryPoolResults(device, pool, 0, 1, 16, samples, 16,
                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  // An intermediate result.
  GetResult(pool, 0, VK_QUERY_RESULT_PARTIAL_BIT);
  ExpectInUse(0);
  Try("VUID-vkDestroyQueryPool-queryPool-00793", vk.DestroyQueryPool, device, pool, nullptr);
}

// The status of events.

// A vkSetEvent that fails leaves the event unset.
TEST_F(PositiveCompletion, EventThatABatchHasSet) {
  for (const size_t i : {0, 1}) {
    SCOPED_TRACE(i == 0 ? "the host did not try to set it" : "the host failed to set it");
    VkEvent event = MakeEvent();
    if (i == 1) {
      driver().FailNext<vk::SetEvent>(VK_ERROR_OUT_OF_HOST_MEMORY);
      EXPECT_EQ(vk.SetEvent(device, event), VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    SubmitSet(i, event);
    driver().FailNext<vk::GetEventStatus>(VK_EVENT_SET);
    EXPECT_EQ(vk.GetEventStatus(device, event), VK_EVENT_SET);
    ExpectIdle(i);
    DestroyNow(event);
  }
}
TEST_F(NegativeCompletion, EventThatTheHostHasSetOrNobody) {
  VkEvent event = MakeEvent();
  SubmitSet(0, event);
  EXPECT_EQ(vk.GetEventStatus(device, event), VK_EVENT_RESET);
  ExpectInUse(0);
  VkEvent other = MakeEvent();
  vk.SetEvent(device, other);
  SubmitSet(1, other);
  EXPECT_EQ(vk.GetEventStatus(device, other), VK_EVENT_SET);
  ExpectInUse(1);
}

// Another thread learns that the batch is complete before the call returns. Here a call of the driver stands for the
// thread, and a fence that is signaled already, or the host that signals in the queue's place. Core would report both.
class PositiveBeforeTheCallReturns : public Completion {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = Completion::Options();
    options.settings.emplace_back("validate_core", false);
    return options;
  }
};
TEST_F(PositiveBeforeTheCallReturns, Fence) {
  VkFence fence = MakeFence(VK_FENCE_CREATE_SIGNALED_BIT);
  driver().Observe<vk::QueueSubmit2>(
      [&](const vk::QueueSubmit2&) { EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_SUCCESS); });
  SubmitCopy(0, {.fence = fence});
  driver().SetObserver({});
  ExpectIdle(0);
  DestroyNow(fence);
}
TEST_F(PositiveBeforeTheCallReturns, Timeline) {
  driver().Observe<vk::QueueSubmit2>([&](const vk::QueueSubmit2&) {
    HostSignal(timeline, 3);
    EXPECT_EQ(Wait(timeline, 3), VK_SUCCESS);
  });
  SubmitCopy(0, {.signals = {At(timeline, 3)}});
  driver().SetObserver({});
  ExpectIdle(0);
}

// Failures.

TEST_F(PositiveCompletion, FailedSubmissionLeavesEarlierSignals) {
  VkSemaphore semaphore = MakeSemaphore();
  SubmitCopy(0, {.signals = {At(semaphore)}});
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(Submit(Queue(), {}, {.waits = {At(semaphore)}, .signals = {At(semaphore)}, .fence = fence}),
            VK_ERROR_OUT_OF_HOST_MEMORY);
  ExpectInUse(0);
  Submit(Queue(0, 1), {}, {.waits = {At(semaphore)}, .fence = fence});
  Wait(fence);
  ExpectIdle(0);
  DestroyNow(semaphore);
}
// A present that fails does not take back the submission before it.
TEST_F(NegativeCompletion, FailedPresentLeavesEarlierSubmissions) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  VkSemaphore acquired = MakeSemaphore(), rendered = MakeSemaphore();
  uint32_t image = 0;
  ASSERT_EQ(vk.AcquireNextImageKHR(device, swapchain, UINT64_MAX, acquired, VK_NULL_HANDLE, &image), VK_SUCCESS);
  SubmitCopy(0, {.waits = {At(acquired)}, .signals = {At(rendered)}});
  driver().FailNext<vk::QueuePresentKHR>(VK_ERROR_OUT_OF_DATE_KHR);
  EXPECT_EQ(Present(swapchain, image, rendered), VK_ERROR_OUT_OF_DATE_KHR);
  ExpectInUse(0);
}

// Payloads that are shared.

TEST_F(PositiveCompletion, ExportedFence) {
  VkFence before = MakeFence(), after = MakeFence();
  SubmitCopy(0, {.fence = before});
  EXPECT_EQ(Export(vk.GetFenceFdKHR, before, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT), VK_SUCCESS);
  ExpectIdle(0);
  EXPECT_EQ(Export(vk.GetFenceFdKHR, after, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT), VK_SUCCESS);
  SubmitCopy(1, {.fence = after});
  ExpectIdle(1);
}
TEST_F(PositiveCompletion, ExportedSemaphore) {
  VkSemaphore before = MakeSemaphore(), after = MakeTimeline();
  SubmitCopy(0, {.signals = {At(before)}});
  EXPECT_EQ(Export(vk.GetSemaphoreFdKHR, before, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT), VK_SUCCESS);
  ExpectIdle(0);
  EXPECT_EQ(Export(vk.GetSemaphoreFdKHR, after, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT), VK_SUCCESS);
  SubmitCopy(1, {.signals = {At(after, 7)}});
  ExpectIdle(1);
}
TEST_F(NegativeCompletion, ExportOfAnotherObject) {
  VkFence other = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  SubmitCopy(0, {.fence = fence});
  SubmitCopy(1, {}, 1);
  EXPECT_EQ(Export(vk.GetFenceFdKHR, fence, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT), VK_SUCCESS);
  ExpectIdle(0);
  ExpectInUse(1);
  EXPECT_EQ(Export(vk.GetFenceFdKHR, other, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT), VK_SUCCESS);
  EXPECT_EQ(Export(vk.GetSemaphoreFdKHR, semaphore, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT), VK_SUCCESS);
  ExpectInUse(1);
  // The fence is its own again.
  SubmitCopy(2, {.fence = fence});
  ExpectInUse(2);
}
TEST_F(NegativeCompletion, ExportThatFails) {
  SubmitCopy(0, {.fence = fence});
  driver().FailNext<vk::GetFenceFdKHR>(VK_ERROR_TOO_MANY_OBJECTS);
  EXPECT_EQ(Export(vk.GetFenceFdKHR, fence, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT), VK_ERROR_TOO_MANY_OBJECTS);
  ExpectInUse(0);
}

}  // namespace
}  // namespace assay::core
