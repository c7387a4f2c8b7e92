// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What recorded commands do to events, and which of their waits only a submission can check. The order of a reset and a
// wait is checked only where no command between them, except a set, could order them.

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/events/event_rules.h"
#include "vk/enum_info.h"
#include "vk/sync/sync_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;

// Null if the command must not be recorded. The recording is undone when another validator makes the call be
// skipped.
EventRecording* RecordingOf(VkCommandBuffer handle, Report& report) {
  const state::CommandBuffer* buffer = DeviceState::Get(handle);
  auto* const scope = buffer != nullptr && !report.skip() ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope == nullptr) return nullptr;
  scope->events.BeginCommand();
  report.OnSkip([](void* events) { static_cast<EventRecording*>(events)->UndoCommand(); }, &scope->events);
  return &scope->events;
}

// The ids of the rules that order a reset against waits.
struct ResetIds {
  vk::VuidIndex wait;
  vk::VuidIndex wait2;

  vk::VuidIndex Of(const EventRecording::Mark& wait_mark) const { return wait_mark.is_sync2 ? wait2 : wait; }
};
template <class C>
constexpr ResetIds kResetIds{};
template <>
constexpr ResetIds kResetIds<vk::CmdResetEvent> = {vk::Vuid("VUID-vkCmdResetEvent-event-03834"),
                                                   vk::Vuid("VUID-vkCmdResetEvent-event-03835")};
template <>
constexpr ResetIds kResetIds<vk::CmdResetEvent2> = {vk::Vuid("VUID-vkCmdResetEvent2-event-03831"),
                                                    vk::Vuid("VUID-vkCmdResetEvent2-event-03832")};

// Stages that stand for all commands in a first and in a second synchronization scope. Events are set, reset and waited
// for at none of the other stages.
constexpr VkPipelineStageFlags2 kAllBefore =
    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
constexpr VkPipelineStageFlags2 kAllAfter = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;

// Whether a dependency with the second scope dst chains with one with the first scope src.
bool AreChained(VkPipelineStageFlags2 dst, VkPipelineStageFlags2 src, VkQueueFlags queues) {
  if ((dst & kAllAfter) != 0 || (src & kAllBefore) != 0) return true;
  return (vk::LogicallyLaterStages(vk::ExpandStages(dst, queues)) &
          vk::LogicallyEarlierStages(vk::ExpandStages(src, queues))) != 0;
}

std::string StagesText(bool is_sync2, VkPipelineStageFlags2 stages) {
  return vk::FlagsToString(is_sync2 ? vk::EnumId::kPipelineStageFlagBits2 : vk::EnumId::kPipelineStageFlagBits, stages);
}

void Set(EventRecording* recording, VkEvent event, const EventState& state, VkPipelineStageFlags2 src_stages) {
  if (recording == nullptr || event == VK_NULL_HANDLE) return;
  recording->At(event).effect.Set(state);
  if ((src_stages & kAllBefore) != 0) recording->NoteDependency();
}

template <class C>
void Reset(const C& call, Report& report) {
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  if (recording == nullptr || call.event == VK_NULL_HANDLE) return;
  constexpr bool kIsSync2 = std::is_same_v<C, vk::CmdResetEvent2>;
  EventRecording::Entry& entry = recording->At(call.event);
  const VkQueueFlags queues = DeviceState::Get(call.commandBuffer)->pool.queue_flags;
  if (entry.last_wait.at == recording->dependencies() && !AreChained(entry.dst_stages, call.stageMask, queues)) {
    const bool is_sync2_wait = entry.last_wait.is_sync2;
    const messages::ObjectRef commands = messages::Object(call.commandBuffer), event = messages::Object(call.event);
    const Location command = report.location();
    report.Error(kResetIds<C>.Of(entry.last_wait), {commands, event}, command.Dot("stageMask"),
                 absl::StrCat("(", StagesText(kIsSync2, call.stageMask), ") is not ordered after ",
                              is_sync2_wait ? "vkCmdWaitEvents2()" : "vkCmdWaitEvents()", ", which waits for ",
                              report.reporter().Describe(event), " before and holds up ",
                              StagesText(is_sync2_wait, entry.dst_stages), " alone."),
                 absl::StrCat("Reset the event after ", StagesText(kIsSync2, entry.dst_stages),
                              ", or record a pipeline barrier in between."));
  }
  entry.effect.Reset();
  entry.last_reset = {recording->dependencies(), kIsSync2};
}

// The wait's parts are the last of the recording. Calls on_finding(finding) for certain errors, and keeps the wait if a
// submission may find more. A wait that is valid with the sets of the recording is valid or unknown with any earlier
// set.
template <class S>
void CheckOrDefer(EventRecording& recording, EventWait wait, const S& on_finding) {
  const auto is_known = [](const EventWait::Part& part) { return part.before.is_known(); };
  const auto is_decided = [&](const EventWait::Part& part) { return is_known(part) || part.before.sets(); };
  const absl::Span<const EventWait::Part> parts = recording.PartsOf(wait);
  const EventFindings findings = FindingsOf(
      wait, parts,
      [&](const EventWait::Part& part) { return is_decided(part) ? part.before.AfterUnset() : EventState(); }, nullptr);
  if (std::ranges::all_of(parts, is_known)) {
    for (const EventFinding& finding : findings) on_finding(finding);
  } else if (!findings.empty() || !std::ranges::all_of(parts, is_decided)) {
    return recording.waits.push_back(std::move(wait));
  }
  recording.parts.resize(wait.first_part);
}

// A wait that is recorded.
class WaitRecorder {
 public:
  WaitRecorder(EventRecording& recording, VkCommandBuffer commands, bool is_sync2, Report& report)
      : recording_(recording), commands_(commands), is_sync2_(is_sync2), report_(report) {}

  // Adds the next part of the wait to the recording.
  void AddPart(VkEvent event, uint32_t index) {
    EventRecording::Entry& entry = recording_.At(event);
    entry.waits |= is_sync2_ ? EventRecording::kSync2 : EventRecording::kSync1;
    if (entry.last_reset.at == recording_.dependencies() && entry.effect.sets()) ReportUnorderedReset(entry, index);
    recording_.parts.push_back({event, entry.effect});
  }
  // Call after AddPart() of all parts. Later commands are ordered after the wait.
  void Finish(absl::Span<const VkEvent> events, VkPipelineStageFlags2 dst_stages) {
    recording_.NoteDependency();
    for (VkEvent event : events) {
      if (event == VK_NULL_HANDLE) continue;
      EventRecording::Entry& entry = recording_.At(event);
      entry.last_wait = {recording_.dependencies(), is_sync2_};
      entry.dst_stages = dst_stages;
    }
  }

 private:
  void ReportUnorderedReset(const EventRecording::Entry& entry, uint32_t index) {
    const EventRecording::Mark wait = {.is_sync2 = is_sync2_};
    const bool is_sync2_reset = entry.last_reset.is_sync2;
    const messages::ObjectRef event = messages::Object(entry.event);
    const Location command = report_.location();
    report_.Error((is_sync2_reset ? kResetIds<vk::CmdResetEvent2> : kResetIds<vk::CmdResetEvent>).Of(wait),
                  {messages::Object(commands_), event}, command.Dot("pEvents", index),
                  absl::StrCat("(", report_.reporter().Describe(event), ") was reset by ",
                               is_sync2_reset ? "vkCmdResetEvent2()" : "vkCmdResetEvent()",
                               " before, and nothing orders this wait, or the set that it waits for, after that."),
                  "Record a pipeline barrier between the reset and the set.");
  }

  EventRecording& recording_;
  const VkCommandBuffer commands_;
  const bool is_sync2_;
  Report& report_;
};

}  // namespace

void EventRules::PreCallValidate(const vk::CmdSetEvent& call, Report& report) {
  Set(RecordingOf(call.commandBuffer, report), call.event,
      {.kind = EventState::Kind::kSetWithStages, .stages = call.stageMask}, call.stageMask);
}
void EventRules::PreCallValidate(const vk::CmdSetEvent2& call, Report& report) {
  if (call.pDependencyInfo == nullptr) return;
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  if (recording == nullptr) return;
  EventDependencyRef dependency = recording->Copy(*call.pDependencyInfo);
  const VkPipelineStageFlags2 src_stages = dependency->src_stages();
  Set(recording, call.event, {.kind = EventState::Kind::kSetWithDependency, .dependency = std::move(dependency)},
      src_stages);
}

void EventRules::PreCallValidate(const vk::CmdResetEvent& call, Report& report) { Reset(call, report); }
void EventRules::PreCallValidate(const vk::CmdResetEvent2& call, Report& report) { Reset(call, report); }

void EventRules::PreCallValidate(const vk::CmdWaitEvents& call, Report& report) {
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  const auto events = Items(call.pEvents, call.eventCount);
  if (recording == nullptr || std::ranges::find(events, VkEvent{}) != events.end()) return;
  EventWait wait = {.commands = call.commandBuffer,
                    .src_stages = call.srcStageMask,
                    .part_count = static_cast<uint32_t>(events.size()),
                    .first_part = recording->parts.size()};
  WaitRecorder waiter(*recording, call.commandBuffer, false, report);
  for (uint32_t i = 0; VkEvent event : events) waiter.AddPart(event, i++);
  CheckOrDefer(*recording, std::move(wait), [&](const EventFinding& finding) { ReportRecorded(finding, report); });
  waiter.Finish(events, call.dstStageMask);
}

void EventRules::PreCallValidate(const vk::CmdWaitEvents2& call, Report& report) {
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  if (recording == nullptr || call.pDependencyInfos == nullptr) return;
  const auto events = Items(call.pEvents, call.eventCount);
  WaitRecorder waiter(*recording, call.commandBuffer, true, report);
  VkPipelineStageFlags2 dst_stages = 0;
  for (uint32_t i = 0; VkEvent event : events) {
    const uint32_t index = i++;
    if (event == VK_NULL_HANDLE) continue;
    EventWait wait = {.commands = call.commandBuffer,
                      .dependency = recording->Copy(call.pDependencyInfos[index]),
                      .first_index = index,
                      .part_count = 1,
                      .first_part = recording->parts.size()};
    dst_stages |= wait.dependency->dst_stages();
    waiter.AddPart(event, index);
    CheckOrDefer(*recording, std::move(wait), [&](const EventFinding& finding) { ReportRecorded(finding, report); });
  }
  waiter.Finish(events, dst_stages);
}

void EventRules::PreCallValidate(const vk::CmdExecuteCommands& call, Report& report) {
  EventRecording* const recording = RecordingOf(call.commandBuffer, report);
  if (recording == nullptr) return;
  recording->NoteDependency();
  const Location command = report.location();
  for (uint32_t i = 0; VkCommandBuffer handle : Items(call.pCommandBuffers, call.commandBufferCount)) {
    const Location where = command.Dot("pCommandBuffers", i++);
    const state::CommandBuffer* secondary = DeviceState::Get(handle);
    const auto* scope = secondary != nullptr ? secondary->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr || &scope->events == recording) continue;
    for (EventWait wait : scope->events.waits) {
      const absl::Span<const EventWait::Part> parts = scope->events.PartsOf(wait);
      wait.first_part = recording->parts.size();
      for (const EventWait::Part& part : parts) {
        EventEffect before = recording->At(part.event).effect;
        before.Append(part.before);
        recording->parts.push_back({part.event, std::move(before)});
      }
      CheckOrDefer(*recording, std::move(wait),
                   [&](const EventFinding& finding) { ReportExecuted(finding, where, report); });
    }
    for (const EventRecording::Entry& executed : scope->events.entries()) {
      EventRecording::Entry& entry = recording->At(executed.event);
      entry.effect.Append(executed.effect);
      entry.waits |= executed.waits;
    }
  }
}

}  // namespace assay::core
