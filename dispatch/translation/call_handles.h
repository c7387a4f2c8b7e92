// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_CALL_HANDLES_H_
#define ASSAY_DISPATCH_TRANSLATION_CALL_HANDLES_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "dispatch/handles/slot.h"
#include "messages/messages.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"

// For validators that walk the parameters of a call: from handles to slots.
namespace assay::dispatch {

// The slot of a live object of the type, dispatchable or not, or null.
Slot* FindSlot(VkObjectType type, uint64_t handle);

// The elements of a member, one or an array; null if there are none that count, since the pointer is null or ignored.
const char* ElementsOf(const vk::StructInfo& info, const vk::MemberInfo& member, const void* base);

// Calls visit(handle, index) for each handle of a parameter that is one handle or an array; not for VK_NULL_HANDLE.
void ForEachHandle(vk::CommandId command, const vk::MemberInfo& parameter, const void* call,
                   absl::FunctionRef<void(messages::ObjectRef object, uint32_t i)> visit);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_CALL_HANDLES_H_
