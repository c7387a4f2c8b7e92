// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_EVENT_TEST_H_
#define ASSAY_SYNCVAL_COMMANDS_EVENT_TEST_H_

#include <functional>
#include <vector>

#include "syncval/fixture/sync_test.h"

// The fixture of tests of events.
namespace assay::syncval {

inline constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
inline constexpr Masks kWriteToRead = {kCopy, kWrite, kCopy, kRead};

class SyncEvent : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    event_ = MakeEvent();
    a_ = MakeBuffer(256);
    b_ = MakeBuffer(256);
    c_ = MakeBuffer(256);
  }
  void WriteB(VkCommandBuffer commands) { Copy(commands, a_, b_, {0, 0, 256}); }
  void ReadB(VkCommandBuffer commands) { Copy(commands, b_, c_, {0, 0, 256}); }

  // With synchronization2 commands.
  void Set(VkCommandBuffer commands, const Masks& masks, VkEvent event) {
    VkMemoryBarrier2 barrier = MemoryBarrier(masks);
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
    vk.CmdSetEvent2(commands, event, &info);
  }
  void Wait(VkCommandBuffer commands, const Masks& masks, VkEvent event) {
    VkMemoryBarrier2 barrier = MemoryBarrier(masks);
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
    vk.CmdWaitEvents2(commands, 1, &event, &info);
  }
  void Set(VkCommandBuffer commands) { Set(commands, kWriteToRead, event_); }
  void Wait(VkCommandBuffer commands) { Wait(commands, kWriteToRead, event_); }

  // With the sync1 command.
  void Wait1(VkCommandBuffer commands, std::vector<VkEvent> events, VkPipelineStageFlags src_stages,
             VkAccessFlags src_access, VkPipelineStageFlags dst_stages, VkAccessFlags dst_access) {
    VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, src_access, dst_access};
    vk.CmdWaitEvents(commands, static_cast<uint32_t>(events.size()), events.data(), src_stages, dst_stages, 1, &barrier,
                     0, nullptr, 0, nullptr);
  }
  VkCommandBuffer Secondary(const std::function<void(VkCommandBuffer)>& commands) {
    VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    Begin(secondary);
    commands(secondary);
    End(secondary);
    return secondary;
  }
  VkEvent event_ = VK_NULL_HANDLE;
  test::Buffer a_, b_, c_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_EVENT_TEST_H_
