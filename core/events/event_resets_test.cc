// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Resets of events, ordered against waits or not.

#include "core/events/event_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr char kResetThenWait[] = "VUID-vkCmdResetEvent-event-03834";
constexpr char kResetThenWait2[] = "VUID-vkCmdResetEvent-event-03835";
constexpr char kReset2ThenWait[] = "VUID-vkCmdResetEvent2-event-03831";
constexpr char kReset2ThenWait2[] = "VUID-vkCmdResetEvent2-event-03832";
constexpr VkPipelineStageFlags2 kNoStage = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;

class EventReset : public Event {
 protected:
  // For copies; Wait2() alone is for all commands.
  Commands Wait2ForCopies() { return Wait2(VK_PIPELINE_STAGE_2_COPY_BIT, VK_PIPELINE_STAGE_2_COPY_BIT); }
};
class NegativeEventReset : public EventReset {};
class PositiveEventReset : public EventReset {};

TEST_F(NegativeEventReset, BeforeTheWait) {
  Record({Reset1(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT), Set1(), Wait1(),
          Reports(kResetThenWait, "vkCmdWaitEvents(): pEvents[0] (VkEvent"), Barrier(),
          Reset2(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT), Set1(), Wait1(), Reports(kReset2ThenWait), Barrier(),
          Reset1(kTransfer), Set2(), Wait2(), Reports(kResetThenWait2), Reset2(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
          Set2(), Wait2(), Reports(kReset2ThenWait2)});
}
TEST_F(NegativeEventReset, AfterTheWait) {
  for (VkPipelineStageFlags2 stages : {kNoStage, VkPipelineStageFlags2{kCompute}}) {
    SCOPED_TRACE(stages);
    Record({Wait1(), Reset1(static_cast<VkPipelineStageFlags>(stages)),
            Reports(kResetThenWait, "and holds up VK_PIPELINE_STAGE_TRANSFER_BIT alone."), Wait1(), Reset2(stages),
            Reports(kReset2ThenWait), Barrier(), Wait2ForCopies(), Reports("VUID-vkCmdWaitEvents2-pEvents-03841"),
            Reset1(static_cast<VkPipelineStageFlags>(stages)), Reports(kResetThenWait2), Wait2ForCopies(),
            Reports("VUID-vkCmdWaitEvents2-pEvents-03841"), Reset2(stages), Reports(kReset2ThenWait2)});
  }
}
TEST_F(PositiveEventReset, OrderedByABarrier) {
  const VkDependencyInfo none = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  Record({Reset1(kTransfer), Barrier(), Set1(), Wait1(), Barrier(), Reset2(kCompute),
          Call(vk.CmdPipelineBarrier2, &none), Set2(), Wait2()});
}
// The set's first synchronization scope has all commands, and so includes the reset.
TEST_F(PositiveEventReset, OrderedByTheSet) {
  Record({Reset1(kTransfer), Set1(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT), Wait1(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT),
          Reset2(kTransfer), Set2(VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT),
          Wait2(VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT)});
}
TEST_F(PositiveEventReset, OrderedByTheWait) {
  Record({Wait1(), Reset1(kTransfer)});
  // Later than the copies that the wait holds up.
  Record({Wait2ForCopies(), Reset2(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT)});
  Record({Wait2(), Reset1(kCompute)});
  Record({Wait1(), Reset1(VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT)});
  // Logically later in the pipeline.
  Record({Call(vk.CmdWaitEvents, 1, &event_, kTransfer, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, nullptr, 0, nullptr, 0,
               nullptr),
          Reset1(VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT)});
}
TEST_F(PositiveEventReset, MayBeOrderedByASecondary) {
  Record({Reset1(kTransfer), Execute({Secondary({Barrier()})}), Set1(), Wait1()});
}

}  // namespace
}  // namespace assay::core
