// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0) readonly buffer Slice { uint values[]; };
layout(set = 0, binding = 1) buffer Result { uint result; };
void main() { result = values[0]; }
