#version 460
// Writes a value at an index; both are push constants.
layout(set = 0, binding = 1) buffer Data { uint values[]; } data;
layout(push_constant) uniform Push { uint index; uint value; };
void main() {
  data.values[index] = value;
}
