// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What recorded commands make of events, and which of their waits only a submission can judge.

#include <algorithm>
#include <memory>
#include <utility>

#include "core/sync/event_rules.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;

// Null when nothing is to be recorded.
EventRecording* RecordingOf(VkCommandBuffer handle, const Report& report) {
  const state::CommandBuffer* buffer = DeviceState::Get(handle);
  auto* const scope = buffer != nullptr && !report.skip() ? buffer->Sub<RecordingScope>() : nullptr;
  return scope != nullptr ? &scope->events : nullptr;
}

void Set(EventRecording* recording, VkEvent event, const EventState& state) {
  if (recording != nullptr && event != VK_NULL_HANDLE) recording->At(event).effect.Set(state);
}

template <class C>
void Reset(const C& call, const Report& report) {
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  if (recording != nullptr && call.event != VK_NULL_HANDLE) recording->At(call.event).effect.Reset();
}

// What the parts are where nothing but the recording is known.
absl::InlinedVector<EventState, 1> RecordedStatesOf(const EventWait& wait) {
  absl::InlinedVector<EventState, 1> states;
  for (const EventWait::Part& part : wait.parts) {
    states.push_back(part.before.is_known() || part.before.sets() ? part.before.AfterUnset() : EventState());
  }
  return states;
}

// Calls say(finding) for what is certain, and keeps the wait if more may come out: what is right with the sets of the
// recording is right or unknown with whatever was set before.
template <class S>
void Judge(EventRecording& recording, EventWait wait, const S& say) {
  const auto is_known = [](const EventWait::Part& part) { return part.before.is_known(); };
  const auto is_decided = [&](const EventWait::Part& part) { return is_known(part) || part.before.sets(); };
  const EventFindings findings = FindingsOf(wait, RecordedStatesOf(wait), nullptr);
  if (std::ranges::all_of(wait.parts, is_known)) {
    for (const EventFinding& finding : findings) say(finding);
  } else if (!findings.empty() || !std::ranges::all_of(wait.parts, is_decided)) {
    recording.waits.push_back(std::move(wait));
  }
}

EventWait::Part PartOf(EventRecording& recording, VkEvent event, uint8_t generation) {
  EventRecording::Used& used = recording.At(event);
  used.waits |= generation;
  return {event, used.effect};
}

}  // namespace

void EventRules::PreCallValidate(const vk::CmdSetEvent& call, Report& report) {
  Set(RecordingOf(call.commandBuffer, report), call.event,
      {.kind = EventState::Kind::kSetWithStages, .stages = call.stageMask});
}
void EventRules::PreCallValidate(const vk::CmdSetEvent2& call, Report& report) {
  if (call.pDependencyInfo == nullptr) return;
  Set(RecordingOf(call.commandBuffer, report), call.event,
      {.kind = EventState::Kind::kSetWithDependency,
       .dependency = std::make_shared<const EventDependency>(*call.pDependencyInfo)});
}

void EventRules::PreCallValidate(const vk::CmdResetEvent& call, Report& report) { Reset(call, report); }
void EventRules::PreCallValidate(const vk::CmdResetEvent2& call, Report& report) { Reset(call, report); }

void EventRules::PreCallValidate(const vk::CmdWaitEvents& call, Report& report) {
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  const auto events = Items(call.pEvents, call.eventCount);
  if (recording == nullptr || std::ranges::find(events, VkEvent{}) != events.end()) return;
  EventWait wait = {.commands = call.commandBuffer, .src_stages = call.srcStageMask};
  for (VkEvent event : events) wait.parts.push_back(PartOf(*recording, event, EventRecording::kFirstGeneration));
  Judge(*recording, std::move(wait), [&](const EventFinding& finding) { SayHere(finding, report); });
}

void EventRules::PreCallValidate(const vk::CmdWaitEvents2& call, Report& report) {
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  if (recording == nullptr || call.pDependencyInfos == nullptr) return;
  for (uint32_t i = 0; VkEvent event : Items(call.pEvents, call.eventCount)) {
    const uint32_t index = i++;
    if (event == VK_NULL_HANDLE) continue;
    EventWait wait = {.commands = call.commandBuffer,
                      .dependency = std::make_shared<const EventDependency>(call.pDependencyInfos[index]),
                      .first_index = index};
    wait.parts.push_back(PartOf(*recording, event, EventRecording::kSecondGeneration));
    Judge(*recording, std::move(wait), [&](const EventFinding& finding) { SayHere(finding, report); });
  }
}

void EventRules::PreCallValidate(const vk::CmdExecuteCommands& call, Report& report) {
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  if (recording == nullptr) return;
  const Location command = report.location();
  for (uint32_t i = 0; VkCommandBuffer handle : Items(call.pCommandBuffers, call.commandBufferCount)) {
    const Location where = command.Dot("pCommandBuffers", i++);
    const state::CommandBuffer* secondary = DeviceState::Get(handle);
    const auto* scope = secondary != nullptr ? secondary->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr || &scope->events == recording) continue;
    for (EventWait wait : scope->events.waits) {
      for (EventWait::Part& part : wait.parts) {
        EventEffect before = recording->At(part.event).effect;
        before.Follow(part.before);
        part.before = std::move(before);
      }
      Judge(*recording, std::move(wait), [&](const EventFinding& finding) { SayExecuted(finding, where, report); });
    }
    for (const EventRecording::Used& executed : scope->events.used()) {
      EventRecording::Used& used = recording->At(executed.event);
      used.effect.Follow(executed.effect);
      used.waits |= executed.waits;
    }
  }
}

}  // namespace assay::core
