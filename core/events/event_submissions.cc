// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events of the device: submissions, and commands of the host.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
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
  const auto state_of = [&](const EventWait::Part& part) { return part.before.After(at(part.event), queue); };
  for (const EventWait& wait : recording.waits) {
    for (const EventFinding& finding : FindingsOf(wait, recording.PartsOf(wait), state_of, queue)) on_finding(finding);
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
  const bool is_kept = WaitsForUntracked(batch);
  std::erase_if(kept_, [&](const state::QueuePoint& kept) {
    return state::IsComplete(kept) || (is_kept && kept.queue == batch.queue);
  });
  if (is_kept) kept_.push_back(batch.point());
}

void EventRules::OnSubmit() {
  absl::MutexLock lock(&mutex_);
  events_.Begin();
  kept_before_ = kept_;
}

void EventRules::OnUndo() {
  absl::MutexLock lock(&mutex_);
  events_.Undo();
  kept_ = kept_before_;
}

void EventRules::OnBatch(state::SubmittedBatch& batch, uint64_t) {
  absl::MutexLock lock(&mutex_);
  RecordBatch(batch);
  for (const state::SubmittedCommandBuffer& submitted : batch.command_buffers) {
    for (const EventRecording::Entry& entry : EventsOf(submitted.state.get()).entries()) {
      DeviceEvent& event = events_.Change(entry.event, Initialize);
      event.state = entry.effect.After(event.state, batch.queue);
      event.last_use = batch.point();
      if (entry.waits == 0) continue;
      event.last_wait = batch.point();
      event.may_be_kept = !kept_.empty();
      event.waits = entry.waits;
    }
  }
}

void EventRules::OnHostEvent(state::Event& event, bool is_set) {
  absl::MutexLock lock(&mutex_);
  events_.ChangeForGood(reinterpret_cast<VkEvent>(event.handle()), Initialize, [&](DeviceEvent& tracked) {
    const EventState::Kind before = tracked.state.kind;
    if (tracked.last_use.queue != nullptr && !state::IsComplete(tracked.last_use)) {
      tracked.state = {};
    } else if (!is_set) {
      tracked.state = {EventState::Kind::kUnset};
    } else if (before == EventState::Kind::kUnset) {
      tracked.state = {EventState::Kind::kSetByHost};
    } else if (before != EventState::Kind::kSetByHost) {
      tracked.state = {};
    }
  });
}

void EventRules::OnHostEventFailed(state::Event& event) {
  absl::MutexLock lock(&mutex_);
  events_.ChangeForGood(reinterpret_cast<VkEvent>(event.handle()), Initialize,
                        [](DeviceEvent& tracked) { tracked.state = {}; });
}

void EventRules::OnUnknownOrder() {
  absl::MutexLock lock(&mutex_);
  events_.ChangeAllForGood([](DeviceEvent& event) { event = {.state = {}}; });
}

void EventRules::PreCallRecord(const vk::DestroyEvent& call) {
  absl::MutexLock lock(&mutex_);
  events_.Remove(call.event);
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
      if (const DeviceEvent* known = events_.Find(event)) local->second = known->state;
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
        const DeviceEvent* event = events_.Find(entry.event);
        if (event == nullptr) continue;
        const state::QueuePoint& last = event->last_use;
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
    const DeviceEvent* found = events_.Find(event);
    if (found != nullptr && state::IsPending(found->last_wait)) result = *found;
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
