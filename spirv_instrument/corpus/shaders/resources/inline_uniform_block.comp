#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// An inline uniform block, whose bytes are in the descriptor set.
//@ buffer out 4
//@ bind 0.0 inline[64] : u32 0*4 10 0 0 0 20 0 0 0 30 0 0 0
//@ bind 0.1 storage out
//@ push u32 3
//@ expect out 0 : u32 30
//@ fault past-the-end buffer-bounds at read
//@   push u32 4
layout(set = 0, binding = 0) uniform Block { uvec4 values[8]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint index; };

void main() { result = values[index].x; }  //@ read
