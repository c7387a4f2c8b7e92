// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0) buffer Buffers { uint value; } buffers[3];
void main() { buffers[0].value = 1; }
