// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_SYNC_OBJECTS_H_
#define ASSAY_STATE_OBJECTS_SYNC_OBJECTS_H_

#include <vector>

#include "state/objects/object.h"
#include "state/objects/queue.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::state {

// What QueueTracker keeps of a fence, guarded by its mutex.
struct FenceProgress {
  enum class Status : uint8_t {
    kUnsignaled,
    // Given to a queue, which signals it when `points` are complete.
    kSubmitted,
    // The presentation engine signals it; when, only the fence tells.
    kPresentation,
    kSignaled,
    // A call that was to signal it failed.
    kUnknown,
  };
  Status status = Status::kUnsignaled;
  // What is complete once the fence is signalled.
  QueuePoints points;
  // Signalled by what the layer does not see, until it is reset.
  bool is_unknown = false;
  // The payload is shared with a handle outside of the device, for good.
  bool is_external = false;
};

class Fence : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_FENCE;
  Fence(uint64_t handle, const VkFenceCreateInfo& info)
      : Object(kType, handle), created_signaled((info.flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0) {
    if (created_signaled) progress.status = FenceProgress::Status::kSignaled;
  }

  const bool created_signaled;
  FenceProgress progress;
};

// An image that vkAcquireNextImageKHR gave.
struct AcquiredImage {
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  uint32_t index = 0;
  // Null until the application has asked for the swapchain's images.
  VkImage image = VK_NULL_HANDLE;
  // The batch that presented it before; its queue is null for none.
  QueuePoint presented;
};

// What a semaphore wait operation waits for.
struct SignalSource {
  enum class Kind : uint8_t {
    // Of a pending wait: not known yet. Of a binary semaphore: nothing signals it.
    kNone,
    // Batches: `signals`.
    kBatches,
    // The host, or batches that the host knows to be complete: nothing is left to be ordered.
    kComplete,
    // The presentation engine: `image`. What the image was presented after is in `signals`.
    kAcquire,
    // What the layer does not see, or nothing: it may order everything.
    kUnknown,
  };
  Kind kind = Kind::kNone;
  SignalPoints signals;
  AcquiredImage image;
  // Of a binary semaphore that nothing signals: the batch that waits for the signal before; its queue is null for none.
  QueuePoint waited;
};

// What QueueTracker keeps of a semaphore, guarded by its mutex.
struct SemaphoreProgress {
  struct Signal {
    uint64_t value;
    SignalPoint signal;
  };
  // Of a binary semaphore: what the next wait waits for.
  SignalSource pending;
  // Of a timeline semaphore: the value that the host knows it has reached at least.
  uint64_t known_value = 0;
  // Those of ready batches that the host does not know to be complete, by value.
  std::vector<Signal> signals;
  // What stands for signals of which there were too many to keep.
  QueuePoints merged_points;
  // The payload is shared with a handle outside of the device, for good.
  bool is_external = false;
  // Another payload has taken its place for a time, and the layer does not know what comes back when that ends.
  bool was_replaced = false;
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

#endif  // ASSAY_STATE_OBJECTS_SYNC_OBJECTS_H_
