// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_EVENTS_EVENT_RULES_H_
#define ASSAY_CORE_EVENTS_EVENT_RULES_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/events/event_waits.h"
#include "core/recording/recording_scope.h"
#include "core/recording/undoable_map.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// Events. A wait must have the stages or the dependency that the event was set with, and its command must be of the
// same version, sync1 or synchronization2. While a queue has an event in use, neither the host nor another queue may
// set, reset or wait for it.
//
// A set has no effect on an event that is set already. What a wait finds is therefore certain within a recording only
// after the recording has reset the event. Waits that are valid whatever the event was before need no more checks. The
// others are kept with the command buffer (EventRecording); those of a secondary command buffer are appended to the
// primary's. A submission compares them with the events of the device, in the order in which the state tracker makes
// batches ready.
//
// A reset and a wait must be ordered. That is checked within a recording, where no command between them could order
// them.
//
// The host may know that a wait is over in any way that the state tracker knows, such as from a query that the batch of
// the wait, or one after it, has written. Where a batch waits for what the host may control unseen, it may still be
// kept from waiting.
//
// Nothing is reported for an event that was set again with something else, nor for one that the host touched while a
// queue had it in use; nor, until its next reset, after the host failed to set or reset it, or after the order of
// submissions became unknown (OnUnknownOrder). A submission that failed or was skipped leaves nothing, unless another
// thread has submitted in between.
namespace assay::core {

// The validator; checks and records recorded commands in one step. Needs the sub-states that CommandRules attaches.
class EventRules final : public state::QueueObserver {
 public:
  // state must outlive it.
  explicit EventRules(state::DeviceState& state);

  void PreCallValidate(const vk::CmdSetEvent& call, messages::Report& report);
  void PreCallValidate(const vk::CmdSetEvent2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdResetEvent& call, messages::Report& report);
  void PreCallValidate(const vk::CmdResetEvent2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdWaitEvents& call, messages::Report& report);
  void PreCallValidate(const vk::CmdWaitEvents2& call, messages::Report& report);
  void PreCallValidate(const vk::CmdExecuteCommands& call, messages::Report& report);

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report);
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report);
  // These may let batches execute that were submitted before.
  void PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report);
  void PreCallValidate(const vk::SignalSemaphore& call, messages::Report& report);
  void PreCallValidate(const vk::SetEvent& call, messages::Report& report);
  void PreCallValidate(const vk::ResetEvent& call, messages::Report& report);

  void PreCallRecord(const vk::DestroyEvent& call);

  void OnSubmit() override;
  void OnUndo() override;
  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;
  void OnHostEvent(state::Event& event, bool is_set) override;
  void OnHostEventFailed(state::Event& event) override;
  void OnUnknownOrder() override;

  // For tests: all that it knows, as text (core_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  struct DeviceEvent {
    EventState state = {EventState::Kind::kUnset};
    // The last batches that use the event and that wait for it; their queues are null for none.
    state::QueuePoint last_use;
    state::QueuePoint last_wait;
    // Of the last wait: whether the host may keep its batch from executing.
    bool may_be_kept = false;
    // The versions of the waits' commands; bits of EventRecording::Entry::waits.
    uint8_t waits = 0;
  };
  using DeviceEvents = UndoableMap<VkEvent, DeviceEvent>;

  // No event needs more than its initial value.
  static void Initialize(DeviceEvent&) {}
  // Notes whether the batch may be kept.
  void RecordBatch(const state::SubmittedBatch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  template <class C>
  void CheckWaits(const C& call, messages::Report& report);
  template <class C>
  void CheckOtherQueues(const C& call, messages::Report& report);
  // The state of an event whose wait a queue may still be executing, else of an event without waits.
  DeviceEvent PendingWaitOf(VkEvent event);

  state::DeviceState& state_;
  absl::Mutex mutex_;
  // Events that batches or the host have used.
  DeviceEvents events_ ABSL_GUARDED_BY(mutex_);
  // The last batch of each queue that the host may keep from executing, while it is not known to be complete.
  std::vector<state::QueuePoint> kept_ ABSL_GUARDED_BY(mutex_);
  // At the last OnSubmit, for OnUndo.
  std::vector<state::QueuePoint> kept_before_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_EVENTS_EVENT_RULES_H_
