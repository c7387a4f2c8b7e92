#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A fragment shader reads a storage buffer by the fragment's coordinates.
//@ with full_screen.vert
//@ image target 2d r32ui 4x2
//@ buffer data 32 : u32 1..8
//@ bind 0.0 storage data
//@ target target
//@ push u32 0
//@ draw 3
//@ expect target 0 : u32 1..8
//@ fault past-the-end buffer-bounds at read
//@   push u32 1
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(push_constant) uniform Push { uint shift; };
layout(location = 0) in vec2 place;
layout(location = 0) out uint color;

void main() {
  uvec2 pixel = uvec2(gl_FragCoord.xy);
  color = values[4 * pixel.y + pixel.x + shift];  //@ read
}
