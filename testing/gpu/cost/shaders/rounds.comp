#version 460
// 64 rounds of two multiplications and additions, with coefficients of a uniform array.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) uniform Coefficients { vec4 coefficients[64]; };
layout(set = 0, binding = 1) buffer Values { float values[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float value = values[i];
  for (uint round = 0; round < 64; ++round) {
    vec4 k = coefficients[round];
    value = fma(value, k.x, k.y);
    value = fma(value, k.z, k.w);
  }
  values[i] = value;
}
