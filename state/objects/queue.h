// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_QUEUE_H_
#define ASSAY_STATE_OBJECTS_QUEUE_H_

#include <cstdint>
#include <deque>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

// Queues, and points in their order.
namespace assay::state {

class Queue;
class SubmittedBatch;

// A batch, by its serial on its queue. Serials count from 1.
struct QueuePoint {
  Queue* queue = nullptr;
  uint64_t serial = 0;
  bool operator==(const QueuePoint&) const = default;
};
using QueuePoints = absl::InlinedVector<QueuePoint, 1>;

// A semaphore signal operation of a batch.
struct SignalPoint {
  QueuePoint point;
  // Of the first synchronization scope; 0 for none.
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  // Index among the batch's signals.
  uint32_t index = 0;
  // Null if the batch is not stored any more. Then everything up to the point, whatever its stage, counts as ordered
  // before the wait.
  std::shared_ptr<SubmittedBatch> batch;
};
using SignalPoints = absl::InlinedVector<SignalPoint, 1>;

// The progress of a queue: completed <= ready <= submitted. QueueTracker keeps it, and its mutex guards it.
struct QueueProgress {
  // A batch that waited for other queues. It is complete only when the points that it waited for are.
  struct Dependent {
    uint64_t serial;
    QueuePoints after;
    // The first batch whose points are among them: only a limited number of dependents is kept.
    uint64_t first = serial;
  };
  uint64_t submitted = 0;
  // The order among queues is known up to this serial.
  uint64_t ready = 0;
  // The host knows that work is complete up to this serial.
  uint64_t completed = 0;
  // The host may know the same up to this serial: by the results of a query or the status of an event, or by means that
  // the layer does not see. None of these orders memory accesses.
  uint64_t maybe_completed = 0;
  // The number of commands that submitted to the queue; presents without a fence do not count.
  uint64_t submissions = 0;
  // The batches after `ready`, in order.
  std::deque<std::shared_ptr<SubmittedBatch>> held;
  // Dependents between `completed` and `ready`.
  std::deque<Dependent> dependents;
};

class Queue : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_QUEUE;
  Queue(VkQueue queue, uint32_t family_index, VkQueueFlags flags_of_family, uint32_t index_in_device = 0,
        VkDeviceQueueCreateFlags flags_of_creation = 0)
      : Object(kType, reinterpret_cast<uint64_t>(queue)),
        family(family_index),
        flags(flags_of_family),
        index(index_in_device),
        create_flags(flags_of_creation) {}

  const uint32_t family;
  const VkQueueFlags flags;
  // Counts from 0, in the order in which the application got the device's queues; an index for arrays by queue.
  const uint32_t index;
  const VkDeviceQueueCreateFlags create_flags;
  // The number of vkQueueSubmit and vkQueueSubmit2 calls so far. The queue's external synchronization guards it.
  uint64_t submit_count = 0;
  QueueProgress progress;
};

inline uint64_t MaybeCompleted(const QueueProgress& progress) {
  return progress.completed > progress.maybe_completed ? progress.completed : progress.maybe_completed;
}

// The mutex of QueueTracker must be held for these functions.
inline bool IsComplete(QueuePoint point) { return point.serial <= point.queue->progress.completed; }
// Whether the host cannot know that the point is complete; false for no point.
inline bool IsPending(QueuePoint point) {
  return point.queue != nullptr && point.serial > MaybeCompleted(point.queue->progress);
}
// Whether the order among queues is not known yet.
inline bool IsHeld(QueuePoint point) { return point.serial > point.queue->progress.ready; }

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_QUEUE_H_
