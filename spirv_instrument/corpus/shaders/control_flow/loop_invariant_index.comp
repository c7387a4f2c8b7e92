#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The address does not change in the loop: a check may leave it.
//@ buffer data 16 : u32 3 5 7 11
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 2 10
//@ expect out 0 : u32 70
//@ input no-iteration
//@   push u32 100 0
//@   expect out 0 : u32 0
//@ fault past-the-end buffer-bounds at read
//@   push u32 4 10
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint index; uint count; };

void main() {
  uint sum = 0;
  for (uint i = 0; i < count; ++i) {
    sum += values[index];  //@ read
  }
  result = sum;
}
