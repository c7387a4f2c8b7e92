// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUEUES_BINARY_SEMAPHORE_CHECKER_H_
#define ASSAY_CORE_QUEUES_BINARY_SEMAPHORE_CHECKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "core/queues/semaphore_operations.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"

// The operations of one call on binary semaphores: each wait needs a signal operation, and each signal operation an
// unsignaled semaphore. Reports only what is certain (queue_rules.h).
namespace assay::core {

struct BinarySemaphoreIds {
  vk::VuidIndex nothing_signals;
  vk::VuidIndex other_queue_waits;
  vk::VuidIndex is_signaled;
};

// Checks the binary semaphores of one call. The queues must be held from construction to the last Add()
// (state::DeviceState::InspectQueues).
class BinarySemaphoreChecker {
 public:
  struct Finding {
    enum class Kind : uint8_t {
      kNothingSignals,
      // The signal operation waits for something that was not submitted.
      kSignalIsHeld,
      kOtherQueueWaits,
      // An error only if the batch can be executed before anything else is submitted.
      kIsSignaled,
    };
    Kind kind;
    vk::VuidIndex vuid;
    SemaphoreOperation operation;
    // The source of the semaphore's signal before the operation. A source without points is of the call itself.
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

// Reports a finding; where leads to the semaphore.
void ReportFinding(const BinarySemaphoreChecker::Finding& finding, const messages::Location& where,
                   messages::Report& report);
// The source in words, such as "vkQueueSubmit2() to VkQueue 0x…".
std::string SignalText(const state::SignalSource& source, messages::Reporter& reporter);

}  // namespace assay::core

#endif  // ASSAY_CORE_QUEUES_BINARY_SEMAPHORE_CHECKER_H_
