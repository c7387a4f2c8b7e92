// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460

// Reads three buffers of a crowd and writes the fourth.

layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint c[]; };
layout(set = 0, binding = 3) writeonly buffer D { uint d[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  d[i] = a[i] + b[i] + c[i];
}
