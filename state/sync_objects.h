// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SYNC_OBJECTS_H_
#define ASSAY_STATE_SYNC_OBJECTS_H_

#include "state/object.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::state {

class Fence : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_FENCE;
  Fence(uint64_t handle, const VkFenceCreateInfo& info)
      : Object(kType, handle), created_signaled((info.flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0) {}

  const bool created_signaled;
};

class Semaphore : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_SEMAPHORE;
  Semaphore(uint64_t handle, const VkSemaphoreCreateInfo& info) : Object(kType, handle) {
    if (const auto* type = vk::FindInChain<VkSemaphoreTypeCreateInfo>(info.pNext)) {
      is_timeline = type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
      initial_value = type->initialValue;
    }
  }

  bool is_timeline = false;
  uint64_t initial_value = 0;
};

class Event : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_EVENT;
  Event(uint64_t handle, const VkEventCreateInfo& info)
      : Object(kType, handle), device_only((info.flags & VK_EVENT_CREATE_DEVICE_ONLY_BIT) != 0) {}

  const bool device_only;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SYNC_OBJECTS_H_
