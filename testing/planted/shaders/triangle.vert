// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
// One triangle over everything.
void main() { gl_Position = vec4((gl_VertexIndex & 1) * 4 - 1, (gl_VertexIndex & 2) * 2 - 1, 0.5, 1); }
