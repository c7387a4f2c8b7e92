// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#version 460

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Values { uint values[]; };

void main() { values[gl_GlobalInvocationID.x] += 1; }
