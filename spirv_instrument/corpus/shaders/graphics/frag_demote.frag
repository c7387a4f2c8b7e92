#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A demoted invocation goes on as a helper: its stores and atomics have no effect, its derivatives do.
//@ with full_screen.vert
//@ image target 2d r32ui 4x2
//@ buffer counter 8
//@ bind 0.0 storage counter
//@ target target
//@ push u32 0
//@ draw 3
//@ expect counter 0 : u32 4 0
//@ expect target 0 : u32 0 1 0 1 0 1 0 1
//@ fault past-the-end buffer-bounds at count
//@   push u32 2
#extension GL_EXT_demote_to_helper_invocation : require
layout(set = 0, binding = 0) buffer Counter { uint counts[]; };
layout(push_constant) uniform Push { uint index; };
layout(location = 0) in vec2 place;
layout(location = 0) out uint color;

void main() {
  uint x = uint(gl_FragCoord.x);
  if ((x & 1) == 0) demote;
  atomicAdd(counts[index], 1);  //@ count
  color = uint(round(abs(dFdx(gl_FragCoord.x))));
}
