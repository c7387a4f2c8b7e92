#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Attributes of several formats from two vertex buffers, one of them by instance.
//@ with ones.frag
//@ image target 2d r32ui 1x1
//@ buffer vertices 48 : f32 1 2 u32 3 4  f32 5 6 u32 7 8  f32 9 10 u32 11 12
//@ buffer instances 8 : u8 1 2 3 4 5 6 7 8
//@ buffer out 144
//@ bind 0.0 storage out
//@ vertices 0 16 vertices
//@ vertices 1 4 instances instance
//@ attribute 0 0 rg32f 0
//@ attribute 1 0 rg32ui 8
//@ attribute 2 1 rgba8ui 0
//@ target target
//@ draw 3 instances=2
//@ expect out 0 : u32 1 2 3 4 1 2  5 6 7 8 1 2  9 10 11 12 1 2  1 2 3 4 5 6
//@ fault vertices-past-the-end vertex-fetch at first
//@   vertices 0 16 vertices+16
//@   also vertex-fetch at second
//@ fault instances-past-the-end vertex-fetch at third
//@   vertices 1 4 instances+4 instance
layout(location = 0) in vec2 first;
layout(location = 1) in uvec2 second;
layout(location = 2) in uvec4 third;
struct Written { uvec2 first; uvec2 second; uvec2 third; };
layout(set = 0, binding = 0) writeonly buffer Out { Written written[]; };

void main() {
  uint i = 3 * gl_InstanceIndex + gl_VertexIndex;
  written[i].first = uvec2(first);  //@ first
  written[i].second = second;  //@ second
  written[i].third = third.xy;  //@ third
  gl_Position = vec4(0, 0, 0, 1);
}
