#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A patch of three corners around the target.
//@ part
void main() {
  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
}
