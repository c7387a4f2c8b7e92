// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_REMOVED_HANDLES_H_
#define ASSAY_DISPATCH_TRANSLATION_REMOVED_HANDLES_H_

#include <cstdint>

#include "dispatch/hooks/instance.h"
#include "vk/command_info.h"
#include "vk/vulkan.h"

// The end of handles: the objects that a command destroys leave the handle tables, and their names leave the reporter.
namespace assay::dispatch {

// Unregisters the objects that a vkDestroy* or vkFree* command destroys. call holds the application's handles.
void RemoveDestroyed(const vk::CommandInfo& command, const void* call);

// The same for a command that destroys one object. handle is the application's, which must be wrapped. Returns the
// driver's handle: VK_NULL_HANDLE for a stale handle. A foreign one is returned unchanged, and an object of another
// type stays registered.
uint64_t RemoveAndUnwrap(vk::CommandId command, uint64_t handle);

// Unregisters the children of an object, such as a pool's descriptor sets.
void RemoveChildren(VkObjectType type, uint64_t handle, vk::CommandId destroyed_by);

// Makes the dispatchable handles of an instance or device unknown. Call it before the driver destroys them: the driver
// may use their addresses again at once. device is null for the objects of the instance alone.
void RemoveDispatchableHandles(const Instance* instance, const Device* device);

// Unregisters all objects of an instance or device that is being destroyed, itself included.
void RemoveObjectsOf(const Instance* instance, const Device* device, vk::CommandId destroyed_by);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_REMOVED_HANDLES_H_
