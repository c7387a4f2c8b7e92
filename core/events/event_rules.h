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

// Events: a wait must name what the event was set with, and by which generation's command; and neither the host nor
// another queue may touch an event that a queue is not done with.
//
// A set has an effect only on an event that is not set, so that what a wait meets is certain in a recording only after
// the recording has reset the event. Other waits are kept with the command buffer (EventRecording), save those that are
// right whatever the event was before; a secondary command buffer's go over to the primary that executes it. At
// submission they meet the events of the device, in the order in which the state tracker makes batches ready.
//
// A reset and a wait must be ordered. That is decided within a recording, where nothing between them could order them.
//
// Nothing is said of an event that was set again with something else, or that the host touched while a queue used it;
// nor, until it is reset, after a submission that failed.
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
    // The last batches that use it and that wait for it; their queues are null for none.
    state::QueuePoint last_use;
    state::QueuePoint last_wait;
    // By which generations' commands; bits of EventRecording::Entry::waits.
    uint8_t waits = 0;
  };
  using DeviceEvents = absl::flat_hash_map<VkEvent, DeviceEvent>;

  template <class C>
  void CheckWaits(const C& call, messages::Report& report);
  template <class C>
  void CheckOtherQueues(const C& call, messages::Report& report);
  // The event while a queue is not done with a wait for it, else one without.
  DeviceEvent PendingWaitOf(VkEvent event);

  state::DeviceState& state_;
  absl::Mutex mutex_;
  // Those that batches or the host have used.
  DeviceEvents events_ ABSL_GUARDED_BY(mutex_);
  // The host may have come to know that a wait is over, or hold one up, in ways that are not followed here.
  std::atomic<bool> has_untracked_host_dependency_ = false;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_EVENTS_EVENT_RULES_H_
