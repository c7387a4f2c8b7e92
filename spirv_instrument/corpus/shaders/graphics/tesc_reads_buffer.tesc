#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A tessellation control shader that gets its levels from a buffer.
//@ with patch.vert plain.tese ones.frag
//@ image target 2d r32ui 2x2
//@ buffer levels 8 : f32 2 1
//@ bind 0.0 storage levels
//@ target target
//@ push u32 0
//@ draw 3 topology=patches patch=3
//@ expect target 0 : u32 1 1 1 1
//@ fault past-the-end buffer-bounds at read
//@   push u32 2
layout(vertices = 3) out;
layout(set = 0, binding = 0) readonly buffer Levels { float levels[]; };
layout(push_constant) uniform Push { uint which; };

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  if (gl_InvocationID == 0) {
    float level = levels[which];  //@ read
    gl_TessLevelOuter[0] = level;
    gl_TessLevelOuter[1] = level;
    gl_TessLevelOuter[2] = level;
    gl_TessLevelInner[0] = level;
  }
}
