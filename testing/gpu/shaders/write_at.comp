#version 460
// Writes an element of a storage buffer, at an index that comes from a uniform buffer.
layout(set = 0, binding = 0) uniform Where { uint index; } where;
layout(set = 0, binding = 1) buffer Data { uint values[]; } data;
void main() {
  data.values[where.index + gl_GlobalInvocationID.x] = 7;
}
