#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A function that reads a buffer is called from two places; only one call is bad.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 8
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 1 3
//@ expect out 0 : u32 2 4
//@ fault one-caller buffer-bounds at read
//@   push u32 1 4
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint first; uint second; };
layout(push_constant) uniform Push { uint one; uint other; };

uint Read(uint i) { return values[i]; }  //@ read

void main() {
  first = Read(one);
  second = Read(other);
}
