#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Two loops over the same range. The second one needs no checks of its own.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer out 8
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 4
//@ expect out 0 : u32 10 24
//@ fault past-the-end buffer-bounds at read
//@   push u32 5
//@   also buffer-bounds at again
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint sum; uint product; };
layout(push_constant) uniform Push { uint count; };

void main() {
  uint total = 0;
  for (uint i = 0; i < count; ++i) {
    total += values[i];  //@ read
  }
  uint all = 1;
  for (uint i = 0; i < count; ++i) {
    all *= values[i];  //@ again
  }
  sum = total;
  product = all;
}
