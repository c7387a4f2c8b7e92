#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// One query is used again in each iteration, from a scene that a function gets as a parameter.
//@ scene mesh triangles : f32 0 -9 3  9 0 3  0 9 3
//@ buffer out 4
//@ bind 0.0 scene mesh
//@ bind 0.1 storage out
//@ push f32 -2 100
//@ expect out 0 : u32 4
//@ fault later-iteration ray-time at initialize
//@   push f32 -2 4
#extension GL_EXT_ray_query : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { float start; float largest; };

bool IsHit(rayQueryEXT query, float x, float smallest) {
  rayQueryInitializeEXT(query, scene, 1, 0xff, vec3(x, 0, -10), smallest, vec3(0, 0, 1), largest);  //@ initialize
  while (rayQueryProceedEXT(query)) {
  }
  return rayQueryGetIntersectionTypeEXT(query, true) != 0;
}

void main() {
  rayQueryEXT query;
  uint hits = 0;
  for (int i = 0; i < 6; ++i) {
    if (IsHit(query, start + i + 0.5, float(i))) ++hits;
  }
  result = hits;
}
