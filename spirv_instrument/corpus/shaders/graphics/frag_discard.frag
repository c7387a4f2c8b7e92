#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A discard before an access keeps half of the fragments from it.
//@ with full_screen.vert
//@ image target 2d r32ui 4x1
//@ buffer data 8 : u32 5 6
//@ bind 0.0 storage data
//@ target target
//@ push u32 2
//@ draw 3
//@ expect target 0 : u32 5 6 0 0
//@ fault one-fragment buffer-bounds at read
//@   push u32 3
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(push_constant) uniform Push { uint kept; };
layout(location = 0) in vec2 place;
layout(location = 0) out uint color;

void main() {
  uint x = uint(gl_FragCoord.x);
  if (x >= kept) discard;
  color = values[x];  //@ read
}
