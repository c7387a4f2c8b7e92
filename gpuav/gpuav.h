// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_GPUAV_H_
#define ASSAY_GPUAV_GPUAV_H_

// GPU-assisted validation: shaders that check themselves while they run, and debugPrintf. spirv_instrument changes the
// shaders and knows no Vulkan; this package is their host. It is off unless gpuav_enable or printf_enable is set.
//
// Its verbs:
//
//   *instrument*  A pipeline or shader object is made: its stages get words that check themselves.
//   *bind*        An action command is recorded: before it, our descriptor set is bound, or an address is pushed, by
//                 which its shaders find what they need to know and room for what they report.
//   *follow*      The tables of descriptors and addresses become what the application has made of them.
//   *collect*     An execution is complete: what its shaders wrote is read.
//   *report*      A record becomes a message, with the line of the source, the command and the resource.
//
// Its rooms:
//
//   device/       features and limits, memory and its addresses, the reserved descriptor set
//   shaders/      instrumented words, and the shaders that records name
//   choices/      which commands run instrumented shaders
//   pipelines/    pipeline layouts with one set or address more; pipelines with other modules; shader objects with
//                 other words
//   descriptors/  the tables of descriptor sets, that of device addresses, and that of what vkGetDescriptorEXT returned
//   builds/       the shader that replaces bad references of instances, and the addresses that it compares with
//   parameters/   what commands read from buffers: indirect draws, dispatches, traces and builds, instances, depths
//   recording/    what a command buffer needs at run time
//   markers/      how far command buffers come
//   completion/   what is submitted, and when it is complete
//   reports/      messages
//
// *Nothing of the application's is changed in its eyes.* What goes down to the driver is replaced in the call alone
// (dispatch/rewriting/rewriter.h): create infos of devices, pipeline layouts, pipelines and shader objects, and where
// builds of acceleration structures read their instances. Our own objects are made by internal calls, which no
// validator sees, and destroyed before the device.
//
// *The reserved set.* Every pipeline layout gets one set more, behind those that it has, and so do shader objects. An
// application that asks for maxBoundDescriptorSets finds one less than the device has, unless
// gpuav_reserve_binding_slot is false.
//
// *The device-address way.* Where layouts may have no room for the set, and where descriptors are in descriptor
// buffers, all layouts get eight bytes of push constants more, in which each action command finds the address of its
// action block; that has the addresses of all else. Only pipelines without our set use them. Pipelines whose layout has
// no room for either run as they are, and one message says so (pipelines/address_ranges.h,
// recording/address_pushes.h).
//
// *Descriptor buffers.* Their bytes mean something to the driver alone, and anybody may write them. So the shader reads
// those of the descriptor that it is about to use, and looks them up among all that vkGetDescriptorEXT has returned. A
// type and bytes that stand for several resources are good for what any of these is good for
// (descriptors/known_descriptors.h, recording/set_places.h).
//
// *What the host knows.* Of a descriptor with a constant index in a set that nobody may change, the host knows as much
// as the shader when a command is recorded. A compute pipeline so has no code for it, and gets one that checks
// everything only for commands for which the descriptor is not good (pipelines/host_decided.h). Where an index is not
// constant, the host says from which index on an access is bad: the shader compares with that, and leaves a note of
// six words where the host makes a record (spirv_instrument/runtime/host_limit.h).
//
// *Execution sets.* A generated command runs whichever pipeline of a set it names, which is known to the device alone.
// Such pipelines get our set without a dynamic offset, which they may not have, and check everything themselves. Our
// set is bound whether or not the initial pipeline has anything to check (pipelines/pipeline_layouts.h).
//
// *Choice.* Where only some commands are to run instrumented shaders, pipelines are made twice, and a recording binds
// one or the other (recording/shader_switch.h).
//
// *Parameters.* Transfer commands of ours copy what commands read from buffers, behind many commands at once or before
// the command, and the host judges it. A dispatch of ours would see the same, but it would have to restore what it
// binds, and would count in the application's queries.
//
// *Replaced references.* Where a build reads a bad reference, the device may be lost before the host has judged
// anything. So there is a dispatch of ours before it, where the application cannot notice, which copies the instances
// and compares their references with a table that the host keeps (builds/). The build that goes down reads the copy.
//
// *Memory.* Each recording has its own (ExecutionMemory): an action block for each command that runs shaders, and room
// for records. The tables are one array for the device. All of it is mapped, and parts of a few large buffers.
//
// *Time.* Tables follow when a command that needs them is recorded or submitted, not at each update. Records are read
// when the host learns of completion anyway, or at the next submission. No queue ever waits, and the host waits only
// for what it has just waited for.
//
// *Threads.* Recording works on its command buffer alone. The rest is shared, and has locks: of the memory, the tables,
// the reserved sets, the registry of shaders, and what is pending. None is held while messages are delivered.
//
// *Failure.* Where something of ours cannot be made, one message says so, as soon as no lock is held, and pipelines
// from then on are as the application made them. Commands with instrumented pipelines that get no memory, for
// themselves or for the table of a set, share a place where all that shaders report is lost.
//
// *Loss.* When the device is lost, all pending executions are read once. With gpuav_markers, command buffers say
// how far they came, so that a message can name what hangs.

#include "gpuav/device/instance_rewrites.h"
#include "gpuav/validator.h"

#endif  // ASSAY_GPUAV_GPUAV_H_
