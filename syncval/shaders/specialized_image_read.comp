// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(constant_id = 0) const int kElement = 1;
layout(set = 0, binding = 0, rgba8) readonly uniform image2D targets[2];
layout(set = 0, binding = 1) buffer Output { uint value; } result;
void main() { result.value = uint(imageLoad(targets[kElement], ivec2(0)).x); }
