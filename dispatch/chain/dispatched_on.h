// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_DISPATCHED_ON_H_
#define ASSAY_DISPATCH_CHAIN_DISPATCHED_ON_H_

#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/handles/slot.h"
#include "vk/command_enums.h"
#include "vk/vulkan.h"

// The object that a command is dispatched on.
namespace assay::dispatch {

// The first parameter of a command, on which it is dispatched.
template <class C>
const void* DispatchedOn(const C& call) {
  return *reinterpret_cast<void* const*>(&call);
}

// The object type of the first parameter.
template <class C>
constexpr VkObjectType DispatchedType() {
  switch (C::kDispatch) {
    case vk::DispatchLevel::kPhysicalDevice:
      return VK_OBJECT_TYPE_PHYSICAL_DEVICE;
    case vk::DispatchLevel::kDevice:
      return VK_OBJECT_TYPE_DEVICE;
    case vk::DispatchLevel::kQueue:
      return VK_OBJECT_TYPE_QUEUE;
    case vk::DispatchLevel::kCommandBuffer:
      return VK_OBJECT_TYPE_COMMAND_BUFFER;
    default:
      return VK_OBJECT_TYPE_INSTANCE;
  }
}

// The slot of the object that a command is dispatched on. Null when the handle is unknown or of an object of another
// type, such as a queue passed for a command buffer.
template <class C>
Slot* FindDispatchedOn(const C& call) {
  Slot* const slot = DispatchableTable::Get().Find(DispatchedOn(call));
  return slot != nullptr && slot->type == DispatchedType<C>() ? slot : nullptr;
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_DISPATCHED_ON_H_
