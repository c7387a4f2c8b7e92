// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of object_lifetimes, of this room, and of the state that it needs does not grow with the number of frames.

#include <malloc.h>

#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

// Of the process.
size_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

class Memory : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"stateless_param", false},
                         {"thread_safety", false},
                         {"validate_core", false},
                         {"validate_sync", false},
                         {"object_lifetime", true}}};
  }
  void SetUp() override {
    ValidationTest::SetUp();
    timeline_ = MakeTimeline();
    fence_ = MakeFence();
    queries_ = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 4);
    event_ = MakeEvent();
    queue_ = Queue();
  }

  VkBuffer NewBuffer(VkDeviceMemory* memory) {
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 64,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    vk.CreateBuffer(device, &info, nullptr, &buffer);
    const VkMemoryAllocateInfo allocation = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 4096, 1};
    vk.AllocateMemory(device, &allocation, nullptr, memory);
    vk.BindBufferMemory(device, buffer, *memory, 0);
    return buffer;
  }
  void Submit(VkCommandBuffer commands, const VkSemaphoreSubmitInfo* wait, VkSemaphore signal, VkFence fence) {
    const VkCommandBufferSubmitInfo executed = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr, commands, 0};
    const VkSemaphoreSubmitInfo signals[] = {
        {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline_, ++time_, VK_PIPELINE_STAGE_2_COPY_BIT, 0},
        {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, signal, 0, VK_PIPELINE_STAGE_2_COPY_BIT, 0}};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .waitSemaphoreInfoCount = wait != nullptr ? 1u : 0u,
                                .pWaitSemaphoreInfos = wait,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &executed,
                                .signalSemaphoreInfoCount = signal != VK_NULL_HANDLE ? 2u : 1u,
                                .pSignalSemaphoreInfos = signals};
    ASSERT_EQ(vk.QueueSubmit2(queue_, 1, &info, fence), VK_SUCCESS);
  }

  // Everything is new but the timeline semaphore, the fence, the event and the query pool.
  void Frame() {
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool pool = VK_NULL_HANDLE;
    vk.CreateCommandPool(device, &pool_info, nullptr, &pool);
    const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                              VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2};
    VkCommandBuffer commands[2];
    vk.AllocateCommandBuffers(device, &info, commands);
    VkDeviceMemory memory[2];
    const VkBuffer buffers[] = {NewBuffer(&memory[0]), NewBuffer(&memory[1])};
    const VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    vk.CreateSemaphore(device, &semaphore_info, nullptr, &semaphore);
    for (VkCommandBuffer c : commands) {
      const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
      vk.BeginCommandBuffer(c, &begin);
      const VkBufferCopy region = {0, 0, 64};
      vk.CmdCopyBuffer(c, buffers[0], buffers[1], 1, &region);
      vk.CmdResetQueryPool(c, queries_, 0, 4);
      for (uint32_t i = 0; i < 4; ++i) {
        vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries_, i);
      }
      vk.CmdSetEvent(c, event_, VK_PIPELINE_STAGE_TRANSFER_BIT);
      vk.CmdResetEvent(c, event_, VK_PIPELINE_STAGE_TRANSFER_BIT);
      vk.EndCommandBuffer(c);
    }
    const VkSemaphoreSubmitInfo wait = {
        VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, 0, VK_PIPELINE_STAGE_2_COPY_BIT, 0};
    Submit(commands[0], nullptr, semaphore, VK_NULL_HANDLE);
    Submit(commands[1], &wait, VK_NULL_HANDLE, fence_);
    vk.WaitForFences(device, 1, &fence_, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device, 1, &fence_);
    for (int i : {0, 1}) {
      vk.DestroyBuffer(device, buffers[i], nullptr);
      vk.FreeMemory(device, memory[i], nullptr);
    }
    vk.DestroySemaphore(device, semaphore, nullptr);
    vk.DestroyCommandPool(device, pool, nullptr);
  }

  VkSemaphore timeline_ = VK_NULL_HANDLE;
  uint64_t time_ = 0;
  VkFence fence_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  VkEvent event_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
};

TEST_F(Memory, DoesNotGrowWithFrames) {
  constexpr int kFrames = 4000;
  // Fills the queue of free slots, which a process keeps.
  for (int i = 0; i < kFrames; ++i) Frame();
  const size_t before = AllocatedBytes();
  for (int i = 0; i < kFrames; ++i) Frame();
  const size_t after = AllocatedBytes();
  EXPECT_LT(after, before + 4 * kFrames) << static_cast<double>(after - before) / kFrames << " bytes a frame";
}

}  // namespace
}  // namespace assay::core
