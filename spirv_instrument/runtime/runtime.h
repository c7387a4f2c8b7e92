// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_RUNTIME_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_RUNTIME_H_

#include "spirv_instrument/runtime/address_table.h"
#include "spirv_instrument/runtime/descriptor_buffers.h"
#include "spirv_instrument/runtime/descriptor_table.h"
#include "spirv_instrument/runtime/error_codes.h"
#include "spirv_instrument/runtime/host_limit.h"
#include "spirv_instrument/runtime/layout.h"
#include "spirv_instrument/runtime/records.h"

// The memory that instrumented shaders read and write: what they need to know, and what they report. layout.h says
// where each word is, error_codes.h what can be reported; C++ and GLSL include both. The classes here make and read
// such words for the host. They know no Vulkan: the host decides which memory the words are in.
//
// There are six parts:
//
//   action block  one for each action command      read by every invocation      uniform
//   tables        one for a device                 read by every invocation      device-local, written by the host
//   errors        one for each command buffer      written where a fault is      host-visible
//   causes        one for each command buffer      counted up where a fault is   host-visible
//   output        one for each command buffer      written by debugPrintf        host-visible
//   counts        one for each pipeline or shader  counted up by each block      device-local
//
// *What does not fault stays on the device.* An invocation without a fault reads the action block and tables, and
// writes nothing but counts, if these are asked for. So host-visible memory is touched by the fault path alone. Reading
// tables over the bus in each invocation is what makes instrumented shaders slow.
//
// THE ACTION BLOCK
//
// 24 quads that the host writes for each draw, dispatch or trace: the index of the action in its command buffer, draw
// parameters, where in the tables each bound set's table is, where the table of addresses is, how many vertices the
// bound buffers hold for each attribute, and the addresses of the other parts.
//
// THE TABLES
//
// One array of quads, which holds a table for each descriptor set and the table of live device addresses.
//
// *Descriptor sets*: a quad for each descriptor says whether it was written, whether what it refers to was destroyed,
// its type, and the size or extent. DescriptorTable writes them. To check an access takes three loads; the first two
// are the same for all invocations. A size of 0 stands for a descriptor that must not be accessed, so that one compare
// with the size is the whole check of a buffer access; only the fault path asks why it failed.
//
// *Descriptor buffers*: descriptors are bytes in the application's memory. The shader reads those that it is about to
// use by the address of the set, and finds the descriptor's quad by their hash of 64 bits, in a table of all
// descriptors that the driver has ever made. That table is memory of its own, which a larger one may replace while
// shaders run: the action block leads to the address of the one that counts.
//
// *Device addresses*: pages are hashed. A bucket has the one range that reaches into its page, or the list of them,
// sorted. AddressTable makes it such that a look-up reads a bounded number of buckets, nearly always one. Overlapping
// ranges (aliased memory) are exact: an access is good if it is within one range. Neighbours are not joined: an access
// across the end of a buffer is bad though another one begins there.
//
// FAULTS
//
// A fault has a *cause*: action, shader, instruction and error code. The fault path counts it up in the table of
// causes. The first fault of a cause (the first kRecordsPerCauseWord, if the host wants more) also writes a record to
// the errors, which says what was wrong and which invocation it was. So a million faults of one instruction are one
// record and a count of a million. Nothing is lost silently: faults without room in the causes and records without room
// in the errors are counted.
//
// The causes are a hash table without locks. The key of a slot is a hash of its cause, set by an atomic
// compare-and-swap from 0; two causes with one hash of 32 bits would count as one. A cause has two slots that it may
// get, and its faults are lost where others have both. So the fault path has no loop: drivers compile it at each check,
// and loops slowly.
//
// With FrameConfig::reports_at_end, a shader keeps the first fault of each invocation in private variables, and reports
// it where the entry point ends. Then the fault path is there once.
//
// Where all checks compare with *limits* (host_limit.h), there is not even that. The host knows each descriptor of the
// action when it is recorded, and writes the first bad value of each check to the action block. A fault then leaves a
// *note*: each check of each action has six words for it, behind the slots of the causes, which count its faults and
// have the value of the first one. The host makes a record of that. There is room for the notes of some actions alone;
// all others share one place, where faults are only counted.
//
// Room for a record is reserved by an atomic add. Its size is written last: where a device was lost, records without a
// size were not finished.
//
// *Stage words* say which invocation it was. By execution model:
//
//   Vertex                                     vertex index, instance index
//   TessellationControl                        primitive id, invocation id
//   TessellationEvaluation                     primitive id, tessellation coordinates u and v (as float)
//   Geometry                                   primitive id, invocation id
//   Fragment                                   x and y of the fragment coordinate (as float)
//   GLCompute, TaskEXT, MeshEXT (and of NV)    global invocation id x, y, z
//   ray tracing                                launch id x, y, z
//
// The others of the four words are 0. Workgroup and local invocation follow from the global id and the workgroup size.
//
// HOW A SHADER REACHES IT
//
// By a *descriptor set* that the application does not use: bindings 0 to 5 as layout.h says. The host binds it with the
// offset of the action block for each action.
//
// By *device address*, where the application uses every set. Then the shader needs the address of the action block, and
// finds the others in there. It comes
//   - from push constants, eight bytes behind those of the application: the host pushes them for each action; or
//   - from two specialization constants (low word, high word), where there is no room for push constants. A pipeline
//     then has one action block for all its actions: records say the shader, and not the action.
// This needs the bufferDeviceAddress feature; the first way needs no feature. Both need stores and atomics in the
// stages that are instrumented.
//
// Shaders are not numbered anew when they come from a cache: the shader id is a constant of its own, whose word the
// report of the instrumentation names, so that the host can change it in finished words.

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_RUNTIME_H_
