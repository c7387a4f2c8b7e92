// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Objects that queues have in use, and the ways in which the application can know that they no longer do.

#include <functional>

#include "core/lifetime/lifetime_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

class SubmissionsTest : public LifetimeTest {
 protected:
  void SetUp() override {
    LifetimeTest::SetUp();
    pool_ = MakeCommandPool();
    VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_,
                                        VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    ASSERT_EQ(vk.AllocateCommandBuffers(device, &info, &commands_), VK_SUCCESS);
    Begin(commands_);
    End(commands_);
  }

  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value = 0) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  }

  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

class NegativeInUse : public SubmissionsTest {};
class PositiveInUse : public SubmissionsTest {};

TEST_F(NegativeInUse, CommandBuffersAndTheirPool) {
  Submit(Queue(), {commands_});
  SkipCalls skip(*this);
  vk.FreeCommandBuffers(device, pool_, 1, &commands_);
  ExpectMessage("VUID-vkFreeCommandBuffers-pCommandBuffers-00047");
  vk.ResetCommandBuffer(commands_, 0);
  ExpectMessage("VUID-vkResetCommandBuffer-commandBuffer-00045");
  vk.ResetCommandPool(device, pool_, 0);
  ExpectMessage("VUID-vkResetCommandPool-commandPool-00040");
  vk.DestroyCommandPool(device, pool_, nullptr);
  ExpectMessage("VUID-vkDestroyCommandPool-commandPool-00041");
}

TEST_F(NegativeInUse, FenceAndSemaphores) {
  VkFence fence = MakeFence();
  VkSemaphore waited = MakeSemaphore(), signalled = MakeSemaphore();
  Submit(Queue(), {}, {.signals = {At(waited)}});
  Submit(Queue(), {commands_}, {.waits = {At(waited)}, .signals = {At(signalled)}, .fence = fence});
  SkipCalls skip(*this);
  vk.DestroyFence(device, fence, nullptr);
  ExpectMessage("VUID-vkDestroyFence-fence-01120");
  vk.ResetFences(device, 1, &fence);
  ExpectMessage("VUID-vkResetFences-pFences-01123");
  vk.DestroySemaphore(device, waited, nullptr);
  ExpectMessage("VUID-vkDestroySemaphore-semaphore-05149");
  vk.DestroySemaphore(device, signalled, nullptr);
  ExpectMessage("VUID-vkDestroySemaphore-semaphore-05149");
}

TEST_F(NegativeInUse, OnlyAnEarlierBatchIsComplete) {
  VkFence fence = MakeFence();
  Submit(Queue(), {}, {.fence = fence});
  Submit(Queue(), {commands_});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  SkipCalls skip(*this);
  vk.ResetCommandPool(device, pool_, 0);
  ExpectMessage("VUID-vkResetCommandPool-commandPool-00040");
}

TEST_F(PositiveInUse, AfterItsFence) {
  VkFence fence = MakeFence();
  Submit(Queue(), {commands_}, {.fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  vk.ResetFences(device, 1, &fence);
  vk.ResetCommandBuffer(commands_, 0);
}

TEST_F(PositiveInUse, AfterTheFenceOfALaterBatch) {
  VkFence fence = MakeFence();
  Submit(Queue(), {commands_});
  Submit(Queue(), {}, {.fence = fence});
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_SUCCESS);
  vk.ResetCommandBuffer(commands_, 0);
}

TEST_F(PositiveInUse, AfterTheFenceOfABatchThatWaitedForIt) {
  VkFence fence = MakeFence();
  VkSemaphore semaphore = MakeSemaphore();
  // The values are ignored for binary semaphores.
  Submit(Queue(0, 0), {commands_}, {.signals = {At(semaphore, 77)}});
  Submit(Queue(0, 1), {}, {.waits = {At(semaphore, 5)}, .fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  vk.ResetCommandPool(device, pool_, 0);
  DestroyNow(semaphore);
}

TEST_F(PositiveInUse, AfterATimelineSemaphoresValue) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(), {commands_}, {.signals = {At(timeline, 3)}});
  uint64_t value = 3;
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &timeline, &value};
  vk.WaitSemaphores(device, &wait, UINT64_MAX);
  vk.ResetCommandPool(device, pool_, 0);
}

// Only the signal of 3 can have ended the wait for 2.
TEST_F(PositiveInUse, AfterABatchThatWaitedForATimelineSemaphore) {
  VkFence fence = MakeFence();
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(0, 0), {commands_}, {.signals = {At(timeline, 3)}});
  Submit(Queue(0, 1), {}, {.waits = {At(timeline, 2)}, .fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
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
  vk.DestroyCommandPool(device, pool_, nullptr);
  CancelDestroy(pool_);
}

TEST_F(PositiveInUse, ANewCommandBufferWithAnOldAddress) {
  Submit(Queue(), {commands_});
  vk.DeviceWaitIdle(device);
  for (int i = 0; i < 16; ++i) {
    vk.FreeCommandBuffers(device, pool_, 1, &commands_);
    VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_,
                                        VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    ASSERT_EQ(vk.AllocateCommandBuffers(device, &info, &commands_), VK_SUCCESS);
    Submit(Queue(), {});
  }
}

}  // namespace
}  // namespace assay::core
