// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0, rgba8) writeonly uniform image2D targets[2];
void main() { imageStore(targets[0], ivec2(0), vec4(1)); }
