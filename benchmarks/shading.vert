// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The vertices of shading.frag.
#version 460

layout(set = 0, binding = 0) uniform Frame { mat4 view; } frame;
layout(push_constant) uniform Object { layout(offset = 32) mat4 model; } object;

layout(location = 0) in vec4 vertex;
layout(location = 0) out vec3 position;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec4 tangent;
layout(location = 3) out vec2 coordinate;

void main() {
  vec4 at = object.model * vec4(vertex.xyz, 1.0);
  position = at.xyz;
  normal = mat3(object.model) * vec3(0.0, 1.0, 0.0);
  tangent = vec4(mat3(object.model) * vec3(1.0, 0.0, 0.0), 1.0);
  coordinate = vec2(vertex.w, fract(vertex.x));
  gl_Position = frame.view * at;
}
