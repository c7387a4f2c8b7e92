// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Objects that queues have in use, and the ways in which the application can know that they no longer do.

#include "core/lifetime/lifetime_test.h"

namespace assay::core {
namespace {

class SubmissionsTest : public LifetimeTest {
 protected:
  void SetUp() override {
    LifetimeTest::SetUp();
    pool_ = MakeCommandPool();
    Allocate();
    Begin(commands_);
    End(commands_);
  }
  void Allocate() {
    auto info = Of<VkCommandBufferAllocateInfo>(pool_, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1);
    ASSERT_EQ(vk.AllocateCommandBuffers(device, &info, &commands_), VK_SUCCESS);
  }

  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

class NegativeInUse : public SubmissionsTest {};
class PositiveInUse : public SubmissionsTest {};

TEST_F(NegativeInUse, CommandBuffersAndTheirPool) {
  Submit(Queue(), {commands_});
  Try("VUID-vkFreeCommandBuffers-pCommandBuffers-00047", vk.FreeCommandBuffers, device, pool_, 1, &commands_);
  Try("VUID-vkResetCommandBuffer-commandBuffer-00045", vk.ResetCommandBuffer, commands_, 0);
  Try("VUID-vkResetCommandPool-commandPool-00040", vk.ResetCommandPool, device, pool_, 0);
  Try("VUID-vkDestroyCommandPool-commandPool-00041", vk.DestroyCommandPool, device, pool_, nullptr);
}

TEST_F(NegativeInUse, FenceAndSemaphores) {
  VkSemaphore waited = MakeSemaphore(), signalled = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {At(waited)}});
  Submit(Queue(), {commands_}, {.waits = {At(waited)}, .signals = {At(signalled)}, .fence = fence});
  Try("VUID-vkDestroyFence-fence-01120", vk.DestroyFence, device, fence, nullptr);
  Try("VUID-vkResetFences-pFences-01123", vk.ResetFences, device, 1, &fence);
  Try("VUID-vkDestroySemaphore-semaphore-05149", vk.DestroySemaphore, device, waited, nullptr);
  Try("VUID-vkDestroySemaphore-semaphore-05149", vk.DestroySemaphore, device, signalled, nullptr);
}

TEST_F(NegativeInUse, OnlyAnEarlierBatchIsComplete) {
  Submit(Queue(), {}, {.fence = fence});
  Submit(Queue(), {commands_});
  Wait(fence);
  Try("VUID-vkResetCommandPool-commandPool-00040", vk.ResetCommandPool, device, pool_, 0);
}

TEST_F(PositiveInUse, AfterItsFence) {
  Submit(Queue(), {commands_}, {.fence = fence});
  Wait(fence);
  vk.ResetFences(device, 1, &fence);
  vk.ResetCommandBuffer(commands_, 0);
}

TEST_F(PositiveInUse, AfterTheFenceOfALaterBatch) {
  Submit(Queue(), {commands_});
  Submit(Queue(), {}, {.fence = fence});
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_SUCCESS);
  vk.ResetCommandBuffer(commands_, 0);
}

TEST_F(PositiveInUse, AfterTheFenceOfABatchThatWaitedForIt) {
  VkSemaphore semaphore = MakeSemaphore();
  // The values are ignored for binary semaphores.
  Submit(Queue(0, 0), {commands_}, {.signals = {At(semaphore, 77)}});
  Submit(Queue(0, 1), {}, {.waits = {At(semaphore, 5)}, .fence = fence});
  Wait(fence);
  vk.ResetCommandPool(device, pool_, 0);
  DestroyNow(semaphore);
}

TEST_F(PositiveInUse, AfterATimelineSemaphoresValue) {
  Submit(Queue(), {commands_}, {.signals = {At(timeline, 3)}});
  Wait(timeline, 3);
  vk.ResetCommandPool(device, pool_, 0);
}

// Only the signal of 3 can have ended the wait for 2.
TEST_F(PositiveInUse, AfterABatchThatWaitedForATimelineSemaphore) {
  Submit(Queue(0, 0), {commands_}, {.signals = {At(timeline, 3)}});
  Submit(Queue(0, 1), {}, {.waits = {At(timeline, 2)}, .fence = fence});
  Wait(fence);
  vk.ResetCommandPool(device, pool_, 0);
}

TEST_F(PositiveInUse, AfterAnIdleQueueOrDevice) {
  Submit(Queue(), {commands_});
  vk.QueueWaitIdle(Queue());
  vk.ResetCommandBuffer(commands_, 0);
  Begin(commands_);
  End(commands_);
  Submit(Queue(), {commands_});
  vk.DeviceWaitIdle(device);
  DestroyNow(pool_);
}

TEST_F(PositiveInUse, ANewCommandBufferWithAnOldAddress) {
  Submit(Queue(), {commands_});
  vk.DeviceWaitIdle(device);
  for (int i = 0; i < 16; ++i) {
    vk.FreeCommandBuffers(device, pool_, 1, &commands_);
    Allocate();
    Submit(Queue(), {});
  }
}

}  // namespace
}  // namespace assay::core
