// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) buffer Result { vec4 result; };
void main() { result = textureLod(source, vec2(0.5), 0.0); }
