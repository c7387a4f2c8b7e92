#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Arrays of arrays of structures with arrays, every index dynamic.
//@ buffer data 192 : u32 0..47
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 1 2 1 1
//@ expect out 0 : u32 47
//@ fault outermost-past-the-end buffer-bounds at read
//@   push u32 2 0 0 0
struct Inner { uint x; uint y[3]; };
struct Outer { Inner inner[2]; };
layout(set = 0, binding = 0, std430) readonly buffer Data { Outer outer[][3]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint i; uint j; uint k; uint l; };

void main() { result = outer[i][j].inner[k].y[l + 1]; }  //@ read
