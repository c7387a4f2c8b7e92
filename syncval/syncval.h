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
// - transfer_commands.cc, dispatch_commands.cc, barrier_commands.cc: which command accesses or orders what
// - copy_footprint.h: the arithmetic of copies with images
// - hazard_report.h: from a hazard to a message with both accesses and the smallest barrier that fixes it
// - resource_words.h: where a range of addresses lies, in bytes, texels, levels and layers
//
// What is checked: hazards within one command buffer between copies, blits, resolves, clears, fills, updates, query
// result copies and dispatches, with pipeline barriers of both generations. Nothing is reported that may be in order:
//
// - Commands whose synchronization is not modelled yet (events, render passes, executed secondaries) are taken to order
//   everything before them before everything after them.
// - Commands whose accesses are not modelled (draws, traces, builds) may have read what was written before, and so may
//   dispatches whose shader uses device addresses, shader objects, descriptor buffers, descriptor arrays, or bindings
//   that may be updated after they are bound or left unbound; see SyncRecording::NoteUnknownAccess.

#include "syncval/sync_validator.h"

#endif  // ASSAY_SYNCVAL_SYNCVAL_H_
