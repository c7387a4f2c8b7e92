#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Workgroup memory with an initializer of zeros, counted in with atomics.
//@ buffer data 32 : u32 0 1 1 2 2 2 3 0
//@ buffer out 16
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ expect out 0 : u32 2 2 3 1
//@ fault past-the-end buffer-bounds at read
//@   push u32 1
#extension GL_EXT_null_initializer : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint shift; };
shared uint counts[4] = {};

void main() {
  uint i = gl_LocalInvocationIndex;
  atomicAdd(counts[values[i + shift]], 1);  //@ read
  barrier();
  if (i < 4) result[i] = counts[i];
}
