#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A geometry shader that makes as many triangles as a buffer says.
//@ with patch.vert ones.frag
//@ image target 2d r32ui 2x2
//@ buffer data 16 : u32 0 1 2 3
//@ buffer made 4
//@ bind 0.0 storage data
//@ bind 0.1 storage made
//@ target target
//@ push u32 2
//@ draw 3
//@ expect made 0 : u32 2
//@ expect target 0 : u32 1 1 1 1
//@ fault past-the-end buffer-bounds at read
//@   push u32 4
layout(triangles) in;
layout(triangle_strip, max_vertices = 9) out;
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) buffer Made { uint made; };
layout(push_constant) uniform Push { uint which; };

void main() {
  uint count = values[which];  //@ read
  for (uint i = 0; i < count; ++i) {
    for (int corner = 0; corner < 3; ++corner) {
      gl_Position = gl_in[corner].gl_Position;
      EmitVertex();
    }
    EndPrimitive();
    atomicAdd(made, 1);
  }
}
