// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_EVENT_H_
#define ASSAY_STATE_OBJECTS_EVENT_H_

#include "state/objects/object.h"
#include "vk/vulkan.h"

namespace assay::state {

class Event : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_EVENT;
  Event(uint64_t handle, const VkEventCreateInfo& info)
      : Object(kType, handle), is_device_only((info.flags & VK_EVENT_CREATE_DEVICE_ONLY_BIT) != 0) {}

  const bool is_device_only;
  // Whether the host could see it set before the last vkSetEvent or vkResetEvent, which may fail. QueueTracker's mutex
  // guards it.
  bool was_set = false;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_EVENT_H_
