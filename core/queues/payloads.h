// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUEUES_PAYLOADS_H_
#define ASSAY_CORE_QUEUES_PAYLOADS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/queues/semaphore_operations.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"

// What fences and semaphores are when a queue or the presentation engine is given them, as far as that is certain
// whatever the device has done by then: completion counts as known only where the host has learned of it, and where the
// host may have learned of it in a way that the layer does not follow, nothing is said. What is shared with others has
// no rule here.
namespace assay::core {

struct FenceIds {
  vk::VuidIndex signaled;
  vk::VuidIndex in_use;
};
// A fence that is to be signaled. where is the handle.
void CheckFence(const state::DeviceState& state, VkFence fence, const FenceIds& ids, const messages::Location& where,
                messages::Report& report);

struct BinarySemaphoreIds {
  vk::VuidIndex nothing_signals;
  vk::VuidIndex other_queue_waits;
  vk::VuidIndex is_signaled;
};

// Follows the binary semaphores of one call. Between construction and Take() the queues are held.
class BinarySemaphoreChecker {
 public:
  struct Finding {
    enum class Kind : uint8_t {
      kNothingSignals,
      // Something signals it that waits for what was not submitted.
      kSignalIsHeld,
      kOtherQueueWaits,
      // Holds only if the batch can be executed before anything else is submitted.
      kIsSignaled,
    };
    Kind kind;
    vk::VuidIndex vuid;
    SemaphoreOperation operation;
    // Of the semaphore, before the operation. One without points is of the call itself.
    state::SignalSource source;
  };

  BinarySemaphoreChecker(const state::Queue& queue, const BinarySemaphoreIds& ids) : queue_(queue), ids_(ids) {}

  void Add(const SemaphoreOperation& operation);
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  struct Changed {
    const state::Semaphore* semaphore;
    state::SignalSource source;
  };
  state::SignalSource& SourceOf(const state::Semaphore* semaphore);
  void Wait(const SemaphoreOperation& operation, const state::SignalSource& source);

  const state::Queue& queue_;
  const BinarySemaphoreIds& ids_;
  absl::InlinedVector<Changed, 4> changed_;
  std::vector<Finding> findings_;
};

// What it says of a finding; where is the semaphore.
void ReportFinding(const BinarySemaphoreChecker::Finding& finding, const messages::Location& where,
                   messages::Report& report);
// "vkQueueSubmit2() to VkQueue 0x…" and the like.
std::string SignalText(const state::SignalSource& source, messages::Reporter& reporter);

struct TimelineSemaphoreIds {
  vk::VuidIndex signal_value;
  vk::VuidIndex signal_difference;
  vk::VuidIndex wait_difference;
  // A value that the same batch waits for is the business of a rule of its own.
  bool has_rule_of_batch = false;
  // Its signal operations come in the order of submission ("Signal operation order").
  bool is_ordered = true;
};

// The same for timeline semaphores.
class TimelineSemaphoreChecker {
 public:
  struct Finding {
    enum class Kind : uint8_t {
      // The host knows that the semaphore has the other value.
      kReached,
      // The queue signals the other value before.
      kSignaledBefore,
      // The batch waits for the other value.
      kWaitedFor,
      // Too far from the least that the semaphore may have; its value has to be asked for.
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

// The value that the driver says a timeline semaphore has; false when it does not say. Not with the queues held.
bool GetCounterValue(const dispatch::Device& device, VkSemaphore semaphore, uint64_t* value);

}  // namespace assay::core

#endif  // ASSAY_CORE_QUEUES_PAYLOADS_H_
