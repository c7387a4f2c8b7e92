#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A dynamic index into an array of storage buffers, the same in all invocations.
//@ buffer data 64 : u32 0..15
//@ buffer out 16
//@ bind 0.0 storage[2] data data+32:32
//@ bind 0.1 storage out
//@ push u32 1
//@ dispatch 4
//@ expect out 0 : u32 8 9 10 11
//@ fault past-the-array descriptor-index at read
//@   push u32 2
//@ fault unwritten descriptor-unwritten at read
//@   bind 0.0 storage[2] data
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; } data[2];
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint which; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = data[which].values[i];  //@ read
}
