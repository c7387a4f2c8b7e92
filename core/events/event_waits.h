// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_EVENTS_EVENT_WAITS_H_
#define ASSAY_CORE_EVENTS_EVENT_WAITS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "core/recording/event_recording.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vulkan.h"

// Waits for events, against what the events were set with.
namespace assay::core {

// One error of a wait.
struct EventFinding {
  enum class Kind : uint8_t {
    // srcStageMask is not the union of the stages that the events were set with.
    kOtherStages,
    // vkCmdWaitEvents, of an event that vkCmdSetEvent2 set, and the reverse.
    kSync1WaitForSync2Set,
    kSync2WaitForSync1Set,
    kOtherDependency,
    // The host set the event, and the barriers wait for other stages.
    kSetByHost,
    // The barriers wait for the host alone, which did not set the event.
    kUnsetByHost,
    kUnset,
    // It was set on another queue.
    kOtherQueue,
  };
  Kind kind;
  VkCommandBuffer commands;
  VkEvent event;
  // The index in pEvents.
  uint32_t index;
  // The stages of the wait and, for kOtherStages, the valid ones.
  VkPipelineStageFlags2 stages = 0;
  VkPipelineStageFlags2 expected_stages = 0;
  DependencyDifference difference = {};
  // The queue that executed the set.
  uint64_t queue = 0;
};
using EventFindings = absl::InlinedVector<EventFinding, 1>;

// Returns the state of a part of a wait when the wait is executed.
using EventStateOf = absl::FunctionRef<EventState(const EventWait::Part&)>;
// The errors of a wait with these parts; queue is null if it is being recorded.
EventFindings FindingsOf(const EventWait& wait, absl::Span<const EventWait::Part> parts, EventStateOf state_of,
                         const state::Queue* queue);

// Reports a finding of the command that is being recorded.
void ReportRecorded(const EventFinding& finding, messages::Report& report);
// Reports a finding of a recorded command. where leads to the command buffer that executes it.
void ReportExecuted(const EventFinding& finding, const messages::Location& where, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_EVENTS_EVENT_WAITS_H_
