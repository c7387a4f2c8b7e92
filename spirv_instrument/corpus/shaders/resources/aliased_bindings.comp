#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Two variables of one binding see the same buffer as different types.
//@ buffer data 16 : f32 1 2 3 4
//@ bind 0.0 storage data
//@ push u32 1
//@ expect data 0 : f32 1 -2 3 4
//@ fault past-the-end buffer-bounds at read
//@   push u32 4
//@   also buffer-bounds at write
layout(set = 0, binding = 0) buffer Floats { float floats[]; };
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint index; };

void main() {
  uint bits = floatBitsToUint(floats[index]);  //@ read
  words[index] = bits ^ 0x80000000u;  //@ write
}
