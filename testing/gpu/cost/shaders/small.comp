#version 460
// A group that does next to nothing.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Values { uint values[]; };
void main() { values[gl_LocalInvocationIndex] = gl_LocalInvocationIndex; }
