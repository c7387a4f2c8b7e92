// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460

layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Particles { uint particles[]; };

void main() { particles[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3 + 1; }
