#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// An index that counts down, below zero where there is a fault.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push i32 0
//@ expect out 0 : u32 4321
//@ fault below-zero buffer-bounds at read
//@   push i32 -1
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { int last; };

void main() {
  uint number = 0;
  for (int i = 3; i >= last; --i) {
    number = 10 * number + values[i];  //@ read
  }
  result = number;
}
