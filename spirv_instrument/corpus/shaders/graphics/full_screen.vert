#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A triangle that covers the target, without vertex buffers, with the place in the target as a varying.
//@ part
layout(location = 0) out vec2 place;

void main() {
  vec2 corner = vec2(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1);
  place = corner * 0.5 + 0.5;
  gl_Position = vec4(corner, 0, 1);
}
