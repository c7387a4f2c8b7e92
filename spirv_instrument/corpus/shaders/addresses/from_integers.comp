#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Addresses as 64-bit integers and as pairs of 32-bit ones, with arithmetic in between.
//@ buffer data 64 : u32 1..16
//@ buffer out 8
//@ bind 0.0 storage out
//@ push u64 &data u64 &data+4
//@ expect out 0 : u32 5 10
//@ fault first address-range at first
//@   push u64 &data+48 u64 &data+4
//@ fault second address-range at second
//@   push u64 &data u64 &data+32
//@ fault second-misaligned address-alignment at second
//@   push u64 &data u64 &data+5
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer One { uint value; };
layout(set = 0, binding = 0) writeonly buffer Out { uint result[2]; };
layout(push_constant) uniform Push { uint64_t first; uvec2 second; };

void main() {
  One one = One(first + 16ul);
  result[0] = one.value;  //@ first
  uvec2 address = second;
  address.x += 32;
  result[1] = One(address).value;  //@ second
}
