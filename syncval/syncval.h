// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_SYNCVAL_H_
#define ASSAY_SYNCVAL_SYNCVAL_H_

// Synchronization validation: reports two accesses to the same memory that race because no barrier, event or semaphore
// orders them.
//
// The package has two halves. The engine (engine/engine.h, whose essay defines the verbs access, barrier, resolve and
// replay and their algebra) knows address ranges, stages and accesses, and nothing of Vulkan objects. The rest finds
// out which ranges each command accesses and how, passes them to the engine, and composes the reports.
//
// The rooms:
//
// - engine: what is in order with what
// - accesses: which ranges a command accesses: copies, vertex and index buffers, attachments, render pass objects
// - recording: a command buffer's recording: the engine's context, and logs that say which command a tag stands for
// - commands: the hooks (sync_validator.h): for each command, what it accesses and what it orders
// - queues: what queues execute (queue_sync.h), and accesses by the host (mapped_ranges.h)
// - reports: from a hazard to a message: both accesses, the cause, and the smallest barrier that fixes it
// - trace: what the queues did, for people to look at (trace/trace.h)
// - fixture, shaders: for the tests
// - command_matrix: a test of every command that makes one access after every other
//
// Checked are hazards
//
// - within one command buffer, between copies, blits, resolves, clears, fills, updates, query result copies,
//   dispatches, draws, attachments of dynamic rendering and of render pass objects, builds and copies of acceleration
//   structures and micromaps, preprocessing of generated commands, ray tracing, video and subpass shading; with
//   pipeline barriers, events of sync1 and synchronization2, and subpass dependencies
// - in executed secondaries and between submissions; with semaphores, waits of the host and presentation
// - between vkQueueBindSparse and accesses to what it binds
// - between host image copies and submitted work
//
// A hazard is not reported if the accesses may be in order:
//
// - Events that the host sets: a wait for one orders everything before it before everything after it. Work that such a
//   wait holds back is not compared with other queues, since the host may wait for anything before it sets the event.
// - Secondaries in a render pass instance do not know the render area. The accesses of their draws and clears to
//   attachments are checked where the secondary is executed, as accesses of vkCmdExecuteCommands, before or after the
//   secondary's barriers (InheritedAccesses). Those between two barriers are recorded, but not checked.
// - Images that share memory with other resources are compared with those as a whole: the place of a subresource of an
//   image that is not linear is unknown. Not compared are parts of linear images, images with DRM format modifiers,
//   disjoint images, images of device groups, and sparse images.
// - Sparse buffers that may share their memory are compared by the memory that they had when the commands were
//   recorded, if they still have it at submission (DeferredHazards). They are not compared with other bytes of the same
//   buffer. Within a command buffer they are not compared with layout transitions of images in that memory.
// - Shaders and attachments may avoid the parts of a partially resident resource that are being bound.
// - Accesses that are not modelled may have read what was written before. They are those of hit and miss shaders, of
//   what instances refer to, of shaders that use device addresses, of descriptors in buffers (any access may write
//   those bytes; reads of the descriptors themselves are modelled), of elements of descriptor arrays that no constant
//   selects, and of partially bound ones. See UnknownAccesses.
// - Late accesses are those through descriptors that may be updated until the command buffer is submitted. While it is
//   recorded, they are unknown accesses. A submission looks them up and records the commands anew with them
//   (ResolveLateAccesses): so each is compared at the place of its command, with the other commands and with what was
//   submitted before. Only accesses that are certain count. A write after a write stays unreported where a barrier
//   lacks only accesses and an unknown access, late ones included, may have handed the first write on. Late accesses to
//   buffers that share their memory stay unknown.
// - Writes of VK_AMD_buffer_marker markers overwrite each other on purpose.
// - Indirect copies of VK_NV_copy_memory_indirect, and VK_NV_memory_decompression: the specification does not say at
//   which stage they read parameters and access memory. Only accesses that no stage orders are a hazard.
// - Possible reads (vertices by index or with gaps between them, arguments of which there may be fewer) read some of
//   their bytes. They are a hazard only if all of their bytes conflict, or if a later access writes all of them; see
//   AccessCollector::AddPossibleRead. A command buffer has a limited number of them (PossibleReads).
// - Draws of one render pass instance may share storage, and may sample what is drawn to; see ReportAccessHazards. The
//   place of their fragments is mostly unknown: the read of an input attachment conflicts with an earlier draw only if
//   one of the two covers the render area; see CoversRenderArea.
// - The host may access mapped memory at any time. A flush or invalidation of a range does not show that any byte of it
//   was accessed, since many applications name all that they have mapped. An application that names exact ranges sets
//   syncval_mapped_ranges; mapped_ranges.h defines what is certain then.
// - Queries are not memory accesses: that a query is reset before it begins is a rule of its own, not a hazard.
//
// Draws have a fast path. Most draws write the same attachments, in rasterization order. So an access to an attachment
// is recorded once, and again only after the context has changed (AccessContext::version). A draw with the key of an
// earlier draw (RecordedDraw) is not checked at all.

#include "syncval/commands/sync_validator.h"

#endif  // ASSAY_SYNCVAL_SYNCVAL_H_
