#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A ray query against triangles, each invocation with its own ray: which triangle it hits, and how far away.
//@ scene mesh triangles : f32 0 0 5  2 0 5  0 2 5   0 0 9  -2 0 9  0 -2 9
//@ buffer rays 64 : f32 0.5 0.5 0 100  -0.5 -0.5 0 100  5 5 0 100  0.5 0.5 0 2
//@ buffer out 32
//@ bind 0.0 scene mesh
//@ bind 0.1 storage rays
//@ bind 0.2 storage out
//@ push f32 0 0 1 0
//@ dispatch 4
//@ expect out 0 : u32 0 f32 5 u32 1 f32 9 u32 99 f32 0 u32 99 f32 0
//@ fault negative-time ray-time at initialize
//@   push f32 0 0 1 -1
//@ fault time-is-nan ray-time at initialize
//@   push f32 0 0 1 nan
//@ fault largest-below-smallest ray-time at initialize
//@   push f32 0 0 1 50
//@ fault zero-direction ray-direction at initialize
//@   push f32 0 0 0 0
//@ fault direction-is-nan ray-direction at initialize
//@   push f32 0 nan 1 0
//@ fault origin-is-nan ray-direction at initialize
//@   write rays 16 : f32 nan
#extension GL_EXT_ray_query : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) readonly buffer Rays { vec4 rays[]; };
struct Hit { uint primitive; float distance; };
layout(set = 0, binding = 2) writeonly buffer Out { Hit hits[]; };
layout(push_constant) uniform Push { vec3 direction; float smallest; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  rayQueryEXT query;
  vec4 ray = rays[i];
  rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, ray.xyz, smallest, direction, ray.w);  //@ initialize
  while (rayQueryProceedEXT(query)) {
  }
  Hit hit = Hit(99, 0.0);
  if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionTriangleEXT) {
    hit.primitive = uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, true));
    hit.distance = rayQueryGetIntersectionTEXT(query, true);
  }
  hits[i] = hit;
}
