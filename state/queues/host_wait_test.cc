// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// How the host learns that work is complete, and signals from outside: swapchains and shared payloads.

#include "state/queues/queue_test.h"

namespace assay::state {
namespace {

class HostWaits : public QueueTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME,
                                  VK_KHR_PRESENT_ID_EXTENSION_NAME, VK_KHR_PRESENT_WAIT_EXTENSION_NAME,
                                  VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME}};
  }
  void Acquire(VkSwapchainKHR swapchain, VkSemaphore semaphore, VkFence fence = VK_NULL_HANDLE) {
    uint32_t index;
    EXPECT_EQ(vk.AcquireNextImageKHR(device, swapchain, ~0ull, semaphore, fence, &index), VK_SUCCESS);
  }
  VkResult Present(uint32_t queue, VkSwapchainKHR swapchain, uint32_t index, VkSemaphore wait,
                   const void* next = nullptr) {
    VkPresentInfoKHR info = {VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, next, 1, &wait, 1, &swapchain, &index, nullptr};
    return vk.QueuePresentKHR(q(queue), &info);
  }
  void Import(VkSemaphore semaphore, VkSemaphoreImportFlags flags) {
    VkImportSemaphoreFdInfoKHR info = {VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,  nullptr, semaphore, flags,
                                       VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, -1};
    vk.ImportSemaphoreFdKHR(device, &info);
  }
  void Export(VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type) {
    VkSemaphoreGetFdInfoKHR info = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, semaphore, type};
    int fd;
    vk.GetSemaphoreFdKHR(device, &info, &fd);
  }
};

TEST_F(HostWaits, Fence) {
  VkFence fence = MakeFence();
  SubmitBatch(0, {}, {});
  SubmitBatch(0, {}, {}, fence);
  SubmitBatch(0, {}, {});
  Take();
  HostWait(fence);
  EXPECT_EQ(Take(), (Log{"fence", "retire 0:2"}));
  HostWait(fence);
  EXPECT_EQ(Take(), Log{"fence"});
}

TEST_F(HostWaits, FenceIsReused) {
  VkFence fence = MakeFence();
  SubmitBatch(0, {}, {}, fence);
  HostWait(fence);
  vk.ResetFences(device, 1, &fence);
  SubmitBatch(1, {}, {});
  SubmitBatch(1, {}, {}, fence);
  Take();
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_SUCCESS);
  EXPECT_EQ(Take(), (Log{"fence", "retire 1:2"}));
}

TEST_F(HostWaits, UnsignaledFenceRetiresNothing) {
  driver().config().hold_work = true;
  VkFence fence = MakeFence();
  SubmitBatch(0, {}, {}, fence);
  Take();
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_NOT_READY);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, 0), VK_TIMEOUT);
  EXPECT_EQ(Take(), Log{});
  driver().config().hold_work = false;
  driver().CompleteWork();
}

TEST_F(HostWaits, AnyOfSeveralFences) {
  VkFence fences[] = {MakeFence(), MakeFence(), MakeFence(VK_FENCE_CREATE_SIGNALED_BIT)};
  SubmitBatch(1, {}, {}, fences[1]);
  Take();
  EXPECT_EQ(vk.WaitForFences(device, 3, fences, VK_FALSE, ~0ull), VK_SUCCESS);
  EXPECT_EQ(Take(), (Log{"fence", "retire 1:1", "fence"}));
}

// A batch is complete only if the batches that it waited for are.
TEST_F(HostWaits, RetiresWaitedBatches) {
  VkSemaphore binary = MakeSemaphore(), timeline = MakeTimeline();
  VkFence fence = MakeFence();
  SubmitBatch(0, {}, {});
  SubmitBatch(0, {}, {At(timeline, 1)});
  SubmitBatch(0, {}, {});
  SubmitBatch(1, {At(timeline, 1)}, {At(binary)});
  SubmitBatch(1, {}, {});
  SubmitBatch(2, {At(binary)}, {});
  SubmitBatch(2, {}, {}, fence);
  Take();
  HostWait(fence);
  EXPECT_EQ(Take(), (Log{"fence", "retire 2:2", "retire 1:1", "retire 0:2"}));
}

TEST_F(HostWaits, TimelineValue) {
  VkSemaphore timeline = MakeTimeline();
  SubmitBatch(0, {}, {At(timeline, 1)});
  SubmitBatch(1, {At(timeline, 1)}, {At(timeline, 2)});
  SubmitBatch(1, {}, {At(timeline, 3)});
  Take();
  HostWait(timeline, 2);
  EXPECT_EQ(Take(), (Log{"semaphore", "retire 1:1", "retire 0:1"}));
  SubmitBatch(2, {At(timeline, 2)}, {});
  SubmitBatch(2, {At(timeline, 3)}, {});
  EXPECT_EQ(Take(), (Log{"2:1 < complete", "2:2 < 1:2"}));
  uint64_t value;
  vk.GetSemaphoreCounterValue(device, timeline, &value);
  EXPECT_EQ(value, 3u);
  EXPECT_EQ(Take(), (Log{"semaphore", "retire 1:2"}));
}

// Only an operation that signals a value as large can have ended the wait.
TEST_F(HostWaits, SmallerTimelineValue) {
  VkSemaphore timeline = MakeTimeline(UINT64_MAX - 9);
  SubmitBatch(0, {}, {At(timeline, UINT64_MAX - 5)});
  SubmitBatch(1, {}, {At(timeline, UINT64_MAX)});
  Take();
  HostWait(timeline, UINT64_MAX - 9);
  EXPECT_EQ(Take(), Log{"semaphore"});
  HostWait(timeline, UINT64_MAX - 7);
  EXPECT_EQ(Take(), (Log{"semaphore", "retire 0:1"}));
  // The semaphore is known to have this value.
  HostWait(timeline, UINT64_MAX - 6);
  EXPECT_EQ(Take(), Log{"semaphore"});
  HostWait(timeline, UINT64_MAX - 4);
  EXPECT_EQ(Take(), (Log{"semaphore", "retire 1:1"}));
}

// A signal that is complete, by a fence or because the host made it, can have ended the wait.
TEST_F(HostWaits, SmallerTimelineValueOfCompleteSignals) {
  VkSemaphore timeline = MakeTimeline();
  VkFence fence = MakeFence();
  HostSignal(timeline, 2);
  SubmitBatch(0, {}, {At(timeline, 5)}, fence);
  Take();
  HostWait(timeline, 1);
  EXPECT_EQ(Take(), Log{"semaphore"});
  HostWait(fence);
  SubmitBatch(1, {}, {At(timeline, 9)});
  Take();
  HostWait(timeline, 4);
  EXPECT_EQ(Take(), Log{"semaphore"});
}

TEST_F(HostWaits, AnyOfSeveralSemaphores) {
  VkSemaphore semaphores[] = {MakeTimeline(), MakeTimeline()};
  const uint64_t values[] = {1, 1};
  SubmitBatch(1, {}, {At(semaphores[1], 4)});
  Take();
  VkSemaphoreWaitInfo info = {
      VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, VK_SEMAPHORE_WAIT_ANY_BIT, 2, semaphores, values};
  EXPECT_EQ(vk.WaitSemaphores(device, &info, ~0ull), VK_SUCCESS);
  EXPECT_EQ(Take(), (Log{"semaphore", "semaphore", "retire 1:1"}));
}

TEST_F(HostWaits, CompleteSignalsNeedNoOrder) {
  VkSemaphore binary = MakeSemaphore();
  VkFence fence = MakeFence();
  SubmitBatch(0, {}, {At(binary)}, fence);
  HostWait(fence);
  Take();
  SubmitBatch(1, {At(binary)}, {});
  EXPECT_EQ(Take(), Log{"1:1 < complete"});
}

TEST_F(HostWaits, Idle) {
  VkSemaphore timeline = MakeTimeline();
  SubmitBatch(0, {}, {});
  SubmitBatch(1, {}, {At(timeline, 1)});
  SubmitBatch(2, {At(timeline, 1)}, {});
  Take();
  vk.QueueWaitIdle(q(2));
  EXPECT_EQ(Take(), (Log{"queue idle", "retire 2:1", "retire 1:1"}));
  vk.DeviceWaitIdle(device);
  EXPECT_EQ(Take(), (Log{"device idle", "retire 0:1"}));
}

// A held batch turns out to be complete: the layer did not see its signal.
TEST_F(HostWaits, CompleteThoughHeld) {
  VkSemaphore timeline = MakeTimeline();
  SubmitBatch(0, {At(timeline, 1)}, {});
  SubmitBatch(0, {}, {});
  SubmitBatch(0, {At(timeline, 2)}, {});
  vk.QueueWaitIdle(q(0));
  EXPECT_EQ(Take(), (Log{"queue idle", "0:1 < unknown", "0:2", "0:3 < unknown", "retire 0:3"}));
}

TEST_F(HostWaits, AcquireAndPresent) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface(), 1);
  const std::vector<VkImage> images = SwapchainImages(swapchain);
  EXPECT_FALSE(DeviceState::Get<Swapchain>(swapchain)->is_shared());
  VkSemaphore acquired = MakeSemaphore(), rendered = MakeSemaphore();
  VkFence fence = MakeFence();
  Acquire(swapchain, acquired, fence);
  SubmitBatch(0, {At(acquired)}, {At(rendered)});
  observer.on_batch = [&](const SubmittedBatch& batch) {
    EXPECT_TRUE(batch.is_present());
    ASSERT_EQ(batch.presents.size(), 1u);
    EXPECT_EQ(batch.presents[0].image, images[0]);
  };
  Present(1, swapchain, 0, rendered);
  observer.on_batch = {};
  HostWait(fence);
  EXPECT_EQ(Take(), (Log{"acquire 0", "0:1 < image 0", "1:1 < 0:1", "fence"}));
  // The image is acquired again after it was shown, and so after it was rendered.
  vk.ResetFences(device, 1, &fence);
  Acquire(swapchain, acquired, fence);
  observer.on_batch = [&](const SubmittedBatch& batch) {
    EXPECT_EQ(ToString(batch.waits[0].source.image.presented), "1:1");
    EXPECT_EQ(batch.waits[0].source.image.image, images[0]);
  };
  SubmitBatch(2, {At(acquired)}, {});
  HostWait(fence);
  EXPECT_EQ(Take(), (Log{"acquire 0", "2:1 < image 0 after 0:1", "fence", "retire 0:1"}));
}

// A fence on the queue does not cover presents on it.
TEST_F(HostWaits, QueueWaitsDoNotCoverPresents) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface(), 2);
  VkSemaphore rendered = MakeSemaphore();
  VkFence fence = MakeFence();
  SubmitBatch(0, {}, {At(rendered)});
  Present(1, swapchain, 0, rendered);
  SubmitBatch(1, {}, {}, fence);
  Take();
  HostWait(fence);
  EXPECT_EQ(Take(), (Log{"fence", "retire 1:2"}));
}

TEST_F(HostWaits, PresentFenceAndId) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface(), 2);
  VkSemaphore rendered = MakeSemaphore();
  VkFence fence = MakeFence(VK_FENCE_CREATE_SIGNALED_BIT);
  VkSwapchainPresentFenceInfoEXT fences = {VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT, nullptr, 1, &fence};
  uint64_t id = 5;
  VkPresentIdKHR ids = {VK_STRUCTURE_TYPE_PRESENT_ID_KHR, &fences, 1, &id};
  SubmitBatch(0, {}, {At(rendered)});
  Present(1, swapchain, 0, rendered, &ids);
  SubmitBatch(0, {}, {At(rendered)});
  id = 6;
  ids.pNext = nullptr;
  Present(1, swapchain, 1, rendered, &ids);
  Take();
  HostWait(fence);
  EXPECT_EQ(Take(), (Log{"fence", "retire 0:1"}));
  vk.WaitForPresentKHR(device, swapchain, 5, ~0ull);
  EXPECT_EQ(Take(), Log{"present"});
  vk.WaitForPresentKHR(device, swapchain, 6, ~0ull);
  EXPECT_EQ(Take(), (Log{"present", "retire 0:2"}));
}

TEST_F(HostWaits, RejectedPresentsWaitNevertheless) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface(), 2);
  VkSemaphore rendered = MakeSemaphore();
  SubmitBatch(0, {}, {At(rendered)});
  driver().FailNext<vk::QueuePresentKHR>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(Present(1, swapchain, 0, rendered), VK_ERROR_OUT_OF_HOST_MEMORY);
  driver().FailNext<vk::QueuePresentKHR>(VK_ERROR_OUT_OF_DATE_KHR);
  EXPECT_EQ(Present(1, swapchain, 0, rendered), VK_ERROR_OUT_OF_DATE_KHR);
  SubmitBatch(2, {At(rendered)}, {});
  EXPECT_EQ(Take(), (Log{"0:1", "1:1 < 0:1", "unknown order", "1:2 < 0:1", "2:1 < unknown"}));
}

TEST_F(HostWaits, ImportedSemaphores) {
  VkSemaphore once = MakeSemaphore(), always = MakeSemaphore(), timeline = MakeTimeline();
  SubmitBatch(2, {At(timeline, 9)}, {});
  Import(once, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
  Import(always, 0);
  EXPECT_EQ(Take(), Log{});
  Import(timeline, 0);
  EXPECT_EQ(Take(), Log{"2:1 < unknown"});
  SubmitBatch(0, {At(once), At(always)}, {});
  SubmitBatch(0, {}, {At(once), At(always), At(timeline, 10)});
  SubmitBatch(1, {At(once), At(always), At(timeline, 10)}, {});
  EXPECT_EQ(Take(), (Log{"0:1 < unknown, unknown", "0:2", "1:1 < 0:2, unknown, unknown"}));
  uint64_t value;
  vk.GetSemaphoreCounterValue(device, timeline, &value);
  vk.GetSemaphoreCounterValue(device, timeline, &value);
  EXPECT_EQ(Take(), (Log{"semaphore", "unknown order", "semaphore"}));
}

TEST_F(HostWaits, ExportedSemaphores) {
  VkSemaphore taken = MakeSemaphore(), shared = MakeSemaphore();
  SubmitBatch(0, {}, {At(taken), At(shared)});
  Export(taken, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
  Export(shared, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
  SubmitBatch(0, {}, {At(taken)});
  SubmitBatch(1, {At(taken), At(shared)}, {});
  EXPECT_EQ(Take(), (Log{"0:1", "0:2", "1:1 < 0:2, unknown"}));
}

// The host may learn of what a shared payload was signalled after, and of nothing else.
TEST_F(HostWaits, SharedPayloadsMayTellOfTheirBatches) {
  const auto is_pending = [&](uint32_t queue, uint64_t serial) {
    return IsPending({DeviceState::Get(q(queue)), serial});
  };
  VkSemaphore between = MakeSemaphore(), timeline = MakeTimeline(), exported = MakeSemaphore();
  Export(exported, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
  SubmitBatch(0, {}, {At(between)});
  SubmitBatch(0, {}, {});
  SubmitBatch(1, {At(between)}, {});
  SubmitBatch(2, {}, {});
  EXPECT_TRUE(is_pending(1, 1));
  SubmitBatch(1, {}, {At(exported)});
  EXPECT_FALSE(is_pending(0, 1));
  EXPECT_TRUE(is_pending(0, 2));
  EXPECT_FALSE(is_pending(1, 2));
  EXPECT_TRUE(is_pending(2, 1));
  // A batch that is held until its signal is submitted.
  SubmitBatch(1, {At(timeline, 1)}, {At(exported)});
  EXPECT_TRUE(is_pending(2, 1));
  SubmitBatch(2, {}, {At(timeline, 1)});
  EXPECT_FALSE(is_pending(2, 2));
  EXPECT_FALSE(is_pending(1, 3));
  EXPECT_TRUE(is_pending(0, 2));
}

TEST_F(HostWaits, SharedFences) {
  VkFence imported = MakeFence(VK_FENCE_CREATE_SIGNALED_BIT), exported = MakeFence();
  VkImportFenceFdInfoKHR import = {
      VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR, nullptr, imported, VK_FENCE_IMPORT_TEMPORARY_BIT,
      VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT,  -1};
  vk.ImportFenceFdKHR(device, &import);
  VkFenceGetFdInfoKHR get = {VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, nullptr, exported,
                             VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
  int fd;
  vk.GetFenceFdKHR(device, &get, &fd);
  SubmitBatch(0, {}, {}, exported);
  Take();
  HostWait(imported);
  HostWait(exported);
  EXPECT_EQ(Take(), (Log{"fence", "unknown order", "fence", "unknown order"}));
  vk.ResetFences(device, 1, &imported);
  SubmitBatch(0, {}, {}, imported);
  HostWait(imported);
  EXPECT_EQ(Take(), (Log{"0:2", "fence", "retire 0:2"}));
}

}  // namespace
}  // namespace assay::state
