// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_EVENTS_EVENT_WAITS_H_
#define ASSAY_CORE_EVENTS_EVENT_WAITS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/recording/event_recording.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Waits for events, against what the events were set with.
namespace assay::core {

// What is wrong with a wait.
struct EventFinding {
  enum class Kind : uint8_t {
    // srcStageMask is not what all of the events were set with.
    kOtherStages,
    // vkCmdWaitEvents, of an event that vkCmdSetEvent2 set, and the reverse.
    kSync1WaitForSync2Set,
    kSync2WaitForSync1Set,
    kOtherDependency,
    // Of one that the host set, and the barriers wait for something else.
    kSetByHost,
    // The barriers wait for the host alone, which has not set it.
    kUnsetByHost,
    kUnset,
    // It was set on another queue.
    kOtherQueue,
  };
  Kind kind;
  VkCommandBuffer commands;
  VkEvent event;
  // In pEvents.
  uint32_t index;
  // What the wait has, and of kOtherStages what would be right.
  VkPipelineStageFlags2 stages = 0;
  VkPipelineStageFlags2 expected_stages = 0;
  DependencyDifference difference = {};
  // That executed the set.
  uint64_t queue = 0;
};
using EventFindings = absl::InlinedVector<EventFinding, 1>;

// states are the parts' when the wait is executed; queue is null where the wait is recorded.
EventFindings FindingsOf(const EventWait& wait, absl::Span<const EventState> states, const state::Queue* queue);

// Of the command that is recorded.
void ReportRecorded(const EventFinding& finding, messages::Report& report);
// Of one that is executed by what is at where.
void ReportExecuted(const EventFinding& finding, const messages::Location& where, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_EVENTS_EVENT_WAITS_H_
