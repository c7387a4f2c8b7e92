// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0) buffer Counts { uint counts[]; };
layout(location = 0) out vec4 color;
void main() {
  atomicAdd(counts[uint(gl_FragCoord.x)], 1);
  color = vec4(1);
}
