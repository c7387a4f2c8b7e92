#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// OpTerminateInvocation in a function, in a loop.
//@ with full_screen.vert
//@ image target 2d r32ui 4x1
//@ buffer data 16 : u32 1 2 3 0
//@ bind 0.0 storage data
//@ target target
//@ push u32 4
//@ draw 3
//@ expect target 0 : u32 3 3 3 0
//@ fault past-the-end buffer-bounds at read
//@   push u32 5
//@   write data 12 : u32 9
#extension GL_EXT_terminate_invocation : require
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(push_constant) uniform Push { uint count; };
layout(location = 0) in vec2 place;
layout(location = 0) out uint color;

uint CountFrom(uint first) {
  uint found = 0;
  for (uint i = 0; i < count; ++i) {
    uint value = values[i];  //@ read
    if (value == 0) {
      if (first == 3) terminateInvocation;
      break;
    }
    ++found;
  }
  return found;
}

void main() { color = CountFrom(uint(gl_FragCoord.x)); }
