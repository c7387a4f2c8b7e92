#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Boxes: the shader itself decides where they are hit, and confirms or does not.
//@ scene boxes boxes : f32 0 0 4 1 1 6   0 0 8 1 1 9
//@ buffer out 8
//@ bind 0.0 scene boxes
//@ bind 0.1 storage out
//@ push f32 1
//@ expect out 0 : u32 1 f32 8.5
//@ fault generated-past-the-end ray-time at generate
//@   push f32 -20
//@   also ray-query at primitive
#extension GL_EXT_ray_query : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) writeonly buffer Out { uint primitive; float distance; };
layout(push_constant) uniform Push { float factor; };

void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, 0, 0xff, vec3(0.5, 0.5, 0), 0.0, vec3(0, 0, 1), 100.0);
  while (rayQueryProceedEXT(query)) {
    if (rayQueryGetIntersectionTypeEXT(query, false) != gl_RayQueryCandidateIntersectionAABBEXT) continue;
    if (rayQueryGetIntersectionPrimitiveIndexEXT(query, false) == 1) {
      rayQueryGenerateIntersectionEXT(query, 8.5 * factor);  //@ generate
    }
  }
  primitive = uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, true));  //@ primitive
  distance = rayQueryGetIntersectionTEXT(query, true);
}
