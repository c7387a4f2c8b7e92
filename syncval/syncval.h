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
// - transfer_commands.cc, dispatch_commands.cc, draw_commands.cc, rendering_commands.cc, build_commands.cc,
//   barrier_commands.cc: which command accesses or orders what
// - render_pass_commands.cc: what stands in for render pass objects
// - shader_accesses.h: what shaders access through descriptors
// - attachments.h: where attachments lie, and what a draw does with them
// - draw_arguments.h, copy_footprint.h: the arithmetic of vertex buffers and of copies with images
// - queue_sync.h: what queues execute, and what conflicts between submissions
// - replay_report.h: from a hazard of a secondary or a submission to a message
// - hazard_report.h: from a hazard to a message with both accesses and the smallest barrier that fixes it
// - resource_words.h: where a range of addresses lies, in bytes, texels, levels and layers
//
// What is checked: hazards within one command buffer between copies, blits, resolves, clears, fills, updates, query
// result copies, dispatches, draws, attachments of dynamic rendering and builds of acceleration structures, with
// pipeline barriers of both generations; the same in executed secondaries and between submissions, with semaphores, what
// the host waits for and presentation. Nothing is reported that may be in order:
//
// - Commands whose synchronization is not modelled yet (events, render passes) are taken to order
//   everything before them before everything after them.
// - Accesses that are not modelled may have read what was written before: those of traces and of what is built from, of
//   shaders that use device addresses, descriptor buffers, elements of descriptor arrays that no constant names, or
//   bindings that may be updated after they are bound or left unbound; see SyncRecording::NoteUnknownAccess.
// - Of what is surely read in part (vertices by index, arguments of which there may be fewer) all must conflict; see
//   AccessCollector::AddSomeOfBuffer.
// - Draws of one render pass instance may share storage, and sample what is drawn to; see ReportAccessHazards.
//
// A draw writes its attachments, and most draws write the same ones, in rasterization order. So an access to an
// attachment is recorded once, and not again until anything else that counts happens (AccessContext::version): draws in
// between change nothing. A draw that is like one before (SyncRecording::RememberedDraw) is not looked at at all.

#include "syncval/sync_validator.h"

#endif  // ASSAY_SYNCVAL_SYNCVAL_H_
