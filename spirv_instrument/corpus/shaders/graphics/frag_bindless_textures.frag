#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The texture that a fragment samples depends on its place: an index that differs within a draw.
//@ with full_screen.vert
//@ image target 2d r32f 4x1
//@ image a 2d r32f 1x1 : f32 1
//@ image b 2d r32f 1x1 : f32 2
//@ image c 2d r32f 1x1 : f32 3
//@ image d 2d r32f 1x1 : f32 4
//@ sampler smp
//@ bind 0.0 combined[variable 8] a|smp b|smp c|smp d|smp
//@ target target
//@ push u32 0
//@ draw 3
//@ expect target 0 : f32 1 2 3 4
//@ fault one-column descriptor-index at sample
//@   push u32 1
//@ fault unwritten descriptor-unwritten at sample
//@   bind 0.0 combined[variable 8] a|smp b|smp none d|smp
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform sampler2D textures[];
layout(push_constant) uniform Push { uint shift; };
layout(location = 0) in vec2 place;
layout(location = 0) out float color;

void main() {
  uint which = uint(gl_FragCoord.x) + shift;
  color = textureLod(textures[nonuniformEXT(which)], vec2(0.5), 0).x;  //@ sample
}
