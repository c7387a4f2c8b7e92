#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The last of neighbours is read first: the check of it covers those before. Where it is bad, not all of them are.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ expect out 0 : u32 4321
//@ fault last-of-them buffer-bounds at last
//@   push u32 1
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint base; };

void main() {
  uint number = values[base + 3];  //@ last
  number = 10 * number + values[base + 2];  //@ third
  number = 10 * number + values[base + 1];  //@ second
  number = 10 * number + values[base];  //@ first
  result = number;
}
