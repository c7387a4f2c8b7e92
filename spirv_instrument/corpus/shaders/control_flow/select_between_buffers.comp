#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Which of two buffers is read is decided at run time: phi nodes of what was loaded.
//@ buffer first 16 : u32 1 2 3 4
//@ buffer second 8 : u32 50 60
//@ buffer out 4
//@ bind 0.0 storage first
//@ bind 0.1 storage second
//@ bind 0.2 storage out
//@ push u32 0 3
//@ expect out 0 : u32 4
//@ input second
//@   push u32 1 1
//@   expect out 0 : u32 60
//@ fault second-is-shorter buffer-bounds at second
//@   push u32 1 3
layout(set = 0, binding = 0) readonly buffer First { uint values[]; } first;
layout(set = 0, binding = 1) readonly buffer Second { uint values[]; } second;
layout(set = 0, binding = 2) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint which; uint index; };

void main() {
  uint value;
  if (which == 0) {
    value = first.values[index];  //@ first
  } else {
    value = second.values[index];  //@ second
  }
  result = value;
}
