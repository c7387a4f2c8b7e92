// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SWAPCHAIN_RULES_H_
#define ASSAY_CORE_SWAPCHAINS_SWAPCHAIN_RULES_H_

#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// Acquiring and presenting images. The semaphore and the fence that an acquisition signals must be free, and a
// presented image must have been acquired.
//
// A semaphore is free if no signal operation of it is pending or done that still lacks its wait, and if no submitted
// wait for it may still be pending. The semaphores that a present waits for follow the rules of submissions
// (queue_rules.h).
namespace assay::core {

// The validator.
class SwapchainRules {
 public:
  // state must outlive it.
  explicit SwapchainRules(const state::DeviceState& state);

  void PreCallValidate(const vk::AcquireNextImageKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::AcquireNextImage2KHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueuePresentKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::WaitForPresentKHR& call, messages::Report& report) const;

 private:
  struct AcquireIds;
  struct Acquire;
  // where leads to the owner of the members.
  void Check(const Acquire& acquire, const AcquireIds& ids, const messages::Location& where,
             messages::Report& report) const;
  void CheckSemaphore(const Acquire& acquire, const AcquireIds& ids, const messages::Location& where,
                      messages::Report& report) const;
  void CheckImages(const VkPresentInfoKHR& info, const messages::Location& where, messages::Report& report) const;
  void CheckFences(const VkPresentInfoKHR& info, const messages::Location& where, messages::Report& report) const;

  const state::DeviceState& state_;
  const bool present_id_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SWAPCHAINS_SWAPCHAIN_RULES_H_
