#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A switch with cases that fall through, a default, and an access in each.
//@ buffer data 16 : u32 10 20 30 40
//@ buffer out 20
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ dispatch 5
//@ expect out 0 : u32 30 20 30 40 0
//@ fault in-one-case buffer-bounds at third
//@   push u32 2
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint more; };

void main() {
  uint sum = 0;
  switch (gl_GlobalInvocationID.x) {
    case 0:
      sum += values[0];  //@ first
    case 1:
      sum += values[1];  //@ second
      break;
    case 2:
      sum += values[2 + more];  //@ third
      break;
    case 3:
      sum += values[3];  //@ fourth
      break;
    default:
      break;
  }
  result[gl_GlobalInvocationID.x] = sum;
}
