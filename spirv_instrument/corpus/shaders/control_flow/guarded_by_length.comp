#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Asks for the length of a runtime array first, as careful shaders do. It has no fault, however large the index.
//@ buffer data 20 : u32 1 2 3 4 5
//@ buffer out 8
//@ bind 0.0 storage data+0:16
//@ bind 0.1 storage out
//@ push u32 3
//@ expect out 0 : u32 4 4
//@ input past-the-range
//@   push u32 4
//@   expect out 0 : u32 4 999
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint length; uint result; };
layout(push_constant) uniform Push { uint index; };

void main() {
  length = values.length();
  result = index < values.length() ? values[index] : 999;
}
