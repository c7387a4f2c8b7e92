#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Two reads with an index of the same name that has changed between: one check does not decide the other.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 0 : u32 5
//@ fault second buffer-bounds at second
//@   push u32 2
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint index; };

void main() {
  uint i = index;
  uint sum = values[i];  //@ first
  i *= 2;
  sum += values[i];  //@ second
  result = sum;
}
