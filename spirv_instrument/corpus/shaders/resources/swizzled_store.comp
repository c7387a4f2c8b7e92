#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Several components of a vector in one assignment: a load, a shuffle and a store.
//@ buffer data 32 : u32 1..8
//@ bind 0.0 storage data
//@ push u32 1
//@ expect data 0 : u32 1 2 3 4 7 6 5 8
//@ fault past-the-end buffer-bounds at swap
//@   push u32 2
layout(set = 0, binding = 0, std430) buffer Data { uvec4 values[]; };
layout(push_constant) uniform Push { uint index; };

void main() { values[index].xz = values[index].zx; }  //@ swap
