#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Lengths of runtime arrays: of plain elements, of structures, of an element of an array of buffers.
//@ buffer a 20
//@ buffer b 40
//@ buffer c 64
//@ buffer out 12
//@ bind 0.0 storage a
//@ bind 0.1 storage b
//@ bind 0.2 storage[2] a c
//@ bind 0.3 storage out
//@ push u32 1
//@ expect out 0 : u32 5 2 15
//@ fault past-the-array descriptor-index at length
//@   push u32 2
//@ fault unwritten descriptor-unwritten at length
//@   bind 0.2 storage[2] a
struct Item { uint x; uint y; uint z; };
layout(set = 0, binding = 0, std430) readonly buffer A { uint values[]; } a;
layout(set = 0, binding = 1, std430) readonly buffer B { uvec4 first; Item items[]; } b;
layout(set = 0, binding = 2, std430) readonly buffer C { uint first; uint values[]; } c[2];
layout(set = 0, binding = 3) writeonly buffer Out { uint result[3]; };
layout(push_constant) uniform Push { uint which; };

void main() {
  result[0] = a.values.length();
  result[1] = b.items.length();
  result[2] = c[which].values.length();  //@ length
}
