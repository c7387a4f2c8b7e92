#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A tessellation evaluation shader that displaces vertices by a texture of an array.
//@ with patch.vert plain.tesc ones.frag
//@ image target 2d r32ui 2x2
//@ image flat 2d r32f 1x1 : f32 0
//@ sampler smp
//@ buffer count 4
//@ bind 0.0 combined[2] flat|smp flat|smp
//@ bind 0.1 storage count
//@ target target
//@ push u32 1
//@ draw 3 topology=patches patch=3
//@ expect target 0 : u32 1 1 1 1
//@ fault past-the-array descriptor-index at fetch
//@   push u32 2
layout(triangles) in;
layout(set = 0, binding = 0) uniform sampler2D heights[2];
layout(set = 0, binding = 1) buffer Count { uint largest; };
layout(push_constant) uniform Push { uint which; };

void main() {
  vec4 corner = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                gl_TessCoord.z * gl_in[2].gl_Position;
  float height = texelFetch(heights[which], ivec2(0), 0).x;  //@ fetch
  atomicMax(largest, gl_PrimitiveID);
  gl_Position = corner + vec4(0, height, 0, 0);
}
