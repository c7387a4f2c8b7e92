#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Functions with several returns, one inside the other.
//@ buffer data 32 : u32 4 1 2 3 8 9 7 6
//@ buffer out 16
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ dispatch 4
//@ expect out 0 : u32 8 0 2 1003
//@ fault past-the-end buffer-bounds at read
//@   push u32 7
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint shift; };

uint Read(uint i) {
  if (i == 1) return 0;
  return values[i + shift];  //@ read
}

uint Choose(uint i) {
  uint value = Read(i);
  if (value == 4) return Read(value);
  if (value > 2) return 1000 + value;
  return value;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = Choose(i);
}
