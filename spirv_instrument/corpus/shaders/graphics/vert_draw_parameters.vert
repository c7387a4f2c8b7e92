#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The parameters of a draw: first vertex, first instance.
//@ with ones.frag
//@ image target 2d r32ui 1x1
//@ buffer out 24
//@ bind 0.0 storage out
//@ target target
//@ draw 3 first=5 first_instance=7
//@ expect out 0 : u32 5 7 0 111 0 0
//@ fault past-the-end buffer-bounds at store
//@   draw 3 first=8 first_instance=7
#extension GL_ARB_shader_draw_parameters : require
layout(set = 0, binding = 0) buffer Out { uint first; uint instance; uint draw; uint written[]; };

void main() {
  first = gl_BaseVertexARB;
  instance = gl_BaseInstanceARB;
  draw = gl_DrawIDARB;
  uint weight = gl_VertexIndex == gl_BaseVertexARB ? 1 : gl_VertexIndex == gl_BaseVertexARB + 1 ? 10 : 100;
  atomicAdd(written[gl_BaseVertexARB - 5], weight);  //@ store
  gl_Position = vec4(0, 0, 0, 1);
}
