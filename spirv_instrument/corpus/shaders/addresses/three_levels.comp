#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// References in references in references, in one expression.
//@ buffer a 8 : u64 &b
//@ buffer b 16 : u64 0 u64 &c
//@ buffer c 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage out
//@ push u64 &a u32 2 0
//@ expect out 0 : u32 3
//@ fault last-level address-range at read
//@   push u64 &a u32 4 0
//@ fault middle-level address-range at read
//@   write b 8 : u64 64
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) readonly buffer C { uint values[]; };
layout(buffer_reference, std430) readonly buffer B { uvec2 unused; C c; };
layout(buffer_reference, std430) readonly buffer A { B b; };
layout(set = 0, binding = 0) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { A a; uint index; };

void main() { result = a.b.c.values[index]; }  //@ read
