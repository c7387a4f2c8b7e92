#version 460
#extension GL_EXT_nonuniform_qualifier : require
// 8 reads from 64 buffers, of which each invocation has its own.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer Source { uint values[]; } sources[64];
layout(set = 1, binding = 0) buffer Sums { uint sums[]; };
layout(push_constant) uniform Push { uint last; };
uint Hash(uint x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint sum = 0;
  for (uint k = 0; k < 8; ++k) {
    uint h = Hash(i * 8 + k);
    sum += sources[nonuniformEXT(h & 63)].values[(h >> 6) & last];
  }
  sums[i] = sum;
}
