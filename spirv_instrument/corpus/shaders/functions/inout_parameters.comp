#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Elements of a buffer as inout and out parameters: they are copied in and copied out.
//@ buffer data 16 : u32 1 2 3 4
//@ bind 0.0 storage data
//@ push u32 2 3
//@ expect data 0 : u32 1 2 13 30
//@ fault copied-out buffer-bounds at call
//@   push u32 2 4
layout(set = 0, binding = 0) buffer Data { uint values[]; };
layout(push_constant) uniform Push { uint one; uint other; };

void Change(inout uint a, out uint b) {
  b = 10 * a;
  a += 10;
}

void main() {
  Change(values[one], values[other]);  //@ call
}
