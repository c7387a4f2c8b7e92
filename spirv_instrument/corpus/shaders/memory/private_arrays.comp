#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Arrays of the invocation itself, filled from a buffer and read by a dynamic index.
//@ buffer data 16 : u32 4 5 6 7
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 4 2
//@ expect out 0 : u32 6
//@ fault past-the-end buffer-bounds at read
//@   push u32 5 2
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint count; uint which; };

void main() {
  uint kept[8] = uint[8](0, 0, 0, 0, 0, 0, 0, 0);
  for (uint i = 0; i < count; ++i) kept[i] = values[i];  //@ read
  result = kept[which & 7];
}
