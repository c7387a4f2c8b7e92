// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_EVENTS_EVENT_TEST_H_
#define ASSAY_CORE_EVENTS_EVENT_TEST_H_

#include <functional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
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
  operator const VkDependencyInfo*() {
    info.pMemoryBarriers = &memory;
    info.pBufferMemoryBarriers = &buffers;
    info.pImageMemoryBarriers = &images;
    return &info;
  }

  static constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
  VkBuffer buffer;
  VkImage image;
  VkMemoryBarrier2 memory =
      test::Of<VkMemoryBarrier2>(kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT, kCopy, VK_ACCESS_2_TRANSFER_READ_BIT);
  VkBufferMemoryBarrier2 buffers = test::Typed(
      VkBufferMemoryBarrier2{.srcStageMask = kCopy, .dstStageMask = kCopy, .buffer = buffer, .size = VK_WHOLE_SIZE});
  VkImageMemoryBarrier2 images = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                  .srcStageMask = kCopy,
                                  .dstStageMask = kCopy,
                                  .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                  .image = image,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  VkDependencyInfo info = test::Typed(
      VkDependencyInfo{.memoryBarrierCount = 1, .bufferMemoryBarrierCount = 1, .imageMemoryBarrierCount = 1});
};

// With one memory barrier.
struct MemoryDependency {
  operator const VkDependencyInfo*() {
    info.pMemoryBarriers = &memory;
    return &info;
  }

  VkPipelineStageFlags2 first, second = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkMemoryBarrier2 memory = test::Of<VkMemoryBarrier2>(first, VK_ACCESS_2_NONE, second);
  VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1};
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

  // The commands that follow return a step of a recording.
  using Steps = std::vector<Commands>;
  static Commands All(const Steps& steps) {
    return [=](VkCommandBuffer c) {
      for (const Commands& step : steps) step(c);
    };
  }

  // Calls a command with these arguments.
  template <class... Parameters, class... Arguments>
  static Commands Call(void (*command)(VkCommandBuffer, Parameters...), Arguments... arguments) {
    return [=](VkCommandBuffer c) { command(c, arguments...); };
  }
  // Commands of sync1.
  Commands Set1(VkEvent event, VkPipelineStageFlags stages) { return Call(vk.CmdSetEvent, event, stages); }
  Commands Set1(VkPipelineStageFlags stages = kTransfer) { return Set1(event_, stages); }
  Commands Wait1(const std::vector<VkEvent>& events, VkPipelineStageFlags stages) {
    return [=, this](VkCommandBuffer c) {
      vk.CmdWaitEvents(c, static_cast<uint32_t>(events.size()), events.data(), stages, kTransfer, 0, nullptr, 0,
                       nullptr, 0, nullptr);
    };
  }
  Commands Wait1(VkPipelineStageFlags stages = kTransfer) { return Wait1({event_}, stages); }
  // Commands of synchronization2.
  Commands Set2(const VkDependencyInfo* info) { return Call(vk.CmdSetEvent2, event_, info); }
  Commands Wait2(const VkDependencyInfo* info) { return Call(vk.CmdWaitEvents2, 1, &event_, info); }
  Commands Set2(VkPipelineStageFlags2 stages = kTransfer) {
    return [=, this](VkCommandBuffer c) { Set2(MemoryDependency{stages})(c); };
  }
  // The barrier is for stages `later`, too.
  Commands Wait2(VkPipelineStageFlags2 stages = kTransfer,
                 VkPipelineStageFlags2 later = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) {
    return [=, this](VkCommandBuffer c) { Wait2(MemoryDependency{stages, later})(c); };
  }
  Commands Reset1(VkPipelineStageFlags stages) { return Call(vk.CmdResetEvent, event_, stages); }
  Commands Reset2(VkPipelineStageFlags2 stages) { return Call(vk.CmdResetEvent2, event_, stages); }
  Commands Barrier() {
    constexpr auto kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    return Call(vk.CmdPipelineBarrier, kAll, kAll, 0, 0, nullptr, 0, nullptr, 0, nullptr);
  }
  // Ordered after all earlier commands, and before all later ones.
  Commands Reset() { return All({Reset1(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT), Barrier()}); }
  Commands SetAndWait() { return All({Set1(), Wait1()}); }
  Commands Execute(const std::vector<VkCommandBuffer>& secondaries) {
    return [=, this](VkCommandBuffer c) {
      vk.CmdExecuteCommands(c, static_cast<uint32_t>(secondaries.size()), secondaries.data());
    };
  }
  // The step before broke that rule, and the message has that text.
  Commands Reports(const char* rule, const char* text = "") {
    return [=, this](VkCommandBuffer) {
      SCOPED_TRACE(rule);
      EXPECT_THAT(ExpectMessage(rule).text, ::testing::HasSubstr(text));
    };
  }

  using ValidationTest::Record;
  VkCommandBuffer Record(const Steps& steps) { return Record(All(steps)); }
  void Run(const Steps& steps, VkQueue queue = VK_NULL_HANDLE) {
    Submit(queue != VK_NULL_HANDLE ? queue : Queue(), {Record(steps)});
  }
  // Those steps break that rule when they are submitted. The message has that text.
  void Run(const char* rule, const Steps& steps, const char* text = "") {
    Run(steps);
    Reports(rule, text)(VK_NULL_HANDLE);
  }
  // The device executes nothing from Hold() to Complete().
  void Hold() { driver().config().hold_work = true; }
  void Complete() {
    driver().config().hold_work = false;
    driver().CompleteWork();
  }
  VkCommandBuffer Secondary(const Steps& steps) { return Record(All(steps), 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY); }
  VkEvent event_ = VK_NULL_HANDLE, other_ = VK_NULL_HANDLE;
};
class NegativeEvent : public Event {};
class PositiveEvent : public Event {};

}  // namespace assay::core

#endif  // ASSAY_CORE_EVENTS_EVENT_TEST_H_
