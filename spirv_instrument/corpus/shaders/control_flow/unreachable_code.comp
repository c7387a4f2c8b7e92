#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Code behind a return, and a loop that is left at once: blocks that cannot be reached stay valid.
//@ buffer data 8 : u32 6 7
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 0 : u32 7
//@ fault past-the-end buffer-bounds at read
//@   push u32 2
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint index; };

uint Read(uint i) {
  while (true) {
    return values[i];  //@ read
    return values[100];
  }
  return 0;
}

void main() {
  result = Read(index);
  return;
  result = values[200];
}
