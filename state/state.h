// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_STATE_H_
#define ASSAY_STATE_STATE_H_

// The shared state tracker: what every object of a device is and what is bound to what, kept once for all validators.
//
// Its verbs are *add* (a vkCreate* or vkAllocate* succeeded: a state object is tied to the handle's slot), *find* (a
// handle leads to its state by an array access, see dispatch/handles/handle_table.h), *attach* (a validator hangs its
// own data, a sub-state, onto an object in a fixed slot) and *remove* (the object goes; those that refer to it keep its
// state alive).
//
// The tracker is a validator like the others as far as dispatch is concerned, except that its record hooks run first,
// so that the others see the state after the call, and last for commands that destroy, so that the others still see the
// state before it. It checks nothing.
//
// What is recorded refers to objects by handle, and finds them when it needs them: an object may be destroyed while a
// command buffer that uses it exists, which is an error only if that is submitted. What one object is made of (a view's
// image, a pipeline's layout) it holds by reference, and so does the render pass instance that is being recorded
// (RenderPassInstance), until it ends.
//
// A draw's accesses follow from its BindPointState (pipeline and sets), RenderPassInstance (attachments), DrawState
// (buffers and dynamic state) and Pipeline (what its shaders use and its fixed functions, see ResolvedDrawState). Each
// of the first three has a key or version that is equal while nothing has changed.
//
// Queues: what is submitted becomes batches (SubmittedBatch), which QueueTracker puts into an order among the queues
// and follows until the host knows them to be complete. Validators that attach a QueueObserver are told of both;
// DeviceState::PreviewSubmission tells before the call what it is going to make ready. Submissions are recorded before
// they go down, and taken back when the call fails with no effect (VK_ERROR_OUT_OF_HOST_MEMORY and the like; observers
// then hear OnUnknownOrder). With VK_ERROR_DEVICE_LOST everything counts as complete, and no more is told.
//
// Locks: QueueTracker has one, for all that several queues' threads share: the progress of queues, semaphores, fences
// and swapchains. It is held while observers are told, but not during a call down or into the application.
// DeviceMemory, SparseMemory and DeviceAddresses have one each for what they list. The application synchronizes
// creation and destruction of an object with its use, and recording into a command buffer; the handle tables take care
// of themselves.
//
// Every byte that a command can touch has an address in one flat space (AddressSpace): each memory allocation has a
// region, in which buffers lie where they are bound, so that aliasing buffers share addresses; each image has a region
// of its own, laid out by ImageSubresourceEncoder, since where an image's texels lie in memory is not known. So has
// each sparse buffer, whose memory comes and goes: SparseMemory says where its bytes lie besides.

#include "state/descriptors/descriptors.h"
#include "state/graphics/draw_state.h"
#include "state/graphics/fixed_functions.h"
#include "state/graphics/graphics_state.h"
#include "state/hooks/device_state.h"
#include "state/memory/acceleration_structure.h"
#include "state/memory/memory.h"
#include "state/objects/device_addresses.h"
#include "state/objects/event.h"
#include "state/objects/items.h"
#include "state/objects/object.h"
#include "state/objects/query_pool.h"
#include "state/objects/queue.h"
#include "state/objects/sync_objects.h"
#include "state/pipelines/pipeline.h"
#include "state/queues/submission.h"
#include "state/recording/command_buffer.h"
#include "state/render_pass/render_pass.h"
#include "state/render_pass/render_pass_instance.h"

#endif  // ASSAY_STATE_STATE_H_
