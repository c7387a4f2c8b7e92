#version 460
// A color of a uniform buffer.
layout(set = 0, binding = 0) uniform Color { vec4 tint; };
layout(location = 0) out vec4 color;
void main() { color = tint; }
