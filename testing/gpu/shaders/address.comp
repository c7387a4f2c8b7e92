#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// Writes where an address leads to.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Target { uint value; };
layout(push_constant) uniform Push { uvec2 address; };
void main() {
  Target(address).value = 7;
}
