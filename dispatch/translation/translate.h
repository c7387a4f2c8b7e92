// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_TRANSLATION_TRANSLATE_H_
#define ASSAY_DISPATCH_TRANSLATION_TRANSLATE_H_

#include "dispatch/translation/scratch_arena.h"
#include "vk/command_info.h"

// Handle translation from the application's handles to the driver's: one walker for every command, which the registry's
// description of structures drives. returned_handles.h is the way back, removed_handles.h the end of handles.
//
// The walker never writes to the application's memory. It copies each structure on the way to a handle into an arena
// and changes the copy. Structures that reach no handle stay the application's, and so do pNext chains without a link
// that reaches one.
//
// The specification calls some pointers ignored. The pImageInfo of a VkWriteDescriptorSet for a buffer may be garbage,
// for example. The walker does not follow such a pointer; ignored_members.h has the rules.
namespace assay::dispatch {

// Replaces the application's handles by the driver's. call is a copy of the command's parameter struct, such as
// vk::CmdCopyBuffer. The structures behind its pointers are copied into arena, which must live until the call down
// returns.
void TranslateToDriver(const vk::CommandInfo& command, void* call, ScratchArena& arena);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_TRANSLATION_TRANSLATE_H_
