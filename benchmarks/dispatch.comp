// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460

// Reads four buffers and writes none, so that dispatches need no barrier between them.

layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint c[]; };
layout(set = 0, binding = 3) readonly buffer D { uint d[]; };

shared uint sink;

void main() {
  uint i = gl_GlobalInvocationID.x;
  sink = a[i] + b[i] + c[i] + d[i];
}
