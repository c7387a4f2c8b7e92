// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events of the device: submissions, and commands of the host.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/events/event_rules.h"
#include "core/recording/submitted_commands.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;

// The events of a command buffer; empty if it has no command on events.
const EventRecording& EventsOf(const state::CommandBuffer* buffer) {
  static const EventRecording* const kNone = new EventRecording();
  const auto* scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  return scope != nullptr ? scope->events : *kNone;
}

template <class C>
bool HasEvents(const C& call) {
  bool has = false;
  ForEachCommandBuffer(call, [&](VkCommandBuffer handle, uint32_t, uint32_t) {
    has = has || !EventsOf(DeviceState::Get(handle)).is_empty();
  });
  return has;
}

// Applies a recording to the events at(event), and calls on_finding(finding) for each error.
template <class At, class S>
void Execute(const EventRecording& recording, const state::Queue* queue, const At& at, const S& on_finding) {
  absl::InlinedVector<EventState, 4> states;
  for (const EventWait& wait : recording.waits) {
    states.clear();
    for (const EventWait::Part& part : wait.parts) states.push_back(part.before.After(at(part.event), queue));
    for (const EventFinding& finding : FindingsOf(wait, states, queue)) on_finding(finding);
  }
  for (const EventRecording::Entry& entry : recording.entries()) {
    EventState& state = at(entry.event);
    state = entry.effect.After(state, queue);
  }
}

// Whether the batch waits for something that the host may control and that is not tracked here.
bool WaitsForUntracked(const state::SubmittedBatch& batch) {
  return std::ranges::any_of(batch.waits, [](const state::BatchWait& wait) {
    return !wait.semaphore || wait.semaphore->progress.is_external ||
           wait.source.kind == state::SignalSource::Kind::kUnknown;
  });
}

void ReportPendingWait(vk::VuidIndex vuid, VkEvent event, const state::Queue& queue, std::string_view fix,
                       Report& report) {
  const messages::ObjectRef object = messages::Object(event), waiter = {VK_OBJECT_TYPE_QUEUE, queue.handle()};
  const Location command = report.location();
  report.Error(
      vuid, {object, waiter}, command.Dot("event"),
      absl::StrCat("(", report.reporter().Describe(object), ") is waited for by a command buffer that ",
                   report.reporter().Describe(waiter), " was given; the host has not waited for that to complete."),
      std::string(fix));
}

template <class C>
constexpr vk::VuidIndex kOtherQueueRule{};
template <>
constexpr vk::VuidIndex kOtherQueueRule<vk::QueueSubmit> = vk::Vuid("VUID-vkQueueSubmit-pCommandBuffers-00065");
template <>
constexpr vk::VuidIndex kOtherQueueRule<vk::QueueSubmit2> = vk::Vuid("VUID-vkQueueSubmit2-commandBuffer-03867");

// A use of an event by a command buffer while another queue uses it.
struct OtherQueueUse {
  VkCommandBuffer commands;
  uint32_t batch, index;
  VkEvent event;
  uint64_t queue;
};

}  // namespace

EventRules::EventRules(state::DeviceState& state) : state_(state) { state.AttachToQueues(*this); }

void EventRules::RecordBatch(const state::SubmittedBatch& batch) {
  ++batches_;
  for (const state::SubmittedCommandBuffer& submitted : batch.command_buffers) {
    const auto* scope = submitted.state ? submitted.state->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr) continue;
    for (VkQueryPool pool : scope->query_pools) written_[pool] = batches_;
  }
  const bool is_kept = WaitsForUntracked(batch);
  std::erase_if(kept_, [&](const state::QueuePoint& kept) {
    return state::IsComplete(kept) || (is_kept && kept.queue == batch.queue);
  });
  if (is_kept) kept_.push_back(batch.point());
}

void EventRules::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  absl::MutexLock lock(&mutex_);
  RecordBatch(batch);
  const auto at = [&](VkEvent event) -> EventState& {
    mutex_.AssertHeld();
    return events_[event].state;
  };
  for (const state::SubmittedCommandBuffer& submitted : batch.command_buffers) {
    const EventRecording& recording = EventsOf(submitted.state.get());
    Execute(recording, batch.queue, at, [](const EventFinding&) {});
    for (const EventRecording::Entry& entry : recording.entries()) {
      DeviceEvent& event = events_[entry.event];
      event.last_use = batch.point();
      if (entry.waits == 0) continue;
      event.last_wait = batch.point();
      event.wait_order = batches_;
      event.may_be_kept = !kept_.empty();
      event.waits = entry.waits;
    }
  }
}

void EventRules::OnHostEvent(state::Event& event, bool is_set) {
  absl::MutexLock lock(&mutex_);
  DeviceEvent& tracked = events_[reinterpret_cast<VkEvent>(event.handle())];
  const EventState::Kind before = tracked.state.kind;
  if (tracked.last_use.queue != nullptr && !state::IsComplete(tracked.last_use)) {
    tracked.state = {};
    return;
  }
  if (!is_set) {
    tracked.state = {EventState::Kind::kUnset};
  } else if (before == EventState::Kind::kUnset) {
    tracked.state = {EventState::Kind::kSetByHost};
  } else if (before != EventState::Kind::kSetByHost) {
    tracked.state = {};
  }
}

void EventRules::OnUnknownOrder() {
  absl::MutexLock lock(&mutex_);
  for (auto& [handle, event] : events_) event = {.state = {}};
}

void EventRules::PreCallRecord(const vk::DestroyEvent& call) {
  absl::MutexLock lock(&mutex_);
  events_.erase(call.event);
}

void EventRules::PreCallRecord(const vk::DestroyQueryPool& call) {
  absl::MutexLock lock(&mutex_);
  written_.erase(call.queryPool);
}

void EventRules::PreCallRecord(const vk::CmdExecuteCommands& call) {
  RecordingScope* scope = ScopeOf(call.commandBuffer);
  if (scope == nullptr) return;
  for (VkCommandBuffer handle : state::Items(call.pCommandBuffers, call.commandBufferCount)) {
    const RecordingScope* executed = ScopeOf(handle);
    if (executed == nullptr || executed == scope) continue;
    for (VkQueryPool pool : executed->query_pools) scope->AddQueryPool(pool);
  }
}

// Available results tell the host that commands before those that wrote the queries are complete.
void EventRules::PostCallRecord(const vk::GetQueryPoolResults& call, VkResult result) {
  constexpr VkQueryResultFlags kWithAvailability =
      VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR;
  if (result != VK_SUCCESS && (result != VK_NOT_READY || (call.flags & kWithAvailability) == 0)) return;
  absl::MutexLock lock(&mutex_);
  const auto written = written_.find(call.queryPool);
  if (written == written_.end()) return;
  for (auto& [handle, event] : events_) {
    if (event.wait_order <= written->second) event.last_wait = {};
  }
}

template <class C>
void EventRules::CheckWaits(const C& call, Report& report) {
  const state::SubmissionPreview preview = state_.PreviewSubmission(call);
  std::vector<EventFinding> found;
  {
    absl::MutexLock lock(&mutex_);
    // Copies of the events that the batches change.
    absl::flat_hash_map<VkEvent, EventState> changed;
    const auto at = [&](VkEvent event) -> EventState& {
      mutex_.AssertHeld();
      const auto [local, is_new] = changed.try_emplace(event, EventState{EventState::Kind::kUnset});
      if (!is_new) return local->second;
      if (const auto known = events_.find(event); known != events_.end()) local->second = known->second.state;
      return local->second;
    };
    for (const state::BatchRef& batch : preview.ready) {
      for (const state::SubmittedCommandBuffer& submitted : batch->command_buffers) {
        Execute(EventsOf(submitted.state.get()), batch->queue, at,
                [&](const EventFinding& finding) { found.push_back(finding); });
      }
    }
  }
  for (const EventFinding& finding : found) ReportExecuted(finding, report.location(), report);
}

template <class C>
void EventRules::CheckOtherQueues(const C& call, Report& report) {
  const state::Queue* queue = DeviceState::Get(call.queue);
  std::vector<OtherQueueUse> found;
  state_.InspectQueues([&] {
    absl::MutexLock lock(&mutex_);
    ForEachCommandBuffer(call, [&](VkCommandBuffer handle, uint32_t batch, uint32_t index) {
      mutex_.AssertHeld();
      for (const EventRecording::Entry& entry : EventsOf(DeviceState::Get(handle)).entries()) {
        const auto event = events_.find(entry.event);
        if (event == events_.end()) continue;
        const state::QueuePoint& last = event->second.last_use;
        if (last.queue == queue || !state::IsPending(last)) continue;
        found.push_back({handle, batch, index, entry.event, last.queue->handle()});
      }
    });
  });
  const messages::Reporter& reporter = report.reporter();
  for (const OtherQueueUse& use : found) {
    const messages::ObjectRef commands = messages::Object(use.commands), event = messages::Object(use.event);
    WithCommandBufferLocation<C>(report.location(), use.batch, use.index, [&](const Location& where) {
      report.Error(kOtherQueueRule<C>, {commands, event}, where,
                   absl::StrCat("(", reporter.Describe(commands), ") uses ", reporter.Describe(event),
                                ", as do commands that ", reporter.Describe({VK_OBJECT_TYPE_QUEUE, use.queue}),
                                " was given before; the host has not waited for those to complete."),
                   "Have an event for each queue, and a semaphore between them.");
    });
  }
}

void EventRules::PreCallValidate(const vk::QueueSubmit& call, Report& report) {
  const bool has_events = HasEvents(call);
  if (has_events || state_.HasHeldBatches()) CheckWaits(call, report);
  if (has_events) CheckOtherQueues(call, report);
}
void EventRules::PreCallValidate(const vk::QueueSubmit2& call, Report& report) {
  const bool has_events = HasEvents(call);
  if (has_events || state_.HasHeldBatches()) CheckWaits(call, report);
  if (has_events) CheckOtherQueues(call, report);
}
void EventRules::PreCallValidate(const vk::QueueBindSparse& call, Report& report) {
  if (state_.HasHeldBatches()) CheckWaits(call, report);
}
void EventRules::PreCallValidate(const vk::SignalSemaphore& call, Report& report) {
  if (state_.HasHeldBatches()) CheckWaits(call, report);
}

EventRules::DeviceEvent EventRules::PendingWaitOf(VkEvent event) {
  DeviceEvent result;
  state_.InspectQueues([&] {
    absl::MutexLock lock(&mutex_);
    const auto found = events_.find(event);
    if (found != events_.end() && state::IsPending(found->second.last_wait)) result = found->second;
  });
  return result;
}

void EventRules::PreCallValidate(const vk::SetEvent& call, Report& report) {
  const DeviceEvent event = PendingWaitOf(call.event);
  if (event.last_wait.queue == nullptr) return;
  ReportPendingWait(vk::Vuid("VUID-vkSetEvent-event-09543"), call.event, *event.last_wait.queue,
                    "Set the event before the submission, or let the submission wait for a timeline semaphore that the "
                    "host signals.",
                    report);
}

void EventRules::PreCallValidate(const vk::ResetEvent& call, Report& report) {
  const DeviceEvent event = PendingWaitOf(call.event);
  if (event.last_wait.queue == nullptr || event.may_be_kept) return;
  ReportPendingWait((event.waits & EventRecording::kSync2) != 0 ? vk::Vuid("VUID-vkResetEvent-event-03822")
                                                                : vk::Vuid("VUID-vkResetEvent-event-03821"),
                    call.event, *event.last_wait.queue, "Wait for the fence of that submission before.", report);
}

}  // namespace assay::core
