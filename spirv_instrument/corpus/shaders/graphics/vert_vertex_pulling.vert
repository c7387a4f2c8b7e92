#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A vertex shader that fetches its vertices from a storage buffer.
//@ with ones.frag
//@ image target 2d r32ui 2x2
//@ buffer corners 24 : f32 -1 -1 3 -1 -1 3
//@ bind 0.0 storage corners
//@ target target
//@ push u32 0
//@ draw 3
//@ expect target 0 : u32 1 1 1 1
//@ fault past-the-end buffer-bounds at read
//@   push u32 1
layout(set = 0, binding = 0) readonly buffer Corners { vec2 corners[]; };
layout(push_constant) uniform Push { uint first; };

void main() { gl_Position = vec4(corners[gl_VertexIndex + first], 0, 1); }  //@ read
