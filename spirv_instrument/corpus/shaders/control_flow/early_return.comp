#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// An early return keeps a bad access from being executed: no fault, although the index is bad.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 32
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 4
//@ expect out 0 : u32 1 2 3 4 0 0 0 0
//@ fault without-return buffer-bounds at read
//@   push u32 5
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint count; };

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i >= count) return;
  result[i] = values[i];  //@ read
}
