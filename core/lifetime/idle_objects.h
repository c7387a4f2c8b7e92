// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LIFETIME_IDLE_OBJECTS_H_
#define ASSAY_CORE_LIFETIME_IDLE_OBJECTS_H_

#include <atomic>

#include "dispatch/dispatch.h"
#include "vk/vulkan.h"

namespace assay::core {

// Types of objects that a batch itself refers to, and no command in it.
inline bool IsOfBatches(VkObjectType type) {
  return type == VK_OBJECT_TYPE_FENCE || type == VK_OBJECT_TYPE_SEMAPHORE || type == VK_OBJECT_TYPE_COMMAND_BUFFER;
}

// Whether no recording has the object, and no queue can have it in use, nor objects that are destroyed with it or made
// of it.
inline bool IsSurelyIdle(const dispatch::Slot& slot) {
  return !IsOfBatches(slot.type) && !slot.is_recorded.load(std::memory_order_relaxed) &&
         !slot.is_referenced.load(std::memory_order_relaxed) && slot.first_child == dispatch::HandleTable::kNone;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_LIFETIME_IDLE_OBJECTS_H_
