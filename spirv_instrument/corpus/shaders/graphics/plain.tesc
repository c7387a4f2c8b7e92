#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Tessellates into one triangle.
//@ part
layout(vertices = 3) out;

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter[0] = 1;
  gl_TessLevelOuter[1] = 1;
  gl_TessLevelOuter[2] = 1;
  gl_TessLevelInner[0] = 1;
}
