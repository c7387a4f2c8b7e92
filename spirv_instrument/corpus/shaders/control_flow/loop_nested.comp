#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Nested loops with break and continue. The inner index depends on both.
//@ buffer data 64 : u32 1..16
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 4 4
//@ expect out 0 : u32 70
//@ fault one-row-too-many buffer-bounds at read
//@   push u32 5 4
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint rows; uint columns; };

void main() {
  uint sum = 0;
  for (uint row = 0; row < rows; ++row) {
    for (uint column = 0; column < columns; ++column) {
      if (column == 1) continue;
      if (column > row) break;
      sum += values[4 * row + column];  //@ read
    }
  }
  result = sum;
}
