// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_EVENTS_EVENT_TEST_H_
#define ASSAY_CORE_EVENTS_EVENT_TEST_H_

#include <functional>
#include <vector>

#include "testing/fixture.h"
#include "vk/vulkan.h"

// Test-only: the fixture of the tests of events.
namespace assay::core {

inline constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
inline constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
inline constexpr VkPipelineStageFlags kHost = VK_PIPELINE_STAGE_HOST_BIT;
inline constexpr char kOtherStages[] = "VUID-vkCmdWaitEvents-srcStageMask-01158";
inline constexpr char kOtherDependency[] = "VUID-vkCmdWaitEvents2-pEvents-03838";

// With one barrier of each kind.
struct Dependency {
  Dependency(VkBuffer buffer, VkImage image) {
    buffers.buffer = buffer;
    images.image = image;
  }
  operator const VkDependencyInfo*() {
    info.pMemoryBarriers = &memory;
    info.pBufferMemoryBarriers = &buffers;
    info.pImageMemoryBarriers = &images;
    return &info;
  }

  VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                             .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                             .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                             .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                             .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT};
  VkBufferMemoryBarrier2 buffers = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                    .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                    .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                    .size = VK_WHOLE_SIZE};
  VkImageMemoryBarrier2 images = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                  .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                  .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                  .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                  .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                           .memoryBarrierCount = 1,
                           .bufferMemoryBarrierCount = 1,
                           .imageMemoryBarrierCount = 1};
};

class Event : public test::ValidationTest {
 protected:
  using Commands = std::function<void(VkCommandBuffer)>;
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }
  void SetUp() override {
    ValidationTest::SetUp();
    event_ = MakeEvent();
    other_ = MakeEvent();
  }

  // Commands of sync1.
  void Set1(VkCommandBuffer c, VkPipelineStageFlags stages = kTransfer) { vk.CmdSetEvent(c, event_, stages); }
  void Wait1(VkCommandBuffer c, const std::vector<VkEvent>& events, VkPipelineStageFlags stages) {
    vk.CmdWaitEvents(c, static_cast<uint32_t>(events.size()), events.data(), stages, kTransfer, 0, nullptr, 0, nullptr,
                     0, nullptr);
  }
  void Wait1(VkCommandBuffer c, VkPipelineStageFlags stages = kTransfer) { Wait1(c, {event_}, stages); }
  // Commands of synchronization2.
  void Set2(VkCommandBuffer c, VkPipelineStageFlags2 stages = kTransfer) {
    WithMemoryBarrier(stages, [&](const VkDependencyInfo& info) { vk.CmdSetEvent2(c, event_, &info); });
  }
  void Wait2(VkCommandBuffer c, VkPipelineStageFlags2 stages = kTransfer) {
    WithMemoryBarrier(stages, [&](const VkDependencyInfo& info) { vk.CmdWaitEvents2(c, 1, &event_, &info); });
  }
  // Ordered after all earlier commands, and before all later ones.
  void Reset(VkCommandBuffer c) {
    vk.CmdResetEvent(c, event_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    Barrier(c);
  }
  void Barrier(VkCommandBuffer c) {
    vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0,
                          nullptr, 0, nullptr);
  }

  void Run(const Commands& commands, VkQueue queue = VK_NULL_HANDLE) {
    Submit(queue != VK_NULL_HANDLE ? queue : Queue(), {Record(commands)});
  }
  VkCommandBuffer Secondary(const Commands& commands) {
    const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    Begin(secondary);
    commands(secondary);
    End(secondary);
    return secondary;
  }
  VkEvent event_ = VK_NULL_HANDLE, other_ = VK_NULL_HANDLE;

 private:
  static void WithMemoryBarrier(VkPipelineStageFlags2 stages,
                                const std::function<void(const VkDependencyInfo&)>& visit) {
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = stages,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    visit({.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier});
  }
};
class NegativeEvent : public Event {};
class PositiveEvent : public Event {};

}  // namespace assay::core

#endif  // ASSAY_CORE_EVENTS_EVENT_TEST_H_
