// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_EVENTS_EVENT_RULES_H_
#define ASSAY_CORE_EVENTS_EVENT_RULES_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/events/event_waits.h"
#include "core/recording/recording_scope.h"
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
// Nothing is reported for an event that was set again with something else, nor for one that the host touched while a
// queue had it in use; nor, until its next reset, after a submission that failed.
namespace assay::core {

// The validator; checks and records recorded commands in one step. Needs the sub-states that CommandRules attaches.
class EventRules : public state::QueueObserver {
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
  void PreCallValidate(const vk::SetEvent& call, messages::Report& report);
  void PreCallValidate(const vk::ResetEvent& call, messages::Report& report);

  void PreCallRecord(const vk::DestroyEvent& call);
  void PostCallRecord(const vk::GetQueryPoolResults& call, VkResult result);

  void OnBatch(state::SubmittedBatch& batch, uint64_t version) override;
  void OnHostEvent(state::Event& event, bool is_set) override;
  void OnUnknownOrder() override;

 private:
  struct DeviceEvent {
    EventState state = {EventState::Kind::kUnset};
    // The last batches that use the event and that wait for it; their queues are null for none.
    state::QueuePoint last_use;
    state::QueuePoint last_wait;
    // The versions of the waits' commands; bits of EventRecording::Entry::waits.
    uint8_t waits = 0;
  };
  using DeviceEvents = absl::flat_hash_map<VkEvent, DeviceEvent>;

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
  // Whether the host may know that a wait is over, or delay one, in ways that are not tracked here.
  std::atomic<bool> has_untracked_host_dependency_ = false;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_EVENTS_EVENT_RULES_H_
