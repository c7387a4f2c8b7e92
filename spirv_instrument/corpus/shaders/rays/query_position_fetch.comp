#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// The corners of the triangle that was hit.
//@ scene mesh triangles : f32 0 0 5  2 0 5  0 2 5
//@ buffer out 36
//@ bind 0.0 scene mesh
//@ bind 0.1 storage out
//@ push f32 100
//@ expect out 0 : f32 0 0 5 2 0 5 0 2 5
//@ fault no-hit ray-query at fetch
//@   push f32 1
#extension GL_EXT_ray_query : require
#extension GL_EXT_ray_tracing_position_fetch : require
#extension GL_EXT_scalar_block_layout : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1, scalar) writeonly buffer Out { vec3 corners[3]; };
layout(push_constant) uniform Push { float largest; };

void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, 1, 0xff, vec3(0.5, 0.5, 0), 0.0, vec3(0, 0, 1), largest);
  while (rayQueryProceedEXT(query)) {
  }
  vec3 found[3];
  rayQueryGetIntersectionTriangleVertexPositionsEXT(query, true, found);  //@ fetch
  corners = found;
}
