#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The condition and the step of a loop read memory: accesses in the header and in the continue construct.
//@ buffer data 32 : u32 2 9 3 9 9 1 0 0
//@ buffer out 8
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ expect out 0 : u32 3 6
//@ fault no-end buffer-bounds at read
//@   write data 20 : u32 3
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint steps; uint last; };

void main() {
  uint count = 0;
  uint i = 0;
  for (; values[i] != 0; i += values[i]) {  //@ read
    ++count;
  }
  steps = count;
  last = i;
}
