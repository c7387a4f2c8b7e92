#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// References that are compared, kept in arrays and written to memory.
//@ buffer a 16 : u32 1 2 3 4
//@ buffer b 16 : u32 5 6 7 8
//@ buffer kept 16
//@ buffer out 8
//@ bind 0.0 storage out
//@ bind 0.1 storage kept
//@ push u64 &a u64 &b u32 1 0
//@ expect out 0 : u32 5 0
//@ fault bad-one-chosen address-range at read
//@   push u64 &a u64 &b+16 u32 1 0
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference, std430) readonly buffer Values { uint first; };
layout(set = 0, binding = 0) writeonly buffer Out { uint result; uint same; };
layout(set = 0, binding = 1) buffer Kept { Values kept; };
layout(push_constant) uniform Push { Values a; Values b; uint which; };

void main() {
  Values both[2] = Values[2](a, b);
  Values chosen = both[which];
  kept = chosen;
  memoryBarrierBuffer();
  result = kept.first;  //@ read
  same = uint64_t(chosen) == uint64_t(a) ? 1 : 0;
  // Addresses differ from run to run, and outputs must not.
  kept = Values(0ul);
}
