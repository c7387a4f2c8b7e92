#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Places vertices where they are on the patch.
//@ part
layout(triangles) in;

void main() {
  gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                gl_TessCoord.z * gl_in[2].gl_Position;
}
