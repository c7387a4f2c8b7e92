#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Only one invocation of a subgroup makes the access.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 3
//@ expect out 0 : u32 4
//@ fault past-the-end buffer-bounds at read
//@   push u32 4
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result; };
layout(push_constant) uniform Push { uint index; };

void main() {
  if (subgroupElect()) {
    uint value = values[index];  //@ read
    atomicMax(result, value);
  }
}
