#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A query that is initialized on one way only.
//@ scene mesh triangles : f32 -9 -9 3  9 -9 3  0 9 3
//@ buffer out 4
//@ bind 0.0 scene mesh
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 0 : u32 1
//@ fault not-initialized ray-query at proceed
//@   push u32 0
//@   also ray-query at type
#extension GL_EXT_ray_query : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint initialize; };

void main() {
  rayQueryEXT query;
  if (initialize != 0) {
    rayQueryInitializeEXT(query, scene, 1, 0xff, vec3(0), 0.0, vec3(0, 0, 1), 100.0);
  }
  while (rayQueryProceedEXT(query)) {  //@ proceed
  }
  result = rayQueryGetIntersectionTypeEXT(query, true);  //@ type
}
