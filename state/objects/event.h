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
  // Whether the host set the event last, and whether the host ever set or reset it. Changes by command buffers are not
  // here. QueueTracker's mutex guards both.
  bool is_host_set = false;
  bool was_changed_by_host = false;
  // What the host could see of it before the last vkSetEvent or vkResetEvent, which may fail: is_host_set, and whether
  // it was set at all.
  bool was_host_set = false;
  bool was_set = false;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_EVENT_H_
