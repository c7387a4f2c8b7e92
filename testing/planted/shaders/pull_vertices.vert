// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0) readonly buffer Vertices { vec4 positions[]; };
void main() { gl_Position = positions[gl_VertexIndex]; }
