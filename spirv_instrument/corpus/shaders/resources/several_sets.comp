#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Descriptors in sets that are not next to one another, and bindings with gaps.
//@ buffer a 16 : u32 1 2 3 4
//@ buffer b 16 : u32 10 20 30 40
//@ buffer out 4
//@ bind 0.5 storage a
//@ bind 3.2 uniform b
//@ bind 3.9 storage out
//@ push u32 2
//@ expect out 0 : u32 33
//@ fault past-the-end buffer-bounds at read
//@   push u32 4
layout(set = 0, binding = 5) readonly buffer A { uint a[]; };
layout(set = 3, binding = 2) uniform B { uint b0; uint b1; uint b2; uint b3; };
layout(set = 3, binding = 9) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint index; };

void main() { result = a[index] + b2; }  //@ read
