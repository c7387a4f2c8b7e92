// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0) buffer Target { uint count; } target;
void main() { atomicAdd(target.count, 1); }
