#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The same element is read, then written, then read in a branch: one check decides them all.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 2
//@ expect out 0 : u32 107
//@ expect data 0 : u32 1 2 104 4
//@ fault past-the-end buffer-bounds at read
//@   push u32 4
//@   dominated buffer-bounds at write
layout(set = 0, binding = 0) buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint index; };

void main() {
  uint old = values[index];  //@ read
  values[index] = old + 101;  //@ write
  uint more = 0;
  if (old == 3) {
    more = values[index];  //@ again
  }
  result = old + more;
}
