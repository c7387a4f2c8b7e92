#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Null descriptors: with the feature, reads of them give zero.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 4
//@ bind 0.0 storage[2] data data
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 0 : u32 2
//@ input null-buffer
//@   bind 0.0 storage[2] data null
//@   expect out 0 : u32 0
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; } data[2];
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint which; };

void main() { result = data[which].values[1]; }
