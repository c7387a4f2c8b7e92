// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_EVENTS_EVENT_RULES_H_
#define ASSAY_CORE_EVENTS_EVENT_RULES_H_

#include <cstdint>
#include <type_traits>
#include <vector>

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
// The host may know that a wait is over from a query: one that the batch of the wait, or one after it, has written.
// Where a batch waits for what the host may control unseen, it may still be kept from waiting.
//
// Nothing is reported for an event that was set again with something else, nor for one that the host touched while a
// queue had it in use; nor, until its next reset, after a submission that failed.
namespace assay::core {

// Recorded commands that write queries.
template <class C>
concept WritesQueries = std::is_same_v<C, vk::CmdEndQuery> || std::is_same_v<C, vk::CmdEndQueryIndexedEXT> ||
                        std::is_same_v<C, vk::CmdWriteTimestamp> || std::is_same_v<C, vk::CmdWriteTimestamp2> ||
                        std::is_same_v<C, vk::CmdWriteAccelerationStructuresPropertiesKHR> ||
                        std::is_same_v<C, vk::CmdWriteAccelerationStructuresPropertiesNV> ||
                        std::is_same_v<C, vk::CmdWriteMicromapsPropertiesEXT>;

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
  // These may let batches execute that were submitted before.
  void PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report);
  void PreCallValidate(const vk::SignalSemaphore& call, messages::Report& report);
  void PreCallValidate(const vk::SetEvent& call, messages::Report& report);
  void PreCallValidate(const vk::ResetEvent& call, messages::Report& report);

  template <WritesQueries C>
  void PreCallRecord(const C& call) {
    if (RecordingScope* scope = ScopeOf(call.commandBuffer)) scope->AddQueryPool(call.queryPool);
  }
  void PreCallRecord(const vk::CmdExecuteCommands& call);
  void PreCallRecord(const vk::DestroyEvent& call);
  void PreCallRecord(const vk::DestroyQueryPool& call);
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
    // Of the last wait: the number of its batch, and whether the host may keep the batch from executing.
    uint64_t wait_order = 0;
    bool may_be_kept = false;
    // The versions of the waits' commands; bits of EventRecording::Entry::waits.
    uint8_t waits = 0;
  };
  using DeviceEvents = absl::flat_hash_map<VkEvent, DeviceEvent>;

  static RecordingScope* ScopeOf(VkCommandBuffer handle) {
    const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
    return buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  }
  // Notes the batch's writes of queries, and whether it may be kept.
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
  // The number of batches that became ready, and the last one that writes queries of a pool.
  uint64_t batches_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<VkQueryPool, uint64_t> written_ ABSL_GUARDED_BY(mutex_);
  // The last batch of each queue that the host may keep from executing, while it is not known to be complete.
  std::vector<state::QueuePoint> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_EVENTS_EVENT_RULES_H_
