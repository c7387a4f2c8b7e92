// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0) buffer Target { uint value; } targets[2];
layout(push_constant) uniform Constants { uint index; };
void main() { targets[index].value = 1; }
