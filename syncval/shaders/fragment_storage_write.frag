// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0) buffer Target { uint values[]; } target;
layout(location = 0) out vec4 color;
void main() {
  target.values[uint(gl_FragCoord.x)] = 1;
  color = vec4(1);
}
