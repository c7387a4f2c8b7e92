// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_SYNCVAL_H_
#define ASSAY_SYNCVAL_SYNCVAL_H_

// Synchronization validation: reports when two accesses to the same memory race for want of a barrier.
//
// The package has two halves. The engine (engine/engine.h, whose essay defines the verbs access, barrier, resolve and replay and their
// algebra) knows address ranges, stages and accesses, and nothing of Vulkan objects. The rest, here, says for each command which ranges
// it accesses and how, feeds them to the engine, and words the reports:
//
//   recording.h          what is kept with a command buffer: the engine's context, and a log that says what each tag stands for
//   sync_validator.h     the hooks
//   transfer_commands.cc, dispatch_commands.cc, barrier_commands.cc   which command accesses or orders what
//   hazard_report.h      from a hazard to a message with both accesses and the smallest barrier that fixes it
//
// What is checked: hazards within one command buffer between copies, blits, resolves, clears, fills, updates, query result copies and dispatches,
// with pipeline barriers of both generations. Commands whose synchronization is not modelled yet (events, render passes, executed
// secondaries) are taken to order everything before them before everything after them, so that they never cause a false report.
// Of descriptor arrays only those of one element count, since which element a shader uses is not known while recording; of bindings that may
// be updated after they are bound, none.

#include "syncval/sync_validator.h"

#endif  // ASSAY_SYNCVAL_SYNCVAL_H_
