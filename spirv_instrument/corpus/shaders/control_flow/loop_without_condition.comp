#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A loop that only a break ends.
//@ buffer data 16 : u32 5 6 7 0
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ expect out 0 : u32 18
//@ fault no-zero buffer-bounds at read
//@   write data 12 : u32 8
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };

void main() {
  uint sum = 0;
  for (uint i = 0;; ++i) {
    uint value = values[i];  //@ read
    if (value == 0) break;
    sum += value;
  }
  result = sum;
}
