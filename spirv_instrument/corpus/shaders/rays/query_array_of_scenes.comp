#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// An array of acceleration structures with a dynamic index.
//@ scene near triangles : f32 -9 -9 3  9 -9 3  0 9 3
//@ scene far triangles : f32 -9 -9 7  9 -9 7  0 9 7
//@ buffer out 4
//@ bind 0.0 scene[2] near far
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 0 : f32 7
//@ fault past-the-array descriptor-index at initialize
//@   push u32 2
//@ fault unwritten descriptor-unwritten at initialize
//@   bind 0.0 scene[2] near
#extension GL_EXT_ray_query : require
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scenes[2];
layout(set = 0, binding = 1) writeonly buffer Out { float result; };
layout(push_constant) uniform Push { uint which; };

void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scenes[which], 0, 0xff, vec3(0), 0.0, vec3(0, 0, 1), 100.0);  //@ initialize
  while (rayQueryProceedEXT(query)) {
    rayQueryConfirmIntersectionEXT(query);
  }
  result = rayQueryGetIntersectionTEXT(query, true);
}
