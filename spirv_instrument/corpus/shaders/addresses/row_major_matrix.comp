#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A matrix by row behind an address: a column of it is gathered from all of its rows.
//@ buffer data 48 : f32 1..12
//@ buffer out 16
//@ bind 0.0 storage out
//@ push u64 &data u32 2 0
//@ expect out 0 : f32 3 7 11
//@ fault past-the-end address-range at column
//@   push u64 &data+16 u32 2 0
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430, row_major, buffer_reference_align = 16) readonly buffer Matrix { mat4x3 value; };
layout(set = 0, binding = 0) writeonly buffer Out { vec3 result; };
layout(push_constant) uniform Push { Matrix matrix; uint column; };

void main() { result = matrix.value[column]; }  //@ column
