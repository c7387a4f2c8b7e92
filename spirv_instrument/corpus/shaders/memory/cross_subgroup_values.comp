#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// What a subgroup operation gives is the index: the same for all, but not known before.
//@ buffer data 32 : u32 1..8
//@ buffer out 16
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ expect out 0 : u32 4 4 4 4
//@ fault past-the-end buffer-bounds at read
//@   push u32 5
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint shift; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint index = subgroupMax(i) + shift;
  result[i] = values[index];  //@ read
}
