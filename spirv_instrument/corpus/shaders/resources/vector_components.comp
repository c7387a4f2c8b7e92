#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Components of vectors in a buffer, read and written by dynamic indices.
//@ buffer data 32 : f32 1..8
//@ bind 0.0 storage data
//@ push u32 1 2
//@ expect data 0 : f32 1 2 3 4 5 6 7 7
//@ fault past-the-end buffer-bounds at read
//@   push u32 2 0
//@   also buffer-bounds at write
layout(set = 0, binding = 0, std430) buffer Data { vec4 values[]; };
layout(push_constant) uniform Push { uint index; uint component; };

void main() {
  float value = values[index][component];  //@ read
  values[index].w = value;  //@ write
}
