#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The selector of a switch comes from memory.
//@ buffer data 16 : u32 2 0 1 7
//@ buffer out 16
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ dispatch 4
//@ expect out 0 : u32 300 100 200 1
//@ fault selector-past-the-end buffer-bounds at read
//@   push u32 1
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint more; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint chosen = 1;
  switch (values[i + more]) {  //@ read
    case 0: chosen = 100; break;
    case 1: chosen = 200; break;
    case 2: chosen = 300; break;
  }
  result[i] = chosen;
}
