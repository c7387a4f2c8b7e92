#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Arithmetic on references: they step by the size of what they refer to.
//@ buffer data 64 : u32 1..16
//@ buffer out 12
//@ bind 0.0 storage out
//@ push u64 &data i32 2 0
//@ expect out 0 : u32 9 13 5
//@ fault past-the-end address-range at plus_one
//@   push u64 &data i32 3 0
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Four { uvec4 value; };
layout(set = 0, binding = 0) writeonly buffer Out { uint result[3]; };
layout(push_constant) uniform Push { Four data; int step; };

void main() {
  Four there = data + step;
  result[0] = there.value.x;  //@ there
  result[1] = (there + 1).value.x;  //@ plus_one
  result[2] = there[-1].value.x;  //@ minus_one
}
