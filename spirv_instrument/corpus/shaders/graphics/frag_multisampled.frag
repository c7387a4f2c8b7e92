#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A target with four samples: the shader runs for each of them, and reads a buffer by the sample's number.
//@ with full_screen.vert
//@ image target 2d r32ui 2x2 samples=4 : u32 0
//@ buffer data 16 : u32 1 10 100 1000
//@ buffer sums 16
//@ bind 0.0 storage data
//@ bind 0.1 storage sums
//@ target target
//@ push u32 0
//@ draw 3
//@ expect sums 0 : u32 4 40 400 4000
//@ fault past-the-end buffer-bounds at read
//@   push u32 1
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) buffer Sums { uint sums[4]; };
layout(push_constant) uniform Push { uint shift; };
layout(location = 0) in vec2 place;
layout(location = 0) out uint color;

void main() {
  uint value = values[gl_SampleID + shift];  //@ read
  atomicAdd(sums[gl_SampleID], value);
  color = value;
}
