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
  Run({Set1(), Wait1(kTransfer | kCompute)});
  const std::string text = ExpectMessage(kOtherStages).text;
  EXPECT_THAT(text, HasSubstr("executes vkCmdWaitEvents() of VkCommandBuffer"));
  EXPECT_THAT(text,
              HasSubstr("whose srcStageMask (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT|VK_PIPELINE_STAGE_TRANSFER_BIT) "
                        "is not what the events were set with (VK_PIPELINE_STAGE_TRANSFER_BIT)."));
}
TEST_F(NegativeEvent, OtherStagesAfterAReset) {
  Record({Reset(), Set1(), Wait1(kCompute),
          Reports(kOtherStages, "vkCmdWaitEvents(): srcStageMask (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) is not")});
}
TEST_F(NegativeEvent, StagesOfOneOfTwo) {
  for (VkPipelineStageFlags stages : {kTransfer, kCompute}) {
    SCOPED_TRACE(stages);
    Run({Call(vk.CmdResetEvent, other_, kTransfer), Reset(), Set1(), Set1(other_, kCompute),
         Wait1({event_, other_}, stages), Reports(kOtherStages)});
  }
}
TEST_F(NegativeEvent, StagesWithoutTheHost) {
  vk.SetEvent(device, event_);
  Run(kOtherStages, {Set1(other_, kTransfer), Wait1({event_, other_}, kTransfer)},
      "(VK_PIPELINE_STAGE_TRANSFER_BIT|VK_PIPELINE_STAGE_HOST_BIT).");
}
TEST_F(NegativeEvent, StagesWithAHostThatDidNotSetIt) { Run(kOtherStages, {Set1(), Wait1(kTransfer | kHost)}); }
TEST_F(PositiveEvent, SameStages) {
  vk.SetEvent(device, event_);
  Run({Set1(other_, kTransfer), Wait1({event_, other_}, kTransfer | kHost), Reset(), Set1(kCompute),
       Wait1({event_, other_}, kTransfer | kCompute)});
}

TEST_F(NegativeEvent, SetAndWaitedForByDifferentVersions) {
  Run(kSync2WaitForSync1Set, {Set1(), Wait2()}, "was set by vkCmdSetEvent().");
  Run({Reset(), Set2(), Wait1(), Reports(kSync1WaitForSync2Set, "vkCmdWaitEvents(): pEvents[0] (VkEvent")});
  Run(kSync1WaitForSync2Set, {Wait1()});
}

TEST_F(NegativeEvent, OtherDependency) {
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
    Dependency dependency = {MakeBuffer(1024), MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, 0, 2)};
    Run({Reset(), Set2(dependency), [&](VkCommandBuffer) { change.make(dependency); }, Wait2(dependency),
         Reports(kOtherDependency, change.member)});
  }
}
TEST_F(NegativeEvent, OtherDependencyOfTheSecond) {
  Run({[&](VkCommandBuffer c) {
    MemoryDependency copy{VK_PIPELINE_STAGE_2_COPY_BIT}, clear{VK_PIPELINE_STAGE_2_CLEAR_BIT};
    const VkDependencyInfo *of_copy = copy, *of_clear = clear, infos[] = {*of_copy, *of_clear};
    const VkEvent events[] = {event_, other_};
    vk.CmdSetEvent2(c, event_, of_copy);
    vk.CmdSetEvent2(c, other_, of_copy);
    vk.CmdWaitEvents2(c, 2, events, infos);
  }});
  EXPECT_THAT(ExpectMessage(kOtherDependency).text, HasSubstr("executes vkCmdWaitEvents2() of VkCommandBuffer"));
}
TEST_F(PositiveEvent, SameDependency) {
  Dependency set = {MakeBuffer(1024), MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16)}, wait = set;
  Run({Set2(set), Wait2(wait), Reset(), Set2(set)});
  Run({Wait2(wait)});
}

TEST_F(NegativeEvent, SetByTheHost) {
  vk.SetEvent(device, event_);
  Run(kSetByHost, {Wait2(VK_PIPELINE_STAGE_2_COPY_BIT | kHost)},
      "was set by vkSetEvent(), and the barriers wait for VK_PIPELINE_STAGE_2_HOST_BIT|VK_PIPELINE_STAGE_2_COPY_BIT.");
}
TEST_F(NegativeEvent, NotSetByTheHost) { Run(kUnsetByHost, {Wait2(kHost)}); }
TEST_F(NegativeEvent, ResetByTheHost) {
  vk.SetEvent(device, event_);
  vk.ResetEvent(device, event_);
  Run(kUnsetByHost, {Wait2(kHost)});
}
TEST_F(PositiveEvent, SetByTheHost) {
  vk.SetEvent(device, event_);
  const VkCommandBuffer commands = Record({Wait2(kHost), Wait1(kHost)});
  Submit(Queue(), {commands});
  vk.DeviceWaitIdle(device);
  vk.ResetEvent(device, event_);
  vk.SetEvent(device, event_);
  Submit(Queue(), {commands});
}

TEST_F(NegativeEvent, NeverSet) { Run(kUnset, {Wait2()}, "is not set: no vkCmdSetEvent2() comes before"); }
TEST_F(NegativeEvent, Reset) {
  Record({Set2(), Reset(), Wait2(), Reports(kUnset)});
  Run({Set2()});
  Run({Reset2(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)});
  Run(kUnset, {Wait2()});
}
TEST_F(NegativeEvent, SetOnAnotherQueue) {
  Run({Set2()}, Queue(0, 1));
  vk.DeviceWaitIdle(device);
  Run(kUnset, {Wait2()}, "which is another queue.");
}
TEST_F(PositiveEvent, SetOnTheSameQueue) {
  Run({Set2()});
  Run({Wait2()});
  vk.DeviceWaitIdle(device);
  vk.ResetEvent(device, event_);
  Run({Set2(kCompute)}, Queue(0, 1));
  Run({Wait2(kCompute)}, Queue(0, 1));
}

}  // namespace
}  // namespace assay::core
