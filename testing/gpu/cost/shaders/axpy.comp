#version 460
// y = a * x + y: bound by memory.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) uniform Factor { float a; };
layout(set = 0, binding = 1) readonly buffer X { float x[]; };
layout(set = 0, binding = 2) buffer Y { float y[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  y[i] = a * x[i] + y[i];
}
