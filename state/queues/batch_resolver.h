// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_BATCH_RESOLVER_H_
#define ASSAY_STATE_QUEUES_BATCH_RESOLVER_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "state/queues/submission.h"

// Which batches are ready, and what they wait for. Private to QueueTracker.
namespace assay::state {

// Binary semaphores through the batches of a call: a wait takes the signal that was submitted last before it. Changes
// nothing until Write().
class BinarySemaphoreLinks {
 public:
  struct Change {
    Ref<Semaphore> semaphore;
    SignalSource before;
    SignalSource after;
  };

  // Batches in submission order, with their serials.
  void Link(const BatchRef& batch);
  // Makes the semaphores what they are after the batches.
  void Write() const;
  std::vector<Change>& changes() { return changes_; }

 private:
  SignalSource& PendingOf(const Ref<Semaphore>& semaphore);
  std::vector<Change> changes_;
};

// Goes along all queues at once, from where each is ready to where it can be. A batch that it finds ready has its
// waits' sources filled in; nothing else changes.
class BatchResolver {
 public:
  struct QueueState {
    Queue* queue;
    Batches batches;
    // The first of batches that is not ready.
    size_t next = 0;
    uint64_t ready;
    // Up to here batches are ready whatever they wait for.
    uint64_t forced = 0;
  };

  // Takes the queues' held batches; copies of them when they are to stay as they are.
  enum class HeldBatches { kShare, kCopy };
  BatchResolver(absl::Span<Queue* const> queues, HeldBatches held);

  // More batches for a queue, with serials and linked.
  void Append(Queue& queue, const Batches& batches);
  void Force(QueuePoint point);
  void AssumeHostSignal(const Semaphore& semaphore, uint64_t value) { host_signals_.push_back({&semaphore, value}); }

  void Run();

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
  // The smallest value from that on that a known signal brings the semaphore to; false when there is none.
  bool FindReached(const Semaphore& semaphore, uint64_t value, uint64_t* reached) const;
  void MarkReady(QueueState& queue_state);
  void ResolveBinary(SignalSource& source) const;
  SignalSource ResolveTimeline(const BatchWait& wait) const;
  const QueueState* FindQueueState(const Queue* queue) const;

  std::vector<QueueState> queue_states_;
  absl::InlinedVector<HostSignal, 1> host_signals_;
  // Timeline signals of the batches that were found ready.
  std::vector<NewSignal> new_signals_;
  Batches order_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_BATCH_RESOLVER_H_
