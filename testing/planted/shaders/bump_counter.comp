// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0) buffer Counter { uint count; };
void main() { atomicAdd(count, 1); }
