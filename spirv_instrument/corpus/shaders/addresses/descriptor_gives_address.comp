#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The address comes from a buffer that is found through a dynamic descriptor: two checks, one behind the other.
//@ buffer a 8 : u64 &data
//@ buffer b 8 : u64 &data+16
//@ buffer data 32 : u32 1..8
//@ buffer out 4
//@ bind 0.0 storage[2] a b
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 0 : u32 5
//@ fault bad-descriptor descriptor-index at pointer
//@   push u32 2
//@   also address-range at read
//@ fault bad-address address-range at read
//@   write b 0 : u64 &data+32
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) readonly buffer Values { uint first; };
layout(set = 0, binding = 0) readonly buffer Pointers { Values values; } pointers[2];
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint which; };

void main() {
  Values values = pointers[which].values;  //@ pointer
  result = values.first;  //@ read
}
