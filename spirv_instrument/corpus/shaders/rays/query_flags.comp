#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The flags of a ray query come from a push constant. Some exclude one another.
//@ scene mesh triangles : f32 0 0 5  2 0 5  0 2 5
//@ buffer out 4
//@ bind 0.0 scene mesh
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 0 : u32 1
//@ input terminate-on-first-hit
//@   push u32 5
//@   expect out 0 : u32 1
//@ fault opaque-and-not-opaque ray-flags at initialize
//@   push u32 3
//@ fault cull-opaque-and-not-opaque ray-flags at initialize
//@   push u32 0xc0
//@ fault cull-back-and-front ray-flags at initialize
//@   push u32 0x30
//@ fault skip-triangles-and-boxes ray-flags at initialize
//@   push u32 0x300
//@ fault skip-triangles-and-cull ray-flags at initialize
//@   push u32 0x110
#extension GL_EXT_ray_query : require
#extension GL_EXT_ray_flags_primitive_culling : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) writeonly buffer Out { uint hit; };
layout(push_constant) uniform Push { uint flags; };

void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, flags, 0xff, vec3(0.5, 0.5, 0), 0.0, vec3(0, 0, 1), 100.0);  //@ initialize
  while (rayQueryProceedEXT(query)) {
  }
  hit = rayQueryGetIntersectionTypeEXT(query, true);
}
