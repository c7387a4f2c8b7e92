// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0) uniform Input { vec4 value; } target;
layout(location = 0) out vec4 color;
void main() { color = target.value; }
