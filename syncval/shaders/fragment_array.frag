// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0) uniform Target { vec4 value; } targets[3];
layout(location = 0) out vec4 color;
void main() { color = targets[2].value; }
