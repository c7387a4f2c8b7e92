// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0, rgba8) readonly uniform image2D target;
layout(set = 0, binding = 1) buffer Output { uint value; } result;
void main() { result.value = uint(imageLoad(target, ivec2(0)).x); }
