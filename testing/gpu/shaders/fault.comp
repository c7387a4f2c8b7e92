#version 460
// Each invocation writes eight elements behind the end of a storage buffer, if the uniform buffer says an index there.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) uniform Where { uint index; } where;
layout(set = 0, binding = 1) buffer Data { uint values[]; } data;
void main() {
  for (uint i = 0; i < 8; ++i) data.values[where.index + 8 * gl_GlobalInvocationID.x + i] = i;
}
