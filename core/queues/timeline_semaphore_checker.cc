// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queues/timeline_semaphore_checker.h"

namespace assay::core {

bool TimelineSemaphoreChecker::FindSignalBefore(const SemaphoreOperation& operation, uint64_t* value) const {
  if (!ids_.is_ordered) return false;
  const auto is_it = [&](uint64_t other) {
    *value = other;
    return other >= operation.value;
  };
  for (const SemaphoreOperation& before : before_) {
    if (!before.is_wait && before.semaphore == operation.semaphore && before.batch < operation.batch &&
        is_it(before.value)) {
      return true;
    }
  }
  for (const auto& signal : operation.semaphore->progress.signals) {
    const state::SignalPoint& point = signal.signal;
    const bool in_order = point.point.queue == &queue_ && point.batch != nullptr && !point.batch->is_sparse();
    if (in_order && is_it(signal.value)) return true;
  }
  for (const state::BatchRef& batch : queue_.progress.held) {
    if (batch->is_sparse()) continue;
    for (const state::BatchSignal& signal : batch->signals) {
      if (signal.semaphore.get() == operation.semaphore && is_it(signal.value)) return true;
    }
  }
  return false;
}

void TimelineSemaphoreChecker::Signal(const SemaphoreOperation& operation) {
  const uint64_t known = operation.semaphore->progress.known_value;
  uint64_t other = 0;
  const auto add = [&](Finding::Kind kind, uint64_t value) {
    findings_.push_back({kind, ids_.signal_value, operation, value});
  };
  if (operation.value <= known) return add(Finding::Kind::kReached, known);
  for (const SemaphoreOperation& before : before_) {
    if (ids_.has_rule_of_batch || !before.is_wait || before.semaphore != operation.semaphore ||
        before.batch != operation.batch || before.value < operation.value) {
      continue;
    }
    return add(Finding::Kind::kWaitedFor, before.value);
  }
  if (FindSignalBefore(operation, &other)) return add(Finding::Kind::kSignaledBefore, other);
}

void TimelineSemaphoreChecker::Add(const SemaphoreOperation& operation) {
  if (!IsTracked(*operation.semaphore)) return;
  if (!operation.is_wait) Signal(operation);
  const uint64_t known = operation.semaphore->progress.known_value;
  if (operation.value > known && operation.value - known > max_difference_) {
    findings_.push_back({Finding::Kind::kMaybeTooFar, operation.is_wait ? ids_.wait_difference : ids_.signal_difference,
                         operation, max_difference_});
  }
  before_.push_back(operation);
}

bool GetCounterValue(const dispatch::Device& device, VkSemaphore semaphore, uint64_t* value) {
  const auto get_value = dispatch::Next<vk::GetSemaphoreCounterValue>(device.next);
  const uint64_t of_driver = dispatch::HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(semaphore));
  return get_value != nullptr &&
         get_value(device.handle, reinterpret_cast<VkSemaphore>(of_driver), value) == VK_SUCCESS;
}

}  // namespace assay::core
