// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_FENCE_H_
#define ASSAY_STATE_OBJECTS_FENCE_H_

#include <cstdint>

#include "state/objects/object.h"
#include "state/objects/queue.h"
#include "vk/vulkan.h"

namespace assay::state {

// What signals a fence, and when. QueueTracker keeps it, and its mutex guards it.
struct FenceProgress {
  enum class Status : uint8_t {
    kUnsignaled,
    // Submitted to a queue, which signals the fence when `points` are complete.
    kSubmitted,
    // The presentation engine signals the fence, at a time that only the fence shows.
    kPresentation,
    kSignaled,
    // A call that should have signalled the fence failed.
    kUnknown,
  };
  Status status = Status::kUnsignaled;
  // The batches that are complete once the fence is signalled.
  QueuePoints points;
  // The batch that signals the fence, until the host knows that it is signaled; its queue is null for none.
  QueuePoint signaled_by;
  // Until the fence is reset, something signals it that the layer does not see.
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

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_FENCE_H_
