#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Stores in a loop, to every second element, the last of which is past the end.
//@ buffer out 32
//@ bind 0.0 storage out
//@ push u32 4
//@ expect out 0 : u32 1 0 2 0 3 0 4 0
//@ fault store-past-the-end buffer-bounds at store
//@   push u32 5
layout(set = 0, binding = 0) writeonly buffer Out { uint values[]; };
layout(push_constant) uniform Push { uint count; };

void main() {
  for (uint i = 0; i < count; ++i) {
    values[2 * i] = i + 1;  //@ store
  }
}
