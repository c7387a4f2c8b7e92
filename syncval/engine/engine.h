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

// The engine decides which accesses of a device conflict. It knows bytes, accesses and barriers, and neither buffers
// nor images. Its caller turns commands into these, and hazards into messages. It has four verbs:
//
//   access   A stage of a command performs an access (SyncAccessIndex) to bytes. DetectHazard asks whether the access
//            conflicts with earlier ones. Update records it.
//   barrier  A command orders earlier work before later work: ApplyGlobal, ApplyRange, ApplyAll.
//   replay   A recorded command buffer meets earlier work: in the primary that executes it, or on the queue that it is
//            submitted to. Replay.
//   resolve  One context takes over the states of another: at the end of a replay, and at a wait for a semaphore.
//
// The rooms of the package:
//
//   accesses/     accesses, sets of stages and accesses, and the state of a range of bytes
//   barriers/     barriers, the rules of the algebra for one state, and the log of barriers
//   contexts/     command buffers, queues and devices: where the verbs are
//   events/       the stages that represent events
//   ranges/       ranges of bytes and maps over them
//   replay/       what a replay works with; also snapshots, vector clocks and the table of executions
//   subpasses/    subpass dependencies as barriers
//   suggestions/  the smallest barrier that resolves a hazard
//   matrix/, model/, streams/  tests alone
//
// Not here: resources, command buffers as Vulkan objects, messages, and the hooks. These are elsewhere in syncval/.
//
// THE ALGEBRA
//
// A barrier B has an execution scope on each side, E1 and E2. These are sets of single stages: E1 has the logically
// earlier ones too, E2 the logically later ones. B also has an access scope on each side, A1 and A2. These are sets of
// stage/access pairs, without logically earlier or later stages.
//
// *Happens before.* An access X at stage s happens before an access Y at stage t if between them in submission order
// there are barriers B1 ... Bn, n >= 1, with s in E1(B1), t in E2(Bn), and a stage in both E2(Bi) and E1(Bi+1) for each
// i < n: a dependency chain. X also happens before Y if the ordering rule of Y (rasterization order) names both, and
// both are in one subpass or outside of any. At most one barrier of a command is in a chain: the barriers of one
// command stand side by side. The execution dependency of a buffer or image barrier is not limited to its range, since
// "the first synchronization scope" is a set of stages. Its memory dependency is limited to it.
//
// *Available, visible.* A barrier Ba makes a write W available if it covers the byte and has W in A1(Ba). A barrier Bv
// makes W visible to the accesses in A2(Bv) if it covers the byte, and is Ba or ends a chain that begins with Ba. Once
// visible to a kind of access, W stays visible to it.
//
// *Carried.* A read R of W that happens before Y hands its view of W on: Y needs no barrier of its own against W. This
// ("most recent access") is why the sequence of W, memory barrier, R, execution barrier, Y is accepted for a write Y. R
// counts as having seen W; where it did not, a hazard has been reported. A read by the command that wrote hands nothing
// on. To the letter of the specification W is visible to R's kind of access only, so the engine accepts some programs
// that the letter rejects. This is the usual reading of synchronization validation. No correct program suffers by it.
//
// *Hazards.* Y is compared with the last write W of the byte and with all reads since:
//   Y reads:   READ_AFTER_WRITE unless W is visible to Y, ordered with Y by Y's rule, or carried to Y.
//   Y writes:  WRITE_AFTER_READ if one of the reads does not happen before Y. Else WRITE_AFTER_WRITE unless, as above.
// Accesses of one command are not compared with each other. Everything before W has been compared with W.
//
// *Atomics.* Two atomic accesses do not conflict, ordered or not (OrderingRule::kAtomic). An atomic write replaces one
// that it is not ordered with. For one of its own kind that is exact: whatever orders the later one with an access
// orders the earlier one too. For one of another stage or queue it errs towards order, and so does an atomic read that
// hands on an atomic write.
//
// *Layout transitions.* A layout transition is a write that happens between the two sides of its barrier B. As Y: a
// read happens before it if a chain ends in E1(B) instead of at a stage. W must be available: W is in A1(B), or was
// made available by a Ba whose chain ends in E1(B), or is a layout transition. The specification puts layout
// transitions in submission order and makes them available and visible to one another. As W: a transition is available
// at B itself and visible to A2(B).
//
// THE STATE
//
// For one byte the algebra needs five sets (AccessState):
//   visible_to         V   the accesses that W is visible to
//   available_stages   C   the stages ordered after W was made available: the union of E2 over all chains from a Ba
//   ordered_stages     D   of each read: the stages that it happens before
//   read_stages        S   the stages of all reads since W, except those of W's command
//   after_read_stages  K   the union of D over those reads, replaced ones included
// A barrier changes them as follows. All right-hand sides are the sets before its command:
//   W in A1 or C meets E1          =>  C += E2, V += A2
//   stage or D of a read meets E1  =>  its D += E2
//   S or K meets E1                =>  K += E2
// Of reads of one kind only the last is kept. D of an earlier one is a superset, so the earlier one conflicts only with
// accesses that the last one conflicts with too. What it carries beyond that is in K.
//
// Except where a subpass ends, all sets only grow. Each barrier changes a state now, or changes nothing in it until
// something else does. barrier_log.h depends on this.
//
// REPLAY
//
// Replaying a command buffer in another context is access and barrier again, with tags that begin at a base. Most of it
// can be left out:
//
//   * Once the command buffer has written a byte, later accesses there meet that write and nothing before it. So only
//     *first accesses* meet the other context: reads of a byte that the command buffer has not yet written, and the
//     first write. Of reads of one kind (access and ordering rule) the first is enough: V and K only grow, so that if
//     it is ordered, later ones are.
//   * First accesses are compared with accesses before the base only. The others are the command buffer's own. They
//     were compared when it was recorded, but they carry what they carry. A read before the base that the command
//     buffer repeats is not compared either: D of the repetition is a subset, so that what conflicts with the one
//     conflicts with the other.
//   * All barriers affect earlier accesses. A barrier that repeats the one before it, with no first access between
//     them, changes nothing there. The memory dependency of a range barrier affects bytes that the command buffer has
//     not written.
//   * At the end, where the command buffer wrote, the other context is left with the command buffer's own state.
//     Where it only read, its reads replace those of their kind, and S and K are united. (*Resolve.*)
//
// While it records, the context keeps a journal of first accesses and of such range barriers (ReplayJournal). Accesses
// that wait to be put into the map are in it anyway. The first replay makes a ReplayPlan of it and keeps that. A region
// of which everything still waits is replayed access by access, and may wait in the other context in turn. First
// accesses to a region in which the other context has nothing that conflicts are not compared. A first access that no
// later one of its region meets is compared alone: Resolve records it, with what follows it.
//
// EVENTS
//
// The wait for an event is a barrier whose first side is where the event was set. Of a dependency {E1, A1} -> {E2, A2}
// the set does {E1, A1} -> {e} and the wait does {e} -> {E2, A2}. Here e is a stage that no command has. It goes into C
// and D of the accesses in the first scope at the set, and not into those of later accesses. These are barriers like
// others, in the log and over ranges. In sync1 the wait names A1. So there the set is a dependency for each kind of
// access that the wait may name, and the wait is ordered after those that it does name.
//
// A context has 16 such stages. It removes a stage from all states before it assigns the stage again. When it has none
// left, the event that was set first loses its stages. At a wait for that event they are added anew to accesses before
// the set that are in its first scope by now, which may be more than at the set (EventTable). The stages are
// the context's own, so that a replay repeats the set and the wait, and each context does them with its own stages.
// States that are resolved have theirs translated. A set in one command buffer and the wait in another meet on the
// queue.
//
// SUBPASSES
//
// A subpass is to a command buffer what a queue is to a device. Dependencies alone lead into it and out of it, and a
// barrier in it has only its own accesses in its scopes. There is one context all the same. While a subpass is current,
// each stage exists twice (StageSet, AccessSet): work of the subpass is *inside*, all other work is *outside*. So are
// members of V, C, D, K, S and of scopes. Then
//   - an access in the subpass is at its inside stage, and a barrier in it has inside stages on both sides;
//   - a dependency from outside has outside stages in its first scope and inside stages in its second, and the
//     reverse for a dependency to the outside;
//   - a dependency from one subpass to a later one is two barriers with a stage d between them that no command has,
//     as for events: one where its first scope ends, {E1, A1} -> {d}, and one where its second begins, {d} -> {E2,
//     A2}.
// What this does to states are steps of the log like any barrier (SubpassChange). When a subpass begins, outside stages
// of V, C, D, K are added as inside stages: accesses ordered before later work are ordered before that of the subpass.
// When it ends, its accesses become outside ones. Its inside stages, except d, are removed and kept as *ended*: no
// later work is in them, but a barrier after the render pass has the work of the subpass, and so these, in its first
// scope. At the end of the render pass all d are removed too.
//
// This is exact, with these consequences. Sets no longer only grow, so a replay needs the first reads of each kind in
// each subpass (SubpassPhase). And D of an earlier read need not be a superset of that of a later one of its kind, if
// dependencies order the later one's subpass alone. So reads of a subpass do not replace those outside of it, and the
// earlier of two is dropped when its D does contain the other's. A stage d is removed where the last of its
// dependencies ends, so that later dependencies can have it. Two things are not exact and err towards order: if more
// than 16 such stages are needed at a time, some dependencies share one (SubpassGraph), and view-local and
// framebuffer-local dependencies count as global.
//
// An automatic layout transition is by a barrier that is not one step of the log. Its first scope is the union of those
// of the dependencies that it happens after, its second scope of those that it happens before
// (RecordAutomaticTransitions). Load operations are accesses at the begin of a subpass, store and resolve operations at
// its end.
//
// QUEUES
//
// A queue has a context, in which its submissions are replayed one after another: one long command buffer, whose
// submission order is that of its barriers' scopes. Tags are the device's. They are given in the order in which batches
// are processed, so that of two accesses that met, the one with the larger tag was compared with the other.
//
// *Happened before.* Everything earlier on its queue happened before a batch. If a batch signals a semaphore,
// everything that happened before that batch also happened before the batches that wait for the semaphore, and before
// later batches on their queues. A vector clock records this: one tag for each queue.
//
// *Semaphores.* A semaphore is a barrier with its first side at the signal and its second side at the wait. A queue's
// context holds accesses of other queues that happened before, with V, C, D, K of its own stages. A barrier of the
// queue has them in its first scope by a chain alone: they are not before it in submission order. So for them A1 and
// the stage count as empty (source_index, ReadRecord::stage), and C and D are what the semaphore gave: E2, if at the
// signal the access was in the first scope, of itself or by a chain. A semaphore that is signalled with all commands in
// its first scope has all accesses of its queue in it, even layout transitions, which are in no stage. It makes all
// writes in its scope available, and visible to all accesses of the second. A wait with all commands in its second
// scope is before everything later on its queue, even layout transitions of barriers without a first scope: *everything
// later* is one more member of C, D and K there (kEverythingLater).
//
// *Resolve*, where a queue waits: for each byte the write with the larger tag stays, since it was compared with the
// other. Of the same write, the sets are united. Reads stay if they are after the write that stays.
//
// *Races.* An access of another queue that did not happen before is ordered with nothing: an access conflicts with it
// whatever the barriers. Of each other queue its own last write and its own reads since are compared.
//
// *Completion.* Accesses that the host has waited for are ordered before everything submitted later. They are
// forgotten, and so are all that happened before them. The stages of semaphores are not regarded for this.
//
// *Undo.* A submission that a callback skips is taken back (BasicDeviceContext::Undo). States are saved before they
// change first, the log is cut off, and tags are given again. What was learnt from the host since is never undone.
//
// SUGGESTIONS
//
// A suggestion is found by trying: everything that the prior accesses may need is applied to a copy of the state, then
// reduced by each bit that can be left out. There is one for every hazard, and none has a bit too many (suggestion.h):
//   - in general, a barrier before the command;
//   - for a layout transition, bits of its own barrier;
//   - for accesses after a layout transition without second scope, bits of that transition's barrier. What would be
//     ordered after such a transition is kept apart from states: empty_scope_transitions.h;
//   - for accesses of another queue with no stage in any second scope here, and for races, semaphores. They are tried
//     on copies of both queues' contexts;
//   - for the layout transition of a wait for an event that was set too early, bits of a barrier in place of the
//     wait.
//
// PROOF
//
// reference_model.h decides by the explicit graph of dependencies. Random streams (streams/) compare it with the
// engine; they also try the suggestions, and every smaller one. matrix/ has every two kinds of access, with outcomes by
// the registry alone. mutation.h has mistakes that both must find.
//
// CALLERS
//
// Secondaries: call primary.context.Replay(secondary.context, Tag{next}), with as many tags taken from the primary as
// the secondary has. Submission: see BasicDeviceContext; its ExecutionTable finds the execution that a tag is of. Where
// something is not modelled, OrderEverything avoids false hazards. Reset would not do: it would drop barriers that
// affect accesses before the command buffer.
//
// Leave an unused byte between the regions of different resources. Else a range may be joined over two of them.
//
// VkDependencyInfo has one dependency for each of its barriers. vkCmdPipelineBarrier without the 2 defines one
// dependency for all: the access scopes of its global barriers also cover an image's layout transition in the same
// call. So unite these into the image's barrier.

#endif  // ASSAY_SYNCVAL_ENGINE_ENGINE_H_
