// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_STATE_H_
#define ASSAY_STATE_STATE_H_

// The shared state tracker: the state of every object of a device, and what is bound to what. It is kept once, for all
// validators. It checks nothing.
//
// Its verbs:
//   *add*     A vkCreate* or vkAllocate* succeeded: the tracker ties a state object to the handle's slot.
//   *find*    A handle leads to its state by an array access (see dispatch/handles/handle_table.h).
//   *attach*  A validator stores data of its own, a sub-state, with an object, in a fixed slot.
//   *remove*  The handle is destroyed. Other objects that refer to the state object keep it alive.
//
// Its rooms:
//   objects/      what all state objects have, and the small ones: queues, events, semaphores, fences, query pools
//   memory/       device memory, buffers, images, swapchains, acceleration structures, and their addresses
//   image/        the addresses of an image's texels
//   descriptors/  descriptor set layouts, pools and sets
//   shader/       reflection: the descriptors and interfaces that an entry point uses
//   pipelines/    pipelines, pipeline layouts and shader objects
//   graphics/     the state of draws, static and dynamic
//   render_pass/  render passes, framebuffers and render pass instances
//   recording/    command pools and command buffers
//   queues/       submissions, from the call until they are complete
//   hooks/        DeviceState: the hooks that keep all of this; QueueState: those of queues alone
// Not here: accesses and hazards (//syncval), checks (//core), and the handles themselves (//dispatch).
//
// Order of hooks. For dispatch, the tracker is a validator like the others. Only its record hooks have a special place:
// they run first, so that the others see the state after the call. For commands that destroy, they run last, so that
// the others still see the state before the call.
//
// References. Recorded commands refer to objects by handle and find them when they need them: an object may be
// destroyed while a command buffer that uses it exists, which is an error only if that command buffer is submitted. A
// state object holds its parts by reference (a view its image, a pipeline its layout). So does the render pass instance
// that is being recorded (RenderPassInstance), until it ends.
//
// Draws. The accesses of a draw follow from four things: BindPointState (pipeline and sets), RenderPassInstance
// (attachments), DrawState (buffers and dynamic state) and Pipeline (the resources of its shaders and its fixed
// functions, see ResolvedDrawState). Each of the first three has a key or version, which is equal while nothing has
// changed.
//
// Queues. Submissions become batches (SubmittedBatch). QueueTracker puts them into an order among the queues, and
// tracks them until the host knows that they are complete. It notifies validators of both through a QueueObserver. It
// is the one place that decides what the host may know to be complete; a batch is pending until then (PendingBatches).
// Before the call, DeviceState::PreviewSubmission returns the batches that the call will make ready. Submissions are
// recorded before the call goes down. They are undone if the call fails with no effect (VK_ERROR_OUT_OF_HOST_MEMORY and
// the like), or if a callback skips it; observers then receive OnUndo. After VK_ERROR_DEVICE_LOST everything counts as
// complete, and observers receive nothing more.
//
// Locks. QueueTracker has one lock for all state that several queues' threads share: the progress of queues,
// semaphores, fences and swapchains. The lock is held during calls of observers, but not during a call down or into the
// application. DeviceMemory, SparseMemory and DeviceAddresses have one lock each for their lists. The application
// synchronizes creation and destruction of an object with its use, and recording into a command buffer. The handle
// tables are thread safe. Threads may update descriptors of UPDATE_AFTER_BIND bindings, and destroy what unused ones
// refer to, while others use the set: a set with such bindings has a lock (DescriptorContents::Read), and
// DeviceState::GetRef finds objects that another thread may be destroying.
//
// Addresses. Every byte that a command can touch has an address in one flat space (AddressSpace). Each memory
// allocation has a region, in which buffers lie where they are bound, so that aliasing buffers share addresses. Each
// image has a region of its own, laid out by ImageSubresourceEncoder, since the place of an image's texels in memory is
// not known. Each sparse buffer has one too, since its memory changes: SparseMemory has the addresses of that memory.

#include "state/descriptors/descriptor_contents.h"
#include "state/descriptors/descriptor_set_layout.h"
#include "state/descriptors/descriptors.h"
#include "state/graphics/draw_state.h"
#include "state/graphics/fixed_functions.h"
#include "state/graphics/graphics_state.h"
#include "state/graphics/raster_area.h"
#include "state/graphics/vertex_input.h"
#include "state/hooks/device_state.h"
#include "state/hooks/queue_state.h"
#include "state/memory/acceleration_structure.h"
#include "state/memory/address_space.h"
#include "state/memory/buffer.h"
#include "state/memory/device_memory.h"
#include "state/memory/image.h"
#include "state/memory/sparse_memory.h"
#include "state/memory/swapchain.h"
#include "state/objects/acquired_image.h"
#include "state/objects/device_addresses.h"
#include "state/objects/event.h"
#include "state/objects/fence.h"
#include "state/objects/indirect_commands_layout.h"
#include "state/objects/items.h"
#include "state/objects/object.h"
#include "state/objects/query_pool.h"
#include "state/objects/queue.h"
#include "state/objects/semaphore.h"
#include "state/pipelines/pipeline.h"
#include "state/queues/batch_operations.h"
#include "state/queues/host_visible_state.h"
#include "state/queues/pending_batches.h"
#include "state/queues/queue_observer.h"
#include "state/queues/submission.h"
#include "state/recording/bind_point.h"
#include "state/recording/command_buffer.h"
#include "state/recording/command_pool.h"
#include "state/render_pass/dynamic_rendering.h"
#include "state/render_pass/framebuffer.h"
#include "state/render_pass/render_pass.h"
#include "state/render_pass/render_pass_instance.h"

#endif  // ASSAY_STATE_STATE_H_
