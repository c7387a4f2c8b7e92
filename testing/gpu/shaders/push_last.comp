#version 460
// The same with the last push constants of a device that has 256 bytes.
layout(set = 0, binding = 1) buffer Data { uint values[]; } data;
layout(push_constant) uniform Push { layout(offset = 248) uint index; uint value; };
void main() {
  data.values[index] = value;
}
