// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460

// A vertex of a crowd's draw: from a vertex buffer, push constants and a storage buffer.

layout(push_constant) uniform Constants { vec4 offset; };
layout(set = 0, binding = 0) readonly buffer A { vec4 a[]; };

layout(location = 0) in vec4 position;

void main() { gl_Position = position + offset + a[gl_InstanceIndex]; }
