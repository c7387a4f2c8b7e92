// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_REWRITING_INTERNAL_CALLS_H_
#define ASSAY_DISPATCH_REWRITING_INTERNAL_CALLS_H_

#include "dispatch/handles/slot.h"
#include "dispatch/hooks/instance.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Internal calls: a validator's own calls to the next layer or driver. No hook runs, no handle is translated, and what
// they create is in no table: the application and the other validators do not see it. All handles are the driver's.
//
// The validator is an application to the layers below: it follows the rules of the commands, external synchronization
// too, and destroys what it creates before the device is destroyed. In a Rewrite, PreCallRecord or PostCallRecord of a
// command, the objects that the application must synchronize for that command are synchronized for internal calls.
namespace assay::dispatch {

// Whether the next layer or driver has the command.
template <class C>
bool HasNext(const Device& device) {
  return Next<C>(device.next) != nullptr;
}

// Calls it. The command must be there: it is of a version or extension that is enabled below.
template <class C>
typename C::Result CallNext(const Device& device, const C& call) {
  return vk::CallDown(call, Next<C>(device.next));
}

// vkAllocateCommandBuffers for command buffers of the validator's own. A command buffer is dispatchable, and what makes
// one that the loader did not see has to give it the loader's data.
VkResult AllocateInternalCommandBuffers(const Device& device, const VkCommandBufferAllocateInfo& info,
                                        VkCommandBuffer* command_buffers);

// The driver's handle of an object that the application has. Null stays null.
template <class H>
H DriverHandle(H handle) {
  return reinterpret_cast<H>(HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(handle)));
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_REWRITING_INTERNAL_CALLS_H_
