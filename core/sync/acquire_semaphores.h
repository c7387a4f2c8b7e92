// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SYNC_ACQUIRE_SEMAPHORES_H_
#define ASSAY_CORE_SYNC_ACQUIRE_SEMAPHORES_H_

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// The semaphores of vkAcquireNextImageKHR: one that is signaled already, or is going to be, while nothing that was
// submitted waits for it, cannot be signaled once more. That is known when the image is acquired, whatever the device
// has done by then. A semaphore whose wait is submitted may be idle again or not; nothing is said of it.
namespace assay::core {

// The validator.
class AcquireSemaphores {
 public:
  void PreCallValidate(const vk::AcquireNextImageKHR& call, messages::Report& report) const;
  void PreCallValidate(const vk::AcquireNextImage2KHR& call, messages::Report& report) const;
  void PostCallRecord(const vk::AcquireNextImageKHR& call, VkResult result);
  void PostCallRecord(const vk::AcquireNextImage2KHR& call, VkResult result);

  // What signals and waits for binary semaphores.
  void PostCallRecord(const vk::QueueSubmit& call, VkResult result);
  void PostCallRecord(const vk::QueueSubmit2& call, VkResult result);
  void PostCallRecord(const vk::QueueBindSparse& call, VkResult result);
  void PostCallRecord(const vk::QueuePresentKHR& call, VkResult result);

  // The end of a payload that is known.
  void PreCallRecord(const vk::DestroySemaphore& call) { Forget({&call.semaphore, 1}); }
  void PostCallRecord(const vk::ImportSemaphoreFdKHR& call, VkResult result);
  void PostCallRecord(const vk::GetSemaphoreFdKHR& call, VkResult result);

 private:
  void Check(VkSemaphore semaphore, vk::VuidIndex vuid, const messages::Location& where,
             messages::Report& report) const;
  void Signal(absl::Span<const VkSemaphore> semaphores, vk::CommandId command, VkResult result);
  void Forget(absl::Span<const VkSemaphore> semaphores);

  mutable absl::Mutex mutex_;
  // Binary semaphores that were signaled and that nothing waits for, and what signaled them.
  absl::flat_hash_map<VkSemaphore, vk::CommandId> signals_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SYNC_ACQUIRE_SEMAPHORES_H_
