// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGE_OBJECT_REF_H_
#define ASSAY_MESSAGES_MESSAGE_OBJECT_REF_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "vk/struct_traits.h"
#include "vk/vulkan.h"

namespace assay::messages {

// A Vulkan object as the application knows it: the application's handle, and its type.
struct ObjectRef {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint64_t handle = 0;

  friend bool operator==(const ObjectRef&, const ObjectRef&) = default;

  template <class H>
  friend H AbslHashValue(H state, const ObjectRef& object) {
    return H::combine(std::move(state), static_cast<int>(object.type), object.handle);
  }
};

// The object that a handle of any type, dispatchable or not, stands for.
template <class Handle>
ObjectRef Object(Handle handle) {
  return {vk::kObjectTypeOf<Handle>, reinterpret_cast<uint64_t>(handle)};
}

// "VkBuffer 0x7f12[staging]", "VkBuffer 0x7f12" when name is empty, "VkBuffer VK_NULL_HANDLE". Whatever could break a
// line or a terminal in a name is escaped: see EscapeName().
std::string DescribeObject(ObjectRef object, std::string_view name);

// A name that is safe in one line of text. Control characters and bytes that are not UTF-8 become \n, \t, \r or \x1b.
// Everything else remains.
std::string EscapeName(std::string_view name);

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_MESSAGE_OBJECT_REF_H_
