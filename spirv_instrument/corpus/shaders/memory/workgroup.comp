#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Values go through workgroup memory and a barrier, to be read by another invocation.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 16
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ expect out 0 : u32 4 3 2 1
//@ fault read-before-the-barrier buffer-bounds at read
//@   push u32 1
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint shift; };
shared uint kept[4];

void main() {
  uint i = gl_LocalInvocationIndex;
  kept[i] = values[i + shift];  //@ read
  barrier();
  result[i] = kept[3 - i];
}
