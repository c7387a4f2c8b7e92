#version 460
// A vertex that is an attribute.
layout(location = 0) in vec4 position;
void main() {
  gl_Position = position;
}
