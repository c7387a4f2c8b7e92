// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0, rgba8) writeonly uniform image2D target;
void main() { imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(1)); }
