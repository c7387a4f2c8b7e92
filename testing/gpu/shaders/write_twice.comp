#version 460
layout(set = 0, binding = 0) uniform Where { uint index; } where;
layout(set = 0, binding = 1) buffer Data { uint values[]; } data;

void main() {
  data.values[where.index] = 7;
  if (gl_GlobalInvocationID.x == 1) return;
  data.values[where.index + 8] = 8;
}
