// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_PENDING_BATCHES_H_
#define ASSAY_STATE_QUEUES_PENDING_BATCHES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "dispatch/dispatch.h"
#include "state/objects/queue.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

namespace assay::state {

// A batch from its submission until the host may know that it is complete: its origin, for messages, and the recordings
// of its command buffers.
struct PendingBatch {
  struct Executed {
    VkCommandBuffer command_buffer;
    dispatch::RecordingRef recording;
  };
  uint64_t serial = 0;
  // The number among the batches of all queues, from 1.
  uint64_t order = 0;
  // The command, its number among those that submit to the queue, from 1, and the index of the batch in the command.
  vk::CommandId command{};
  uint64_t submission = 0;
  uint32_t index = 0;
  absl::InlinedVector<Executed, 1> executed;
  // What signals that the batch is complete: a fence, or a timeline semaphore with its value; null if there is none.
  VkFence fence = VK_NULL_HANDLE;
  VkSemaphore timeline = VK_NULL_HANDLE;
  uint64_t value = 0;
};

// The pending batches of all queues. An application may never wait, so the oldest batches of a queue are dropped beyond
// a large number.
//
// QueueTracker's mutex guards it; empty() needs no lock.
class PendingBatches {
 public:
  // The queue's index must be the number of those before.
  void AddQueue(const Queue& queue) { queues_.push_back({&queue, {}}); }
  // The batch must have a greater serial than those of its queue. Sets its order.
  void Add(const Queue& queue, PendingBatch batch);
  // Removes the batches from the serial on, which were not submitted after all.
  void Undo(const Queue& queue, uint64_t first_serial);
  // Moves the batches up to the serial to `taken`.
  void TakeUpTo(const Queue& queue, uint64_t serial, std::vector<PendingBatch>* taken);

  // Adds a batch to those that use an object. `first_serial` is that of the first batch of its call. Drops batches that
  // are not pending any more. Of the calls before, the last batch of each queue is enough; those of the last call may
  // be undone.
  void AddUse(QueuePoint use, uint64_t first_serial, QueuePoints* uses) const;

  // The batch at the point; null if it is not pending. The point's queue may be null.
  const PendingBatch* Find(QueuePoint point) const;
  const std::deque<PendingBatch>& Of(const Queue& queue) const { return queues_[queue.index].batches; }
  // Calls f(queue, batch) until it returns false.
  template <class F>
  void ForEach(const F& f) const {
    for (const OfQueue& of : queues_) {
      for (const PendingBatch& batch : of.batches) {
        if (!f(*of.queue, batch)) return;
      }
    }
  }
  // The number of batches that were submitted to all queues.
  uint64_t order() const { return order_; }
  bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  struct OfQueue {
    const Queue* queue;
    std::deque<PendingBatch> batches;
  };
  void PopFront(std::deque<PendingBatch>& batches);

  // By Queue::index.
  std::vector<OfQueue> queues_;
  uint64_t order_ = 0;
  std::atomic<size_t> count_{0};
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_PENDING_BATCHES_H_
