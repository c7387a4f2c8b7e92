// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0, r32ui) writeonly uniform uimageBuffer target;
void main() { imageStore(target, 0, uvec4(1)); }
