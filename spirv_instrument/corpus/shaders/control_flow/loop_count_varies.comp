#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Each invocation has its own number of iterations.
//@ buffer data 32 : u32 1..8
//@ buffer out 32
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ expect out 0 : u32 1 3 6 10 15 21 28 36
//@ fault last-invocation-only buffer-bounds at read
//@   push u32 1
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint more; };

void main() {
  uint sum = 0;
  for (uint i = 0; i <= gl_LocalInvocationIndex + more; ++i) {
    sum += values[i];  //@ read
  }
  result[gl_LocalInvocationIndex] = sum;
}
