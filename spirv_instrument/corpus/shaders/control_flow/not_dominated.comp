#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The same element is read in both branches and behind them: no check dominates the last one.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 3 1
//@ expect out 0 : u32 12
//@ fault past-the-end buffer-bounds at last
//@   push u32 4 2
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint index; uint way; };

void main() {
  uint sum = 0;
  if (way == 0) {
    sum = values[index];  //@ first
  } else if (way == 1) {
    sum = 2 * values[index];  //@ second
  }
  result = sum + values[index];  //@ last
}
