// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_EXT_buffer_reference : require
layout(buffer_reference) buffer Target { uint value; };
layout(push_constant) uniform Constants { Target target; };
void main() { target.value += 1; }
