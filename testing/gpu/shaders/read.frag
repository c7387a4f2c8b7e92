#version 460
// Reads an element of a storage buffer for each fragment.
layout(set = 0, binding = 0) uniform Where { uint index; } where;
layout(set = 0, binding = 1) buffer Data { uint values[]; } data;
layout(location = 0) out vec4 color;
void main() {
  color = vec4(data.values[where.index]);
}
