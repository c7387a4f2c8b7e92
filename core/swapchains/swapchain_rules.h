// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SWAPCHAIN_RULES_H_
#define ASSAY_CORE_SWAPCHAINS_SWAPCHAIN_RULES_H_

#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// vkAcquireNextImageKHR and vkQueuePresentKHR: what they signal must be free for it, and what is presented must have
// been acquired. A semaphore that is signaled already, or is going to be, while nothing that was submitted waits for
// it, cannot be signaled once more; nor can one while what waits for it may still do so. What a present waits for is
// checked as what submissions wait for is (queue_rules.h).
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
  // where leads to what has the members.
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
