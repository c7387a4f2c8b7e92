// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_SYNCVAL_H_
#define ASSAY_SYNCVAL_SYNCVAL_H_

// Synchronization validation: reports when two accesses to the same memory race for want of a barrier.
//
// The package has two halves. The engine (engine/engine.h, whose essay defines the verbs access, barrier, resolve and
// replay and their algebra) knows address ranges, stages and accesses, and nothing of Vulkan objects. The rest, here,
// says for each command which ranges it accesses and how, feeds them to the engine, and words the reports:
//
// - recording.h: what is kept with a command buffer: the engine's context, and a log that says what each tag stands for
// - sync_validator.h: the hooks
// - transfer_commands.cc, dispatch_commands.cc, draw_commands.cc, rendering_commands.cc,
// acceleration_structure_build_commands.cc,
//   acceleration_structure_copy_commands.cc, ray_tracing_commands.cc, video_commands.cc: which command accesses what
// - barrier_commands.cc, event_commands.cc, and barrier_collector.h for both: which command orders what
// - render_pass_plan.h, render_pass_commands.cc: render pass objects, as plans that are worked out once, and as
//   recorded
// - attachment_operations.h: what load, store and resolve operations access
// - shader_accesses.h: what shaders access through descriptors
// - device_address_range.h: what is named by device address
// - attachments.h: where attachments lie, and what a draw does with them
// - draw_arguments.h, copy_footprint.h: the arithmetic of vertex buffers and of copies with images
// - queue_sync.h: what queues execute, and what conflicts between submissions
// - host_commands.cc: what the host accesses itself while queues are busy
// - mapped_ranges.h: what of mapped memory that is
// - replay_report.h: from a hazard of a secondary or a submission to a message
// - trace/trace.h: what the queues did, to be looked at
// - hazard_report.h: from a hazard to a message with both accesses and the smallest barrier that fixes it
// - event_text.h: which event lies between the two, and what it lacks
// - fix.h: that barrier, as code to paste and as members of its structure
// - hazard_properties.h: what the message says, for programs
// - hazard_cause.h: by what a hazard is known again in the next frame
// - resource_text.h: where a range of addresses lies, in bytes, texels, levels and layers
//
// What is checked: hazards within one command buffer between copies, blits, resolves, clears, fills, updates, query
// result copies, dispatches, draws, attachments of dynamic rendering and of render pass objects, builds and copies of
// acceleration structures, traces of rays and video, with pipeline barriers and events of both generations and subpass
// dependencies; the same in executed secondaries and between submissions, with semaphores, what the host waits for and
// presentation; what vkQueueBindSparse binds against what is used; host image copies against what was submitted.
// Nothing is reported that may be in order:
//
// - Waits for events that the host sets are taken to order everything before them before everything after them. What
//   such a wait holds back is not compared with other queues, since nobody knows what the host waits for before it sets
//   the event.
// - Secondaries in a render pass instance do not know the render area: what their draws do to attachments is checked
//   where they are executed, as accesses of vkCmdExecuteCommands; what they clear there is left out.
// - Images that share memory with other resources are compared with those as wholes: nobody knows which subresource of
//   an image that is not linear lies where. Not compared are parts of linear images, images with DRM format modifiers,
//   disjoint ones, those of device groups, and sparse ones.
// - Sparse buffers that may share their memory are compared by what they had when the commands were recorded, if they
//   have it still when these are submitted; not with other bytes of the same buffer, and not within a command buffer
//   with layout transitions of images in that memory.
// - What shaders and attachments access of a resource that is resident in part may keep off what is being bound.
// - Accesses that are not modelled may have read what was written before: those of hit and miss shaders, of what
//   instances refer to, of shaders that use device addresses, descriptors in buffers (bytes that anybody may write, and
//   read themselves), elements of descriptor arrays that no constant names, or bindings that may be updated after they
//   are bound or left unbound; see SyncRecording::NoteUnknownAccess. Markers of VK_AMD_buffer_marker are written over
//   and over on purpose.
// - Of what is surely read in part (vertices by index or with gaps between them, arguments of which there may be fewer)
//   all must conflict; see AccessCollector::AddPossibleRead.
// - Draws of one render pass instance may share storage, and sample what is drawn to; see ReportAccessHazards.
// - Mapped memory is the host's to access unseen: that a range is flushed or invalidated does not say that any byte of
//   it was accessed, since many applications name all that they have mapped. Those that name what they touch say so by
//   the setting syncval_mapped_ranges; what is then certain, mapped_ranges.h says.
// - Queries are no accesses to memory: that they are reset before they begin is a rule of its own, not a hazard.
//
// A draw writes its attachments, and most draws write the same ones, in rasterization order. So an access to an
// attachment is recorded once, and not again until anything else that counts happens (AccessContext::version): draws in
// between change nothing. A draw that is like one before (SyncRecording::RecordedDraw) is not looked at at all.

#include "syncval/commands/sync_validator.h"

#endif  // ASSAY_SYNCVAL_SYNCVAL_H_
