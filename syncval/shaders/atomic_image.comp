// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0, r32ui) uniform uimage2D target;
void main() { imageAtomicAdd(target, ivec2(0), 1); }
