#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A buffer reference as a parameter, and as what a function returns.
//@ buffer first 16 : u64 &second u32 0 0
//@ buffer second 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage out
//@ push u64 &first u32 3 0
//@ expect out 0 : u32 4
//@ fault past-the-end address-range at read
//@   push u64 &first u32 4 0
//@ fault no-pointer address-range at follow
//@   push u64 &first+16 u32 0 0
//@   also address-range at read
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) readonly buffer Values { uint values[]; };
layout(buffer_reference, std430) readonly buffer Node { Values values; };
layout(set = 0, binding = 0) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { Node node; uint index; };

Values Follow(Node from) { return from.values; }  //@ follow
uint Read(Values from, uint i) { return from.values[i]; }  //@ read

void main() { result = Read(Follow(node), index); }
