// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 color;
void main() { color = textureLod(source, gl_FragCoord.xy / 64.0, 0.0); }
