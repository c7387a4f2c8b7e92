// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUEUES_QUEUE_RULES_H_
#define ASSAY_CORE_QUEUES_QUEUE_RULES_H_

#include <cstdint>

#include "core/queues/timeline_semaphore_checker.h"
#include "core/recording/recording_scope.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// Rules that depend on earlier submissions and on what queues have completed: binary semaphores that are signaled or
// waited for twice, values of timeline semaphores, fences in use, pending command buffers. Rules that one submission
// decides by itself are in core/barriers/submissions.cc.
//
// Only certain errors are reported, whatever the device has done by then. A batch counts as complete only where the
// host knows that it is. Where the host may know it in a way that the layer does not track, nothing is reported.
// Payloads that are shared with other processes or devices have no rule here.
namespace assay::core {

// The validator. Needs the sub-states that CommandRules attaches.
class QueueRules {
 public:
  // state must outlive it.
  explicit QueueRules(state::DeviceState& state);

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueuePresentKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::SignalSemaphore& call, messages::Report& report) const;
  // external_payloads.cc.
  void PreCallValidate(const vk::ImportFenceFdKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::ImportSemaphoreFdKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetFenceFdKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetSemaphoreFdKHR& call, messages::Report& report) const;

  // Before the call goes down, after the state tracker has numbered the batches.
  void PreCallRecord(const vk::QueueSubmit& call);
  void PreCallRecord(const vk::QueueSubmit2& call);
  void PostCallRecord(const vk::QueueSubmit& call, VkResult result);
  void PostCallRecord(const vk::QueueSubmit2& call, VkResult result);

 private:
  template <class C>
  void CheckSemaphores(const C& call, messages::Report& report) const;
  template <class C>
  void CheckTimelines(const TimelineSemaphoreChecker& checker, messages::Report& report) const;
  template <class C>
  void CheckPending(const C& call, messages::Report& report) const;
  template <class C>
  void Mark(const C& call, bool has_succeeded);

  state::DeviceState& state_;
  // VkPhysicalDeviceTimelineSemaphoreProperties::maxTimelineSemaphoreValueDifference.
  uint64_t max_difference_ = ~uint64_t{0};
};

}  // namespace assay::core

#endif  // ASSAY_CORE_QUEUES_QUEUE_RULES_H_
