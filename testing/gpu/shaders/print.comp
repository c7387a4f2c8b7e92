#version 460
#extension GL_EXT_debug_printf : require
// Prints in five lines.
layout(local_size_x = 2) in;
void main() {
  debugPrintfEXT("invocation %u, %v2f", gl_GlobalInvocationID.x, vec2(0.5, 1.5));
}
