// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_BATCH_RESOLVER_H_
#define ASSAY_STATE_QUEUES_BATCH_RESOLVER_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "state/objects/semaphore.h"
#include "state/queues/submission.h"

namespace assay::state {

// Finds the batches that become ready, on all queues together, and an order for them. It fills in the sources of their
// waits; nothing else changes. Private to QueueTracker.
class BatchResolver {
 public:
  struct QueueState {
    Queue* queue;
    Batches batches;
    // Index of the first batch that is not ready.
    size_t next = 0;
    uint64_t ready;
    // The first of the batches that were not held before.
    size_t first_new = 0;
    // Batches up to this serial are ready whatever they wait for.
    uint64_t forced = 0;
  };

  // kShare takes the held batches of the queues, kCopy copies of them, so that they stay as they are.
  enum class HeldBatches { kShare, kCopy };
  BatchResolver(absl::Span<Queue* const> queues, HeldBatches held);

  // Adds batches to a queue. They have serials and BinarySemaphoreLinks has linked them.
  void Append(Queue& queue, const Batches& batches);
  // Makes batches up to the point ready whatever they wait for.
  void Force(QueuePoint point);
  void AssumeHostSignal(const Semaphore& semaphore, uint64_t value) { host_signals_.push_back({&semaphore, value}); }

  // Resolves the waits of all queues.
  void Run();

  // A batch that was held before Run() found it ready, as it was then.
  struct Released {
    BatchRef batch;
    SubmittedBatch before;
  };
  // These, in their order.
  std::vector<Released>& released() { return released_; }

  // The batches that Run() found ready, in an order in which every wait comes after its signal.
  const Batches& order() const { return order_; }
  const std::vector<QueueState>& queue_states() const { return queue_states_; }
  QueueState& QueueStateOf(Queue& queue);

 private:
  struct HostSignal {
    const Semaphore* semaphore;
    uint64_t value;
  };
  struct NewSignal {
    const Semaphore* semaphore;
    SemaphoreProgress::Signal signal;
  };

  bool IsReady(QueuePoint point) const;
  bool IsReady(const SubmittedBatch& batch) const;
  bool IsSatisfied(const BatchWait& wait) const;
  uint64_t KnownValue(const Semaphore& semaphore) const;
  // The smallest value of a known signal that is at least `value`; false if there is none.
  bool FindReached(const Semaphore& semaphore, uint64_t value, uint64_t* reached) const;
  void MarkReady(QueueState& queue_state);
  void ResolveBinary(SignalSource& source) const;
  SignalSource ResolveTimeline(const BatchWait& wait) const;
  const QueueState* FindQueueState(const Queue* queue) const;

  std::vector<QueueState> queue_states_;
  absl::InlinedVector<HostSignal, 1> host_signals_;
  // Timeline signals of the batches that Run() found ready.
  std::vector<NewSignal> new_signals_;
  Batches order_;
  std::vector<Released> released_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_BATCH_RESOLVER_H_
