// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What events were set with against what they are waited for with, and who touches them while a queue uses them.

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

constexpr char kOtherStages[] = "VUID-vkCmdWaitEvents-srcStageMask-01158";
constexpr char kSync1WaitForSync2Set[] = "VUID-vkCmdWaitEvents-pEvents-03847";
constexpr char kSync2WaitForSync1Set[] = "VUID-vkCmdWaitEvents2-pEvents-03837";
constexpr char kOtherDependency[] = "VUID-vkCmdWaitEvents2-pEvents-03838";
constexpr char kSetByHost[] = "VUID-vkCmdWaitEvents2-pEvents-03839";
constexpr char kUnsetByHost[] = "VUID-vkCmdWaitEvents2-pEvents-03840";
constexpr char kUnset[] = "VUID-vkCmdWaitEvents2-pEvents-03841";
constexpr char kHostSets[] = "VUID-vkSetEvent-event-09543";
constexpr char kHostResets[] = "VUID-vkResetEvent-event-03821";
constexpr char kHostResets2[] = "VUID-vkResetEvent-event-03822";
constexpr char kOtherQueue[] = "VUID-vkQueueSubmit-pCommandBuffers-00065";
constexpr char kOtherQueue2[] = "VUID-vkQueueSubmit2-commandBuffer-03867";

constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags kHost = VK_PIPELINE_STAGE_HOST_BIT;

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

  // The first generation.
  void Set1(VkCommandBuffer c, VkPipelineStageFlags stages = kTransfer) { vk.CmdSetEvent(c, event_, stages); }
  void Wait1(VkCommandBuffer c, const std::vector<VkEvent>& events, VkPipelineStageFlags stages) {
    vk.CmdWaitEvents(c, static_cast<uint32_t>(events.size()), events.data(), stages, kTransfer, 0, nullptr, 0, nullptr,
                     0, nullptr);
  }
  void Wait1(VkCommandBuffer c, VkPipelineStageFlags stages = kTransfer) { Wait1(c, {event_}, stages); }
  // The second.
  void Set2(VkCommandBuffer c, VkPipelineStageFlags2 stages = kTransfer) {
    WithMemoryBarrier(stages, [&](const VkDependencyInfo& info) { vk.CmdSetEvent2(c, event_, &info); });
  }
  void Wait2(VkCommandBuffer c, VkPipelineStageFlags2 stages = kTransfer) {
    WithMemoryBarrier(stages, [&](const VkDependencyInfo& info) { vk.CmdWaitEvents2(c, 1, &event_, &info); });
  }
  // Ordered after what comes before, and before what comes after.
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

// ---- What an event was set with.

TEST_F(NegativeEvent, OtherStages) {
  Run([&](VkCommandBuffer c) {
    Set1(c);
    Wait1(c, kTransfer | kCompute);
  });
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
  Run([&](VkCommandBuffer c) {
    vk.CmdSetEvent(c, other_, kTransfer);
    Wait1(c, {event_, other_}, kTransfer);
  });
  EXPECT_THAT(ExpectMessage(kOtherStages).text,
              HasSubstr("(VK_PIPELINE_STAGE_TRANSFER_BIT|VK_PIPELINE_STAGE_HOST_BIT)."));
}
TEST_F(NegativeEvent, StagesWithAHostThatDidNotSetIt) {
  Run([&](VkCommandBuffer c) {
    Set1(c);
    Wait1(c, kTransfer | kHost);
  });
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
  Run([&](VkCommandBuffer c) {
    Set1(c);
    Wait2(c);
  });
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
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Wait2(c, kHost);
    Wait1(c, kHost);
  });
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

// ---- Through command buffers.

TEST_F(NegativeEvent, InSecondaries) {
  const VkCommandBuffer set = Secondary([&](VkCommandBuffer c) {
    Reset(c);
    Set1(c);
  });
  const VkCommandBuffer wait = Secondary([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  Record([&](VkCommandBuffer c) {
    vk.CmdExecuteCommands(c, 1, &set);
    vk.CmdExecuteCommands(c, 1, &wait);
    EXPECT_THAT(ExpectMessage(kOtherStages).text, HasSubstr("vkCmdExecuteCommands(): pCommandBuffers[0] executes "
                                                            "vkCmdWaitEvents() of VkCommandBuffer"));
  });
  Run([&](VkCommandBuffer c) {
    Set1(c);
    vk.CmdExecuteCommands(c, 1, &wait);
  });
  ExpectMessage(kOtherStages);
}
TEST_F(PositiveEvent, InSecondaries) {
  const VkCommandBuffer both[] = {Secondary([&](VkCommandBuffer c) { Set1(c); }),
                                  Secondary([&](VkCommandBuffer c) { Wait1(c); })};
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    vk.CmdExecuteCommands(c, 2, both);
    Reset(c);
  });
  for (int i : {0, 1}) {
    SCOPED_TRACE(i);
    Submit(Queue(), {commands});
    vk.DeviceWaitIdle(device);
  }
}
TEST_F(NegativeEvent, InTheSameSubmission) {
  Submit(Queue(),
         {Record([&](VkCommandBuffer c) { Set2(c); }), Record([&](VkCommandBuffer c) { Wait2(c, kCompute); })});
  ExpectMessage(kOtherDependency);
}
TEST_F(PositiveEvent, RecordedAnew) {
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Wait2(c); });
  Begin(commands);
  End(commands);
  Submit(Queue(), {commands});
}
// The second set is without effect, and what the wait is to be like is not said.
TEST_F(PositiveEvent, SetTwice) {
  Run([&](VkCommandBuffer c) {
    Set1(c);
    Set1(c, kCompute);
    Wait1(c, kTransfer | kCompute);
  });
  vk.SetEvent(device, other_);
  Run([&](VkCommandBuffer c) {
    vk.CmdSetEvent(c, other_, kTransfer);
    Wait1(c, {other_}, kHost);
  });
}
TEST_F(PositiveEvent, SetAgainWithTheSame) {
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    Set2(c);
    Wait2(c);
  });
  Submit(Queue(), {commands});
  vk.DeviceWaitIdle(device);
  Submit(Queue(), {commands});
}
TEST_F(PositiveEvent, SetByTheHostWhileAQueueUsesIt) {
  driver().config().hold_work = true;
  Run([&](VkCommandBuffer c) { Reset(c); });
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait1(c, kTransfer); });
  driver().config().hold_work = false;
  driver().CompleteWork();
}
TEST_F(PositiveEvent, SubmissionFails) {
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  Run([&](VkCommandBuffer c) { Set1(c, kCompute); });
  Run([&](VkCommandBuffer c) { Wait1(c); });
  Run([&](VkCommandBuffer c) {
    Reset(c);
    Set1(c);
  });
  Run([&](VkCommandBuffer c) { Wait1(c, kCompute); });
  ExpectMessage(kOtherStages);
}
TEST_F(PositiveEvent, DestroyedAndMadeAgain) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  vk.DeviceWaitIdle(device);
  DestroyNow(event_);
  event_ = MakeEvent();
  Run([&](VkCommandBuffer c) {
    Set2(c);
    Wait2(c);
  });
}

// ---- Resets.

constexpr char kResetThenWait[] = "VUID-vkCmdResetEvent-event-03834";
constexpr char kResetThenWait2[] = "VUID-vkCmdResetEvent-event-03835";
constexpr char kReset2ThenWait[] = "VUID-vkCmdResetEvent2-event-03831";
constexpr char kReset2ThenWait2[] = "VUID-vkCmdResetEvent2-event-03832";
constexpr VkPipelineStageFlags2 kNoStage = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;

class EventReset : public Event {
 protected:
  void Reset1(VkCommandBuffer c, VkPipelineStageFlags stages) { vk.CmdResetEvent(c, event_, stages); }
  void Reset2(VkCommandBuffer c, VkPipelineStageFlags2 stages) { vk.CmdResetEvent2(c, event_, stages); }
  // For copies; Wait2() and its like are for all commands.
  void Wait2ForCopies(VkCommandBuffer c) {
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
    vk.CmdWaitEvents2(c, 1, &event_, &info);
  }
};
class NegativeEventReset : public EventReset {};
class PositiveEventReset : public EventReset {};

TEST_F(NegativeEventReset, BeforeTheWait) {
  Record([&](VkCommandBuffer c) {
    Reset1(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    Set1(c);
    Wait1(c);
    EXPECT_THAT(ExpectMessage(kResetThenWait).text, HasSubstr("vkCmdWaitEvents(): pEvents[0] (VkEvent"));
    Barrier(c);
    Reset2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    Set1(c);
    Wait1(c);
    ExpectMessage(kReset2ThenWait);
    Barrier(c);
    Reset1(c, kTransfer);
    Set2(c);
    Wait2(c);
    ExpectMessage(kResetThenWait2);
    Reset2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    Set2(c);
    Wait2(c);
    ExpectMessage(kReset2ThenWait2);
  });
}
TEST_F(NegativeEventReset, AfterTheWait) {
  for (VkPipelineStageFlags2 stages : {kNoStage, VkPipelineStageFlags2{kCompute}}) {
    SCOPED_TRACE(stages);
    Record([&](VkCommandBuffer c) {
      Wait1(c);
      Reset1(c, static_cast<VkPipelineStageFlags>(stages));
      EXPECT_THAT(ExpectMessage(kResetThenWait).text, HasSubstr("and holds up VK_PIPELINE_STAGE_TRANSFER_BIT alone."));
      Wait1(c);
      Reset2(c, stages);
      ExpectMessage(kReset2ThenWait);
      Barrier(c);
      Wait2ForCopies(c);
      ExpectMessage("VUID-vkCmdWaitEvents2-pEvents-03841");
      Reset1(c, static_cast<VkPipelineStageFlags>(stages));
      ExpectMessage(kResetThenWait2);
      Wait2ForCopies(c);
      ExpectMessage("VUID-vkCmdWaitEvents2-pEvents-03841");
      Reset2(c, stages);
      ExpectMessage(kReset2ThenWait2);
    });
  }
}
TEST_F(PositiveEventReset, OrderedByABarrier) {
  Record([&](VkCommandBuffer c) {
    Reset1(c, kTransfer);
    Barrier(c);
    Set1(c);
    Wait1(c);
    Barrier(c);
    Reset2(c, kCompute);
    const VkDependencyInfo none = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    vk.CmdPipelineBarrier2(c, &none);
    Set2(c);
    Wait2(c);
  });
}
// Its first synchronization scope has all commands, and so the reset.
TEST_F(PositiveEventReset, OrderedByTheSet) {
  Record([&](VkCommandBuffer c) {
    Reset1(c, kTransfer);
    Set1(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    Wait1(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    Reset2(c, kTransfer);
    Set2(c, VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);
    Wait2(c, VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);
  });
}
TEST_F(PositiveEventReset, OrderedByTheWait) {
  Record([&](VkCommandBuffer c) {
    Wait1(c);
    Reset1(c, kTransfer);
  });
  // Later than the copies that the wait holds up.
  Record([&](VkCommandBuffer c) {
    Wait2ForCopies(c);
    Reset2(c, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
  });
  Record([&](VkCommandBuffer c) {
    Wait2(c);
    Reset1(c, kCompute);
  });
  Record([&](VkCommandBuffer c) {
    Wait1(c);
    Reset1(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
  });
  // Logically later in the pipeline.
  Record([&](VkCommandBuffer c) {
    vk.CmdWaitEvents(c, 1, &event_, kTransfer, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
    Reset1(c, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
  });
}
TEST_F(PositiveEventReset, MayBeOrderedByASecondary) {
  const VkCommandBuffer secondary = Secondary([&](VkCommandBuffer c) { Barrier(c); });
  Record([&](VkCommandBuffer c) {
    Reset1(c, kTransfer);
    vk.CmdExecuteCommands(c, 1, &secondary);
    Set1(c);
    Wait1(c);
  });
}

// ---- While a queue uses an event.

TEST_F(NegativeEvent, HostSetsWhatIsWaitedFor) {
  driver().config().hold_work = true;
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait1(c, kHost); });
  vk.SetEvent(device, event_);
  EXPECT_THAT(ExpectMessage(kHostSets).text, HasSubstr("is waited for by a command buffer that VkQueue"));
  driver().config().hold_work = false;
  driver().CompleteWork();
}
TEST_F(NegativeEvent, HostResetsWhatIsWaitedFor) {
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait1(c, kHost); });
  vk.ResetEvent(device, event_);
  ExpectMessage(kHostResets);
  vk.SetEvent(device, other_);
  Run([&](VkCommandBuffer c) {
    event_ = other_;
    Wait2(c, kHost);
  });
  vk.ResetEvent(device, other_);
  ExpectMessage(kHostResets2);
}
TEST_F(PositiveEvent, HostWaitsBefore) {
  vk.SetEvent(device, event_);
  Run([&](VkCommandBuffer c) { Wait1(c, kHost); });
  vk.QueueWaitIdle(Queue());
  vk.ResetEvent(device, event_);
  vk.SetEvent(device, event_);
}
TEST_F(PositiveEvent, HostResetsBeforeItLetsTheQueueGoOn) {
  const VkSemaphore timeline = MakeTimeline();
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           Set1(c);
           Wait1(c);
         })},
         {.waits = {{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}}});
  vk.ResetEvent(device, event_);
  const VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  vk.SignalSemaphore(device, &signal);
}
// That a query is available tells the host of the wait before it.
TEST_F(PositiveEvent, HostAsksQueries) {
  const VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 1);
  Run([&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, queries, 0, 1);
    Set1(c);
    Wait1(c);
    vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, 0);
  });
  uint64_t time;
  vk.GetQueryPoolResults(device, queries, 0, 1, sizeof(time), &time, sizeof(time),
                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  vk.ResetEvent(device, event_);
}

TEST_F(NegativeEvent, OtherQueueUsesIt) {
  driver().config().hold_work = true;
  Run([&](VkCommandBuffer c) { Set1(c); });
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Reset(c); });
  Submit(Queue(0, 1), {commands});
  EXPECT_THAT(ExpectMessage(kOtherQueue2).text,
              HasSubstr("pSubmits[0].pCommandBufferInfos[0].commandBuffer (VkCommand"));
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  driver().config().hold_work = false;
  driver().CompleteWork();
  vk.DeviceWaitIdle(device);
  Run([&](VkCommandBuffer c) { Set1(c); });
  vk.QueueSubmit(Queue(0, 1), 1, &submit, VK_NULL_HANDLE);
  ExpectMessage(kOtherQueue);
}
TEST_F(PositiveEvent, OtherQueueUsedIt) {
  Run([&](VkCommandBuffer c) { Set1(c); });
  vk.QueueWaitIdle(Queue());
  Run([&](VkCommandBuffer c) { Reset(c); }, Queue(0, 1));
}

}  // namespace
}  // namespace assay::core
