#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Memory qualifiers and the Vulkan memory model: each access keeps its own operands.
//@ buffer data 16 : u32 1 2 3 4
//@ bind 0.0 storage data
//@ push u32 2
//@ expect data 0 : u32 1 2 3 7
//@ fault past-the-end buffer-bounds at read
//@   push u32 4
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(set = 0, binding = 0) volatile coherent buffer Data { uint values[]; };
layout(push_constant) uniform Push { uint index; };

void main() {
  uint value = values[index];  //@ read
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  values[3] = value + 4;
}
