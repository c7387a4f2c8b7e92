#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Buffers with dynamic offsets: the range moves, its size stays.
//@ buffer data 512 : u32 1 2 3 4 0*60 5 6 7 8
//@ buffer out 512
//@ bind 0.0 uniform_dynamic data+0:16@256
//@ bind 0.1 storage_dynamic out+0:16@256
//@ push u32 0
//@ expect out 256 : u32 5 6 7 8
//@ input without-offset
//@   bind 0.0 uniform_dynamic data+0:16@0
//@   expect out 256 : u32 1 2 3 4
//@ fault past-the-range buffer-bounds at copy
//@   push u32 1
//@   also buffer-bounds at store
layout(set = 0, binding = 0) uniform Data { uvec4 values[4]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 copies[]; };
layout(push_constant) uniform Push { uint index; };

void main() {
  uvec4 value = values[index];  //@ copy
  copies[index] = value;  //@ store
}
