// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of object_lifetimes, of this room, and of the state that it needs does not grow with the number of frames.

#include <cstdint>

#include "core/lifetime/lifetime_test.h"

namespace assay::core {
namespace {

class Memory : public LifetimeTest {
 protected:
  test::DeviceOptions Options() override { return OnlyValidator("object_lifetime"); }
  void SetUp() override {
    LifetimeTest::SetUp();
    queries_ = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 4);
    event_ = MakeEvent();
    queue_ = Queue();
  }

  // Everything is new but the timeline semaphore, the fence, the event and the query pool.
  void Frame() {
    const VkCommandPool pool = MakeCommandPool();
    const auto info = Of<VkCommandBufferAllocateInfo>(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2);
    VkCommandBuffer commands[2];
    vk.AllocateCommandBuffers(device, &info, commands);
    const test::Buffer buffers[] = {MakeBuffer(64), MakeBuffer(64)};
    const VkSemaphore semaphore = MakeSemaphore();
    for (VkCommandBuffer c : commands) {
      Begin(c);
      Copy(c, buffers[0], buffers[1]);
      vk.CmdResetQueryPool(c, queries_, 0, 4);
      for (uint32_t i = 0; i < 4; ++i) vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries_, i);
      vk.CmdSetEvent(c, event_, VK_PIPELINE_STAGE_TRANSFER_BIT);
      vk.CmdResetEvent(c, event_, VK_PIPELINE_STAGE_TRANSFER_BIT);
      End(c);
    }
    const SubmitOptions first = {.signals = {At(timeline, ++time_), At(semaphore)}};
    const SubmitOptions second = {.waits = {At(semaphore)}, .signals = {At(timeline, ++time_)}, .fence = fence};
    ASSERT_EQ(Submit(queue_, {commands[0]}, first), VK_SUCCESS);
    ASSERT_EQ(Submit(queue_, {commands[1]}, second), VK_SUCCESS);
    Wait(fence);
    vk.ResetFences(device, 1, &fence);
    for (const test::Buffer& buffer : buffers) {
      DestroyNow(buffer);
      DestroyNow(buffer.memory);
    }
    DestroyNow(semaphore);
    DestroyNow(pool);
  }

  uint64_t time_ = 0;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  VkEvent event_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
};

TEST_F(Memory, DoesNotGrowWithFrames) {
  ExpectNoGrowth(4000, 4, [this] { Frame(); });
}

}  // namespace
}  // namespace assay::core
