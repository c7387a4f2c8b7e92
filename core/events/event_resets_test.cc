// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Resets of events, ordered against waits or not.

#include "core/events/event_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

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
// The set's first synchronization scope has all commands, and so includes the reset.
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
  Record([&](VkCommandBuffer c) { Wait1(c), Reset1(c, kTransfer); });
  // Later than the copies that the wait holds up.
  Record([&](VkCommandBuffer c) { Wait2ForCopies(c), Reset2(c, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT); });
  Record([&](VkCommandBuffer c) { Wait2(c), Reset1(c, kCompute); });
  Record([&](VkCommandBuffer c) { Wait1(c), Reset1(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT); });
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

}  // namespace
}  // namespace assay::core
