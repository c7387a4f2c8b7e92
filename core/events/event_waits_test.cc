// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The stages and dependencies that events are waited for with, against those that they were set with.

#include <functional>
#include <string>

#include "core/events/event_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr char kSync1WaitForSync2Set[] = "VUID-vkCmdWaitEvents-pEvents-03847";
constexpr char kSync2WaitForSync1Set[] = "VUID-vkCmdWaitEvents2-pEvents-03837";
constexpr char kSetByHost[] = "VUID-vkCmdWaitEvents2-pEvents-03839";
constexpr char kUnsetByHost[] = "VUID-vkCmdWaitEvents2-pEvents-03840";
constexpr char kUnset[] = "VUID-vkCmdWaitEvents2-pEvents-03841";

TEST_F(NegativeEvent, OtherStages) {
  Run([&](VkCommandBuffer c) { Set1(c), Wait1(c, kTransfer | kCompute); });
  const std::string text = ExpectMessage(kOtherStages).text;
  EXPECT_THAT(text, HasSubstr("executes vkCmdWaitEvents() of VkCommandBuffer"));
  EXPECT_THAT(text,
              HasSubstr("whose srcStageMask (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT|VK_PIPELINE_STAGE_TRANSFER_BIT) "
                        "is not what the events were set with (VK_PIPELINE_STAGE_TRANSFER_BIT)."));
}
TEST_F(NegativeEvent, OtherStagesAfterAReset) {
  Record([&](VkCommandBuffer c) {
    Reset(c);
    Set1(c);
    Wait1(c, kCompute);
    EXPECT_THAT(ExpectMessage(kOtherStages).text,
                HasSubstr("vkCmdWaitEvents(): srcStageMask (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) is not"));
  });
}
TEST_F(NegativeEvent, StagesOfOneOfTwo) {
  for (VkPipelineStageFlags stages : {kTransfer, kCompute}) {
    SCOPED_TRACE(stages);
    Run([&](VkCommandBuffer c) {
      vk.CmdResetEvent(c, other_, kTransfer);
      Reset(c);
      Set1(c);
      vk.CmdSetEvent(c, other_, kCompute);
      Wait1(c, {event_, other_}, stages);
      ExpectMessage(kOtherStages);
    });
  }
}
TEST_F(NegativeEvent, StagesWithoutTheHost) {
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { vk.CmdSetEvent(c, other_, kTransfer), Wait1(c, {event_, other_}, kTransfer); });
  EXPECT_THAT(ExpectMessage(kOtherStages).text,
              HasSubstr("(VK_PIPELINE_STAGE_TRANSFER_BIT|VK_PIPELINE_STAGE_HOST_BIT)."));
}
TEST_F(NegativeEvent, StagesWithAHostThatDidNotSetIt) {
  Run([&](VkCommandBuffer c) { Set1(c), Wait1(c, kTransfer | kHost); });
  ExpectMessage(kOtherStages);
}
TEST_F(PositiveEvent, SameStages) {
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) {
    vk.CmdSetEvent(c, other_, kTransfer);
    Wait1(c, {event_, other_}, kTransfer | kHost);
    Reset(c);
    Set1(c, kCompute);
    Wait1(c, {event_, other_}, kTransfer | kCompute);
  });
}

TEST_F(NegativeEvent, SetAndWaitedForByDifferentVersions) {
  Run([&](VkCommandBuffer c) { Set1(c), Wait2(c); });
  EXPECT_THAT(ExpectMessage(kSync2WaitForSync1Set).text, HasSubstr("was set by vkCmdSetEvent()."));
  Run([&](VkCommandBuffer c) {
    Reset(c);
    Set2(c);
    Wait1(c);
    EXPECT_THAT(ExpectMessage(kSync1WaitForSync2Set).text, HasSubstr("vkCmdWaitEvents(): pEvents[0] (VkEvent"));
  });
  Run([&](VkCommandBuffer c) { Wait1(c); });
  ExpectMessage(kSync1WaitForSync2Set);
}

TEST_F(NegativeEvent, OtherDependency) {
  const test::Buffer buffer = MakeBuffer(1024);
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, 0, 2);
  struct Change {
    const char* member;
    std::function<void(Dependency&)> make;
  };
  const Change changes[] = {
      {"memoryBarrierCount was 1 there, and is 0 here", [](Dependency& d) { d.info.memoryBarrierCount = 0; }},
      {"pMemoryBarriers[0].dstAccessMask was VK_ACCESS_2_TRANSFER_READ_BIT there, and is VK_ACCESS_2_NONE here",
       [](Dependency& d) { d.memory.dstAccessMask = 0; }},
      {"pMemoryBarriers[0].srcStageMask was VK_PIPELINE_STAGE_2_COPY_BIT",
       [](Dependency& d) { d.memory.srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT; }},
      {"pBufferMemoryBarriers[0].size was VK_WHOLE_SIZE there, and is 1024 here",
       [](Dependency& d) { d.buffers.size = 1024; }},
      {"pBufferMemoryBarriers[0].offset", [](Dependency& d) { d.buffers.offset = 512; }},
      {"pImageMemoryBarriers[0].newLayout was VK_IMAGE_LAYOUT_GENERAL there, and is VK_IMAGE_LAYOUT_TRANSFER",
       [](Dependency& d) { d.images.newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL; }},
      {"pImageMemoryBarriers[0].subresourceRange.baseMipLevel was 0 there, and is 1 here",
       [](Dependency& d) { d.images.subresourceRange.baseMipLevel = 1; }},
  };
  for (const Change& change : changes) {
    SCOPED_TRACE(change.member);
    Run([&](VkCommandBuffer c) {
      Reset(c);
      Dependency dependency(buffer, image);
      vk.CmdSetEvent2(c, event_, dependency);
      change.make(dependency);
      vk.CmdWaitEvents2(c, 1, &event_, dependency);
      EXPECT_THAT(ExpectMessage(kOtherDependency).text, HasSubstr(change.member));
    });
  }
}
TEST_F(NegativeEvent, OtherDependencyOfTheSecond) {
  Run([&](VkCommandBuffer c) {
    const VkMemoryBarrier2 barriers[] = {
        {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT},
        {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT}};
    const VkDependencyInfo infos[] = {
        {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barriers[0]},
        {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barriers[1]}};
    const VkEvent events[] = {event_, other_};
    vk.CmdSetEvent2(c, event_, &infos[0]);
    vk.CmdSetEvent2(c, other_, &infos[0]);
    vk.CmdWaitEvents2(c, 2, events, infos);
  });
  EXPECT_THAT(ExpectMessage(kOtherDependency).text, HasSubstr("executes vkCmdWaitEvents2() of VkCommandBuffer"));
}
TEST_F(PositiveEvent, SameDependency) {
  const test::Buffer buffer = MakeBuffer(1024);
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  Dependency set(buffer, image), wait(buffer, image);
  Run([&](VkCommandBuffer c) {
    vk.CmdSetEvent2(c, event_, set);
    vk.CmdWaitEvents2(c, 1, &event_, wait);
    Reset(c);
    vk.CmdSetEvent2(c, event_, set);
  });
  Run([&](VkCommandBuffer c) { vk.CmdWaitEvents2(c, 1, &event_, wait); });
}

TEST_F(NegativeEvent, SetByTheHost) {
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait2(c, VK_PIPELINE_STAGE_2_COPY_BIT | kHost); });
  EXPECT_THAT(ExpectMessage(kSetByHost).text, HasSubstr("was set by vkSetEvent(), and the barriers wait for "
                                                        "VK_PIPELINE_STAGE_2_HOST_BIT|VK_PIPELINE_STAGE_2_COPY_BIT."));
}
TEST_F(NegativeEvent, NotSetByTheHost) {
  Run([&](VkCommandBuffer c) { Wait2(c, kHost); });
  ExpectMessage(kUnsetByHost);
}
TEST_F(NegativeEvent, ResetByTheHost) {
  vk.SetEvent(device, event_);
  vk.ResetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait2(c, kHost); });
  ExpectMessage(kUnsetByHost);
}
TEST_F(PositiveEvent, SetByTheHost) {
  vk.SetEvent(device, event_);
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Wait2(c, kHost), Wait1(c, kHost); });
  Submit(Queue(), {commands});
  vk.DeviceWaitIdle(device);
  vk.ResetEvent(device, event_);
  vk.SetEvent(device, event_);
  Submit(Queue(), {commands});
}

TEST_F(NegativeEvent, NeverSet) {
  Run([&](VkCommandBuffer c) { Wait2(c); });
  EXPECT_THAT(ExpectMessage(kUnset).text, HasSubstr("is not set: no vkCmdSetEvent2() comes before"));
}
TEST_F(NegativeEvent, Reset) {
  Record([&](VkCommandBuffer c) {
    Set2(c);
    Reset(c);
    Wait2(c);
    ExpectMessage(kUnset);
  });
  Run([&](VkCommandBuffer c) { Set2(c); });
  Run([&](VkCommandBuffer c) { vk.CmdResetEvent2(c, event_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT); });
  Run([&](VkCommandBuffer c) { Wait2(c); });
  ExpectMessage(kUnset);
}
TEST_F(NegativeEvent, SetOnAnotherQueue) {
  Run([&](VkCommandBuffer c) { Set2(c); }, Queue(0, 1));
  vk.DeviceWaitIdle(device);
  Run([&](VkCommandBuffer c) { Wait2(c); });
  EXPECT_THAT(ExpectMessage(kUnset).text, HasSubstr("which is another queue."));
}
TEST_F(PositiveEvent, SetOnTheSameQueue) {
  Run([&](VkCommandBuffer c) { Set2(c); });
  Run([&](VkCommandBuffer c) { Wait2(c); });
  vk.DeviceWaitIdle(device);
  vk.ResetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Set2(c, kCompute); }, Queue(0, 1));
  Run([&](VkCommandBuffer c) { Wait2(c, kCompute); }, Queue(0, 1));
}

}  // namespace
}  // namespace assay::core
