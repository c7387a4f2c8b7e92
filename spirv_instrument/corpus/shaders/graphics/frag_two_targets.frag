#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Two color attachments, one of which gets what a uniform buffer has.
//@ with full_screen.vert
//@ image first 2d r32ui 2x2
//@ image second 2d rgba32f 2x2
//@ buffer colors 64 : f32 1 2 3 4  5 6 7 8  9 10 11 12  13 14 15 16
//@ bind 0.0 uniform colors
//@ target first second
//@ push u32 2
//@ draw 3
//@ expect first 0 : u32 2*4
//@ expect second 0 : f32 9 10 11 12
//@ fault past-the-end buffer-bounds at read
//@   push u32 4
layout(set = 0, binding = 0) uniform Colors { vec4 colors[8]; };
layout(push_constant) uniform Push { uint which; };
layout(location = 0) in vec2 place;
layout(location = 0) out uint first;
layout(location = 1) out vec4 second;

void main() {
  first = which;
  second = colors[which];  //@ read
}
