#version 460
// A triangle that covers everything, and reads an element of a storage buffer for each vertex.
layout(set = 1, binding = 0) buffer Data { uint values[]; } data;
void main() {
  uint nothing = data.values[gl_VertexIndex] & 0u;
  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, nothing, 1);
}
