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

// Queues, and places in their order.
namespace assay::state {

class Queue;
class SubmittedBatch;

// A batch by its number on its queue, which counts from 1.
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
  // Among the batch's signals.
  uint32_t index = 0;
  // Null when nothing is remembered of the batch: then everything up to the point, whatever its stage, is to be taken
  // for ordered before the wait.
  std::shared_ptr<SubmittedBatch> batch;
};
using SignalPoints = absl::InlinedVector<SignalPoint, 1>;

// What QueueTracker keeps of a queue, guarded by its mutex: completed <= ready <= submitted.
struct QueueProgress {
  // A batch that waited for other queues, and so is complete only when they are.
  struct Dependent {
    uint64_t serial;
    QueuePoints after;
  };
  uint64_t submitted = 0;
  // Up to here the order among queues is known.
  uint64_t ready = 0;
  // Up to here the host knows that work is complete.
  uint64_t completed = 0;
  // Up to here it may know so by means that the layer does not follow.
  uint64_t maybe_completed = 0;
  // Those after ready, in order.
  std::deque<std::shared_ptr<SubmittedBatch>> held;
  // Between completed and ready.
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
  // From 0, in the order in which the application got the device's queues: for arrays by queue.
  const uint32_t index;
  const VkDeviceQueueCreateFlags create_flags;
  // vkQueueSubmit and vkQueueSubmit2 calls so far; guarded by the queue's external synchronization.
  uint64_t submit_count = 0;
  QueueProgress progress;
};

// These with the mutex of QueueTracker held.
inline bool IsComplete(QueuePoint point) { return point.serial <= point.queue->progress.completed; }
// Whether the host cannot know that the point is complete; false for no point.
inline bool IsPending(QueuePoint point) {
  return point.queue != nullptr && !IsComplete(point) && point.serial > point.queue->progress.maybe_completed;
}
// Whether the order among queues is not known yet.
inline bool IsHeld(QueuePoint point) { return point.serial > point.queue->progress.ready; }

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_QUEUE_H_
