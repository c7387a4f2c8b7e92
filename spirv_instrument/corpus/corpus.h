// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_CORPUS_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_CORPUS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/description/description.h"

// Shaders to instrument and to run, each with inputs.
//
//   shaders/         written by hand, by topic: control flow and odd cases
//   families/        Python programs that write shaders which differ in one respect: types, layouts, descriptors
//   description/     a program as data, and the parser of the directives below
//   runner/          runs a program on a device, with a place for instrumentation, and returns what it computed
//   instrumented/    runs programs instrumented, and compares
//   sweep/           every pass over all modules; nothing is run
//   glslang_tests/   the shaders of glslang's own tests that compile to valid SPIR-V; these are not run
//   capture/         a layer that writes the modules that an application hands to the driver to files
//
// compile.py compiles all shaders in one action, which leaves a folder with sources and modules side by side: x.comp
// and x.comp.spv. ReadCorpus reads it.
//
// DIRECTIVES
//
// A source says in the comments at its top what it is for, and then, in directives, what it runs on. A directive is a
// line that begins with "//@":
//
//   #version 460
//   // A dynamic index into an array of storage buffers, the same in all invocations.
//   //@ buffer data 64 : u32 0..15
//   //@ buffer out 64
//   //@ bind 0.0 storage[2] data data+32:32
//   //@ bind 0.1 storage out
//   //@ push u32 1
//   //@ dispatch 4
//   //@ expect out 0 : u32 8 9 10 11
//   //@ fault past-the-array descriptor-index at read
//   //@   push u32 2
//   layout(binding = 0) readonly buffer Data { uint values[]; } data[2];
//   ...
//     out_values[i] = data[which].values[i];  //@ read
//
// A comment "//@ NAME" behind code marks its line. Directives that come before the first `input` or `fault` are the
// first input; each later input has the same, but for what its own directives say otherwise.
//
//   buffer NAME SIZE [: VALUES]              see BufferDescription
//   image NAME TYPE FORMAT WxHxD [levels=N] [layers=N] [samples=N] [: VALUES]
//                                            TYPE is 1d, 2d, 3d, cube, 1d_array, 2d_array or cube_array; W or WxH will
//                                            do; FORMAT as GLSL has it: r32ui
//   sampler NAME [linear] [unnormalized] [compare]
//   scene NAME triangles|boxes : VALUES      see SceneDescription
//   bind SET.BINDING TYPE[COUNT] ELEMENTS    TYPE is sampler, combined, sampled, image, uniform_texel, storage_texel,
//                                            uniform, storage, uniform_dynamic, storage_dynamic, input, scene, or
//                                            mutable(TYPE,TYPE); [COUNT] may be missing, or be [variable COUNT]
//   bind SET.BINDING inline[BYTES] : VALUES
//   push VALUES
//   spec ID VALUES                           as many bytes as the constant has; a bool is a u32
//   vertices BINDING STRIDE BUFFER[+OFFSET] [instance]
//   attribute LOCATION BINDING FORMAT OFFSET
//   target NAME...                           images that are color attachments; the viewport is their extent
//   dispatch X [Y [Z]]                       or mesh X [Y [Z]], or trace X [Y [Z]]
//   draw VERTICES [instances=N] [first=N] [first_instance=N] [indices=BUFFER] [topology=T] [patch=N]
//                                            T is points, lines, triangles, strip or patches
//   write NAME OFFSET : VALUES               changes the contents of a buffer or image
//   expect NAME OFFSET : VALUES              what a buffer or image holds after the run
//   prints TEXT                              what debugPrintf prints, to the end of the line; once for each invocation
//   input NAME                               begins another input without faults
//   fault NAME KIND at MARK                  begins an input with faults; KIND is one of FaultKind. `also KIND at MARK`
//                                            adds one; so does `dominated KIND at MARK`, which is not reported where
//                                            an earlier check decides it. MARK may be SOURCE:MARK, of another source
//                                            of the program
//   with SOURCE...                           the other shaders of the program
//   compile OPTIONS                          glslang's options: -g0, -gVS or --target-env vulkan1.1 in place of -g and
//                                            --target-env vulkan1.3
//   part                                     the source does not describe a program; others name it in `with`
//
// An ELEMENT is the name of a resource: `data`, with an offset, a range and a dynamic offset `data+256:64@128`, a
// format or view type `texels/r32ui`, `layers/2d_array`, one level `mips#2`, a sampler `image|smooth`. `none` is not
// written, `null` is a null descriptor, `gone(data)` is destroyed before the run. `data*3` stands for three of the
// same. An element of a mutable binding names its type, `storage=data`.
//
// VALUES are a type and numbers, as often as one likes: `u32 1 2 3 f32 0.5`. Types are u8, i8, u16, i16, u32, i32, u64,
// i64, f16, f32, f64. `7*16` is sixteen times 7, `0..15` counts, `nan` and `inf` are floats, `&data+16` is a device
// address (of u64).
namespace assay::spirv_instrument::corpus {

// Reads all programs of a folder that compile.py wrote, ordered by name. Fails if a description or a module is not as
// it should be, and says where.
absl::StatusOr<std::vector<Program>> ReadCorpus(const std::string& folder);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_CORPUS_H_
