// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUEUES_TIMELINE_SEMAPHORE_CHECKER_H_
#define ASSAY_CORE_QUEUES_TIMELINE_SEMAPHORE_CHECKER_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "core/queues/semaphore_operations.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// The operations of one call on timeline semaphores: values must grow, and may not differ by more than the device's
// limit. Reports only what is certain (queue_rules.h).
namespace assay::core {

struct TimelineSemaphoreIds {
  vk::VuidIndex signal_value;
  vk::VuidIndex signal_difference;
  vk::VuidIndex wait_difference;
  // Another rule checks values that the same batch waits for.
  bool has_rule_of_batch = false;
  // Whether signal operations happen in the order of submission ("Signal operation order").
  bool is_ordered = true;
};

// Checks the timeline semaphores of one call. The queues must be held as for BinarySemaphoreChecker. max_difference is
// VkPhysicalDeviceTimelineSemaphoreProperties::maxTimelineSemaphoreValueDifference.
class TimelineSemaphoreChecker {
 public:
  struct Finding {
    enum class Kind : uint8_t {
      // The host knows that the semaphore has reached the other value.
      kReached,
      // The queue signals the other value earlier.
      kSignaledBefore,
      // The batch waits for the other value.
      kWaitedFor,
      // Too far from the least value that the semaphore may have; the caller must query the current value.
      kMaybeTooFar,
    };
    Kind kind;
    vk::VuidIndex vuid;
    SemaphoreOperation operation;
    uint64_t other;
  };

  TimelineSemaphoreChecker(const state::Queue& queue, const TimelineSemaphoreIds& ids, uint64_t max_difference)
      : queue_(queue), ids_(ids), max_difference_(max_difference) {}

  void Add(const SemaphoreOperation& operation);
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  void Signal(const SemaphoreOperation& operation);
  bool FindSignalBefore(const SemaphoreOperation& operation, uint64_t* value) const;

  const state::Queue& queue_;
  const TimelineSemaphoreIds& ids_;
  const uint64_t max_difference_;
  absl::InlinedVector<SemaphoreOperation, 4> before_;
  std::vector<Finding> findings_;
};

// Queries the driver for the value of a timeline semaphore; false if it returns none. Must not be called with the
// queues held.
bool GetCounterValue(const dispatch::Device& device, VkSemaphore semaphore, uint64_t* value);

}  // namespace assay::core

#endif  // ASSAY_CORE_QUEUES_TIMELINE_SEMAPHORE_CHECKER_H_
