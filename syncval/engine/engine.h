// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ENGINE_H_
#define ASSAY_SYNCVAL_ENGINE_ENGINE_H_

#include "syncval/engine/accesses/access.h"
#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/accesses/ordering.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/contexts/access_context.h"
#include "syncval/engine/contexts/device_context.h"
#include "syncval/engine/ranges/cache_set.h"
#include "syncval/engine/ranges/growing_array.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/execution_table.h"
#include "syncval/engine/replay/snapshot.h"
#include "syncval/engine/replay/vector_clock.h"
#include "syncval/engine/subpasses/subpass_graph.h"
#include "syncval/engine/suggestions/suggestion.h"

// The engine decides which accesses of a device conflict. It knows bytes, accesses and barriers, and neither
// buffers nor images; its caller turns commands into these and hazards into words. Four verbs:
//
//   access   A command accesses bytes: a stage performs an access (SyncAccessIndex). DetectHazard asks whether that
//   conflicts
//            with what came before, Update records it.
//   barrier  A command orders what comes before it and what comes after: ApplyGlobal, ApplyRange, ApplyAll.
//   replay   A recorded command buffer meets what came before it, in the primary that executes it or on the queue that
//            it is submitted to: Replay.
//   resolve  What one context knows becomes known to another: the end of a replay, and waiting for a semaphore.
//
// ---- The algebra
//
// A barrier B has an execution scope on each side, E1 and E2, which are sets of single stages (E1 with the logically
// earlier ones, E2 with the later ones), and an access scope on each side, A1 and A2, which are sets of stage/access
// pairs (without these).
//
// *Happens before.* An access X at stage s happens before an access Y at stage t if between them in submission order
// there are barriers B1 ... Bn, n >= 1, with s in E1(B1), t in E2(Bn), and E2(Bi) and E1(Bi+1) having a stage in
// common. Also if both are accesses of one subpass, or outside of any, that the ordering rule of Y names (rasterization
// order). Barriers of one command
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
// All sets only grow but where a subpass ends, and each barrier changes them or never will until something else does.
// barrier_log.h rests upon that.
//
// ---- Replay
//
// Replaying all accesses and barriers of a command buffer into another context is access and barrier again, with tags
// that begin at a base. Most of it can be left out:
//
//   * Once the command buffer has written a byte, what follows there meets that write and nothing before it. So only
//     *first accesses* meet the other context: reads of a byte that the command buffer has not yet written, and the
//     first write. Of reads of one kind (access and ordering rule) the first is enough: V and K only grow, so that if
//     it is in order, later ones are.
//   * They are compared with accesses before the base only. The others are the command buffer's own and were compared
//     when it was recorded; they carry, though, what they carry. A read before the base that the command buffer repeats
//     is not compared either: D of the repetition is a subset, so that what conflicts with the one conflicts with the
//     other.
//   * All barriers bear upon what was before. A barrier that follows its like with no first access between changes
//     nothing for that. A range barrier's memory dependency bears upon bytes that the command buffer has not written.
//   * Last, where the command buffer wrote, its own state is what the other context is left with. Where it only read,
//     its reads replace those of their kind and S and K are united. (*Resolve.*)
//
// The context keeps a journal of first accesses and such range barriers while it records; accesses that wait to be put
// into the map are in it anyway. ReplayPlan is the outcome, made at the first replay and kept. A region of which
// everything still waits is replayed access by access, and may wait in the other context in turn.
//
// ---- Events
//
// The wait for an event is a barrier whose first side is where the event was set. Of a dependency {E1, A1} -> {E2, A2}
// the set does {E1, A1} -> {e} and the wait {e} -> {E2, A2}, where e is a stage that no command has: it goes into C and
// D of what is in the first scope at the set, and not of what comes later. These are barriers like others, in the log
// and over ranges. In sync1 it is the wait that names A1: there the set is a dependency for
// each kind of access that may be named, and the wait follows upon those that it does name.
//
// A context has 16 such stages, which it takes from all states before it assigns them again. They are a context's own,
// so that it is the set and the wait that are replayed, and each context does them with its own; states that are
// resolved have theirs translated. A set in one command buffer and the wait in another meet on the queue.
//
// ---- Subpasses
//
// A subpass is to a command buffer what a queue is to a device: dependencies alone lead into it and out of it, and a
// barrier in it has none but its own accesses in its scopes. There is one context all the same. While a subpass is
// current, a stage of its own work is another stage than the one of that name outside (StageSet, AccessSet): work of
// the subpass is *inside*, all other work *outside*, and so are members of V, C, D, K, S and of scopes. Then
//   - an access in the subpass is at its inside stage, and a barrier in it has inside stages on both sides;
//   - a dependency from outside has outside stages in its first scope and inside stages in its second, and the other
//   way
//     round;
//   - a dependency from one subpass to a later one is two barriers with a stage between that no command has, as for
//     events: one where its first scope ends, {E1, A1} -> {d}, and one where its second begins, {d} -> {E2, A2}.
// What this does to states are steps of the log like any barrier (SubpassChange). As a subpass begins, outside stages
// of V, C, D, K are added as inside stages: what is in order before later work is in order before that of the subpass.
// As it ends, its accesses are from then on outside; inside stages go, except d, and are kept as *ended*: no later work
// is in them, but a barrier after the render pass has the work of the subpass, and so these, in its first scope.
// With the render pass, d goes too.
//
// This is exact, with these consequences. Sets no longer only grow, so that a replay needs the first reads of each
// kind in each subpass (SubpassPhase). And D of an earlier read need not be a superset of that of a later one of its
// kind, if dependencies order the later one's subpass alone; so reads of a subpass do not replace those outside of it,
// and the earlier of two is dropped when its D does contain the other's. Not exact, and on the side of order: more than
// 16 first scopes of dependencies at a time share a stage. View-local and framebuffer-local dependencies are taken for
// global.
//
// An automatic layout transition is a transition by a barrier that is not one step of the log: its first scope is
// united from those of the dependencies that it happens after, its second from those that it happens before
// (RecordAutomaticTransitions). Load operations are accesses at the begin of a subpass, store and resolve operations at
// its end.
//
// ---- Queues
//
// A queue has a context, in which its submissions are replayed one after another: they are one long command buffer,
// whose submission order is that of its barriers' scopes. Tags are the device's: given in the order in which batches
// are taken up, so that of two accesses the one with the larger tag was compared with the other, if they met.
//
// *Known.* What is before a batch on its queue is known to it, and what is known to a batch that signals a semaphore is
// known to those that wait for it, and to those after them on their queues. A vector clock says so: one tag for each
// queue.
//
// *Semaphores.* A semaphore is a barrier with its first side where it is signalled and its second side where it is
// waited for. A queue's context holds accesses of other queues that are known to it, with V, C, D, K that are of its
// own stages. No barrier of the queue has them in its first scope but by a chain: they are not before it in submission
// order. So for them A1 and the stage count as empty (source_index, ReadRecord::stage), and C and D are what the
// semaphore gave: E2, if at the signal the access was in the first scope, of itself or by a chain. A semaphore that is
// signalled with all commands in its first scope has all of its queue's accesses in it, also layout transitions, which
// are in no stage. It makes all writes in its scope available and visible to all accesses of the second.
//
// *Resolve*, where a queue waits: for each byte, the write with the larger tag stays, since it was compared with the
// other; of the same write, the sets are united. Reads stay if they are after the write that stays.
//
// *Races.* What another queue did and what is not known is in order with nothing: an access conflicts with it whatever
// the barriers. Of each other queue its own last write and its own reads since are compared.
//
// *Completion.* What the host has waited for is in order before all that is submitted later, and is forgotten; so is
// what was known to it. The stages of semaphores are not regarded for this.
//
// ---- Suggestions
//
// What makes a hazard go away is found by trying: everything that the prior accesses may need, applied to a copy of the
// state, and less any bit that can be left out. That is a barrier before the command; for a layout transition, bits of
// its own barrier; for what follows upon a layout transition without second scope, bits of that one's; for what another
// queue did, of which no stage is in any second scope here, and for races, semaphores, tried on copies of both queues'
// contexts; for the layout transition that is done by the wait for an event which was set too early, bits of a barrier
// that does it instead. There is one for every hazard, and none has a bit too many. suggestion.h. What would follow
// upon a layout transition that has no second scope is kept for them apart from states: empty_scope_transitions.h.
//
// ---- What proves it
//
// reference_model.h decides by the explicit graph of dependencies what random streams find here; they try the
// suggestions too, and less than these. matrix/ has every two kinds of access, with outcomes by the registry alone.
// mutation.h has mistakes that both must find.
//
// ---- Callers
//
// Secondaries: primary.context.Replay(secondary.context, Tag{next}), with as many tags taken from the primary as the
// secondary has. Submission: BasicDeviceContext says how; its ExecutionTable says of which execution a tag is. Where
// something is not modelled, OrderEverything keeps it from giving hazards that are none; Reset would forget barriers
// that bear upon what comes before the command buffer.
//
// Leave a byte unused between the regions of different resources, or else a range may come to be joined over two of
// them.
//
// VkDependencyInfo has one dependency for each of its barriers. vkCmdPipelineBarrier without the 2 defines one
// dependency for all: an image's layout transition there is covered by the access scopes of the global barriers of the
// same call too, so unite these into its barrier.

#endif  // ASSAY_SYNCVAL_ENGINE_ENGINE_H_
