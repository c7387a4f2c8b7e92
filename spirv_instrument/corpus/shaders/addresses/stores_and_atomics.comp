#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A store, an atomic and a load through the same reference.
//@ buffer data 16
//@ buffer out 4
//@ bind 0.0 storage out
//@ push u64 &data u32 3 0
//@ expect data 0 : u32 0 0 0 12
//@ expect out 0 : u32 12
//@ fault past-the-end address-range at store
//@   push u64 &data u32 4 0
//@   dominated address-range at add
//@   dominated address-range at load
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) buffer Values { uint values[]; };
layout(set = 0, binding = 0) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { Values data; uint index; };

void main() {
  data.values[index] = 5;  //@ store
  atomicAdd(data.values[index], 7);  //@ add
  result = data.values[index];  //@ load
}
