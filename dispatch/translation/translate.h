// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_TRANSLATE_H_
#define ASSAY_DISPATCH_TRANSLATION_TRANSLATE_H_

#include "dispatch/handles/handle_table.h"
#include "dispatch/translation/scratch_arena.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"

// Handle translation, driven by the registry's description of structures: one walker for every command. What the
// application passed is never written to; each structure on the way to a handle is copied into an arena and the copy is
// changed. Structures that reach no handle, and pNext chains none of whose links does, are shared with the
// application's.
//
// The walker follows only pointers that the specification does not call ignored in the structure at hand (the
// pImageInfo of a buffer descriptor's VkWriteDescriptorSet may be garbage); ignored_members.h has those rules.
namespace assay::dispatch {

// Replaces the application's handles by the driver's in the parameter struct of a command (already a copy:
// vk::CmdCopyBuffer), and in copies of all that it points to.
void TranslateToDriver(const vk::CommandInfo& command, void* call, ScratchArena& arena);

// Handles that the driver returned in output parameters, once the command has succeeded: enters each in the handle
// table and overwrites it with the application's. Where owner says so the handle is interned (displays) instead of new.
void TranslateFromDriver(const vk::CommandInfo& command, void* call, Instance* instance, Device* device);

// Writes VK_NULL_HANDLE to every non-dispatchable handle that the command is to return.
void ClearReturned(const vk::CommandInfo& command, const void* call);

// Takes the objects that a vkDestroy* or vkFree* command ends out of the handle table. call holds the application's
// handles.
void RemoveDestroyed(const vk::CommandInfo& command, const void* call);

// The same for a command that ends one object of which it is given the wrapped handle. Returns the driver's handle, or
// the one given when it is none of an object of that type.
uint64_t RemoveAndUnwrap(vk::CommandId command, uint64_t handle);

// Takes the children of an object, such as a pool's descriptor sets, out of the handle table.
void RemoveChildren(VkObjectType type, uint64_t handle, vk::CommandId destroyed_by);

// Makes the dispatchable handles of an instance or device unknown: before the driver destroys them and may use their
// addresses again.
void RemoveDispatchableHandles(const Instance* instance, const Device* device);

// Takes whatever is left of an instance or device that is being destroyed, itself included, out of the tables.
void RemoveObjectsOf(const Instance* instance, const Device* device, vk::CommandId destroyed_by);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_TRANSLATE_H_
