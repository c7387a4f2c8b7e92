#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// An array in the push constants, by a dynamic index, as an index of a buffer.
//@ buffer data 16 : u32 10 20 30 40
//@ buffer out 16
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 3 2 1 0
//@ dispatch 4
//@ expect out 0 : u32 40 30 20 10
//@ fault one-of-them buffer-bounds at read
//@   push u32 3 2 4 0
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint order[4]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = values[order[i]];  //@ read
}
