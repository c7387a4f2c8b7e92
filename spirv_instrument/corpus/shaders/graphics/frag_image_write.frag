#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Stores to an image by a fragment shader, with early tests.
//@ with full_screen.vert
//@ image target 2d r32ui 4x4
//@ image written 2d r32ui 4x4
//@ bind 0.0 image written
//@ target target
//@ push i32 0
//@ draw 3
//@ expect written 0 : u32 0 1 2 3 10 11 12 13 20 21 22 23 30 31 32 33
//@ fault one-column image-coordinate at store
//@   push i32 -1
layout(early_fragment_tests) in;
layout(set = 0, binding = 0, r32ui) uniform writeonly uimage2D written;
layout(push_constant) uniform Push { int shift; };
layout(location = 0) in vec2 place;
layout(location = 0) out uint color;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  imageStore(written, pixel + ivec2(shift, 0), uvec4(10 * pixel.y + pixel.x));  //@ store
  color = 1;
}
