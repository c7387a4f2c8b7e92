// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460

// A fragment of a crowd's draw.

layout(set = 0, binding = 1) readonly buffer B { vec4 b[]; };

layout(location = 0) out vec4 color;

void main() { color = b[0]; }
