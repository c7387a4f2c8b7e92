// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_SEMAPHORE_H_
#define ASSAY_STATE_OBJECTS_SEMAPHORE_H_

#include <cstdint>
#include <vector>

#include "state/objects/acquired_image.h"
#include "state/objects/object.h"
#include "state/objects/queue.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::state {

// The signal operations that a semaphore wait operation waits for.
struct SignalSource {
  enum class Kind : uint8_t {
    // For a pending wait: not known yet. For a binary semaphore: nothing signals it.
    kNone,
    // Batches signal, with `signals`.
    kBatches,
    // The host signals, or batches that the host knows to be complete. No work is left to order.
    kComplete,
    // The presentation engine signals that `image` is acquired. `signals` are those that its last present waited for.
    kAcquire,
    // Something signals that the layer does not see, or nothing does. It may order everything.
    kUnknown,
  };
  Kind kind = Kind::kNone;
  SignalPoints signals;
  AcquiredImage image;
  // For a binary semaphore that nothing signals: the batch that waited for the previous signal. Its queue is null for
  // none.
  QueuePoint waited;
};

// The payload of a semaphore. QueueTracker keeps it, and its mutex guards it.
struct SemaphoreProgress {
  struct Signal {
    uint64_t value;
    SignalPoint signal;
  };
  // Of a binary semaphore: the source of the next wait.
  SignalSource pending;
  // Of a timeline semaphore: the largest value that the host knows it has reached.
  uint64_t known_value = 0;
  // The same before the last vkSignalSemaphore, which may fail.
  uint64_t value_before_host_signal = 0;
  // Of a timeline semaphore: signals of ready batches that the host does not know to be complete, sorted by value.
  std::vector<Signal> signals;
  // Points that stand for older signals: only a limited number of signals is kept.
  QueuePoints merged_points;
  // The payload is shared with a handle outside of the device, for good.
  bool is_external = false;
  // A temporary payload has replaced the permanent one. The layer does not know what the permanent payload is when it
  // comes back.
  bool was_replaced = false;
  // The batches that wait for the semaphore or signal it (PendingBatches::AddUse).
  QueuePoints uses;
};

class Semaphore : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SEMAPHORE;
  Semaphore(uint64_t handle, const VkSemaphoreCreateInfo& info) : Object(kType, handle) {
    if (const auto* type = vk::FindInChain<VkSemaphoreTypeCreateInfo>(info.pNext)) {
      is_timeline = type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
      initial_value = type->initialValue;
      progress.known_value = initial_value;
    }
  }

  bool is_timeline = false;
  uint64_t initial_value = 0;
  SemaphoreProgress progress;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_SEMAPHORE_H_
