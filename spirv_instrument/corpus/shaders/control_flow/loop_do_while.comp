#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A loop that tests its condition behind the body.
//@ buffer data 16 : u32 1 2 4 8
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 4
//@ expect out 0 : u32 15
//@ fault too-many buffer-bounds at read
//@   push u32 5
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint count; };

void main() {
  uint sum = 0;
  uint i = 0;
  do {
    sum += values[i];  //@ read
    ++i;
  } while (i < count);
  result = sum;
}
