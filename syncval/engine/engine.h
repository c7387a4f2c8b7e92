// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ENGINE_H_
#define ASSAY_SYNCVAL_ENGINE_ENGINE_H_

#include "syncval/engine/access.h"
#include "syncval/engine/access_context.h"
#include "syncval/engine/access_mask.h"
#include "syncval/engine/barrier.h"
#include "syncval/engine/hazard.h"
#include "syncval/engine/ordering.h"
#include "syncval/engine/suggestion.h"
#include "syncval/engine/types.h"

// The engine decides which accesses of one command buffer conflict. It knows bytes, accesses and barriers, and neither
// buffers nor images; its caller turns commands into these and hazards into words. Four verbs:
//
//   access   A command uses bytes: a stage does an access (SyncAccessIndex). DetectHazard asks whether that conflicts
//            with what came before, Update records it.
//   barrier  A command orders what comes before it and what comes after: ApplyGlobal, ApplyRange, ApplyAll.
//   resolve  Two contexts become one, as where the subpasses of a render pass meet. Not here yet.
//   replay   A recorded command buffer meets what its queue did before: its accesses that nothing precedes, with the
//            barriers recorded before each, are accesses of the queue's context. Not here yet.
//
// Neither of the last two needs more of a state than is there: resolve is a union of the sets below where the write is
// the same, and replay is access and barrier again.
//
// ---- The algebra
//
// A barrier B has an execution scope on each side, E1 and E2, which are sets of single stages (E1 with the logically
// earlier ones, E2 with the later ones), and an access scope on each side, A1 and A2, which are sets of stage/access
// pairs (without these).
//
// *Happens before.* An access X at stage s happens before an access Y at stage t if between them in submission order
// there are barriers B1 ... Bn, n >= 1, with s in E1(B1), t in E2(Bn), and E2(Bi) and E1(Bi+1) having a stage in
// common. Also if both are accesses that the ordering rule of Y names (rasterization order). Barriers of one command
// stand side by side, so that at most one of them is in a chain. The execution dependency of a buffer or image barrier
// is not limited to its range ("the first synchronization scope" is a set of stages), its memory dependency is.
//
// *Available, visible.* A write W is made available by a barrier Ba that covers the byte with W in A1(Ba); it is made
// visible to the accesses in A2(Bv) by any Bv that covers the byte and is Ba or ends a chain, as above, that begins
// with Ba. Once visible to a kind of access it stays so.
//
// *Carried.* A read R of W that happens before Y hands its view on: Y needs no barrier of its own against W. It is this
// ("most recent access") that lets  W, memory barrier, R, execution barrier, Y  pass for a write Y. R counts as having
// seen W: if it has not, that has been reported. A read by the command that wrote hands nothing on. To the letter of
// the specification W is visible to R's kind of access only, so this lets some programs pass that it would not; it is
// the reading of reference/synchronization_validation.txt ("Most Recent Access"), and one that no correct program
// suffers by.
//
// *Hazards.* Y is compared to the last write W of the byte and to all reads since:
//   Y reads:   READ_AFTER_WRITE unless W is visible to Y, ordered with Y by Y's rule, or carried to Y.
//   Y writes:  WRITE_AFTER_READ if one of the reads does not happen before Y; else WRITE_AFTER_WRITE unless, as above.
// Accesses of one command are not compared with each other. Whatever was before W has been compared with W.
//
// *Layout transitions* are a write that happens between the two sides of their barrier B. As Y, a read happens before
// it if a chain ends in E1(B) instead of at a stage, and W must be available: W in A1(B), or made available by a Ba
// whose chain ends in E1(B), or a layout transition, which the specification puts in submission order and makes
// available and visible to one another. As W, a transition is available at B itself and visible to A2(B).
//
// ---- The state
//
// For one byte this needs a few sets, each of which a barrier only makes larger (AccessState):
//   visible_to         V   the accesses that W is visible to
//   available_stages   C   the stages that follow upon W being available: the union of E2 over all chains from a Ba
//   ordered_stages     D   of each read: the stages it happens before
//   read_stages        S   the stages of all reads since W (of other commands than W's)
//   after_read_stages  K   the union of D over those, those that were replaced included
// A barrier changes them thus; all right-hand sides are what was before its command:
//   W in A1 or C meets E1          =>  C += E2, V += A2
//   stage or D of a read meets E1  =>  its D += E2
//   S or K meets E1                =>  K += E2
// Of reads of one kind only the last is kept: D of an earlier one is a superset, so it conflicts only with what the
// last one does as well; that it may carry more is in K.
//
// All sets only grow, and each barrier changes them or never will until something else does. barrier_log.h rests upon
// that.
//
// ---- Callers
//
// Leave a byte unused between the regions of different resources, or else a range may come to be joined over two of
// them.
//
// VkDependencyInfo has one dependency for each of its barriers. vkCmdPipelineBarrier without the 2 defines one
// dependency for all: an image's layout transition there is covered by the access scopes of the global barriers of the
// same call too, so unite these into its barrier.

#endif  // ASSAY_SYNCVAL_ENGINE_ENGINE_H_
