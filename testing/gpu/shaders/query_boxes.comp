#version 460
#extension GL_EXT_ray_query : require
// Each invocation sends a ray through the box at its place, and counts the boxes that it meets.
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Hits { uint counts[]; } hits;
void main() {
  const vec3 origin = vec3(2 * float(gl_GlobalInvocationID.x) + 0.5, 0.5, -1);
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsNoneEXT, 0xff, origin, 0, vec3(0, 0, 1), 10);
  uint count = 0;
  while (rayQueryProceedEXT(query)) ++count;
  hits.counts[gl_GlobalInvocationID.x] = count;
}
