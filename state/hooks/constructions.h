// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_HOOKS_CONSTRUCTIONS_H_
#define ASSAY_STATE_HOOKS_CONSTRUCTIONS_H_

#include "dispatch/dispatch.h"
#include "state/render_pass/render_pass_instance.h"
#include "vk/command_info.h"
#include "vk/commands.h"

// The commands that give acceleration structures, micromaps and queries their contents. Private to the package.
//
// Those of the host are noted before the call goes down: a deferred operation may be complete before another thread
// returns from it.
namespace assay::state {

// Adds to Construction.
void NoteConstruction(const vk::CmdBuildAccelerationStructuresKHR& call);
void NoteConstruction(const vk::CmdBuildAccelerationStructuresIndirectKHR& call);
void NoteConstruction(const vk::CmdCopyAccelerationStructureKHR& call);
void NoteConstruction(const vk::CmdCopyMemoryToAccelerationStructureKHR& call);
void NoteConstruction(const vk::CmdBuildAccelerationStructureNV& call);
void NoteConstruction(const vk::CmdCopyAccelerationStructureNV& call);
void NoteConstruction(const vk::CmdBuildMicromapsEXT& call);
void NoteConstruction(const vk::CmdCopyMicromapEXT& call);
void NoteConstruction(const vk::CmdCopyMemoryToMicromapEXT& call);
void NoteConstruction(const vk::BuildAccelerationStructuresKHR& call);
void NoteConstruction(const vk::CopyAccelerationStructureKHR& call);
void NoteConstruction(const vk::CopyMemoryToAccelerationStructureKHR& call);
void NoteConstruction(const vk::BuildMicromapsEXT& call);
void NoteConstruction(const vk::CopyMicromapEXT& call);
void NoteConstruction(const vk::CopyMemoryToMicromapEXT& call);

// Adds to QueryPool::reset and QueryPool::written what was recorded in the render pass instance.
void NoteQueries(const dispatch::VisibleChange& change, const RenderPassInstance& rendering);

template <class C>
concept ConstructsAnywhere = requires(const C& call) { NoteConstruction(call); };
template <class C>
concept Constructs = C::kDispatch == vk::DispatchLevel::kCommandBuffer && ConstructsAnywhere<C>;
template <class C>
concept ConstructsOnHost = C::kDispatch != vk::DispatchLevel::kCommandBuffer && ConstructsAnywhere<C>;

}  // namespace assay::state

#endif  // ASSAY_STATE_HOOKS_CONSTRUCTIONS_H_
