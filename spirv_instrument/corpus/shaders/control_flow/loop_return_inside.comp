#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A return within two loops.
//@ buffer data 64 : u32 9*10 4 9*5
//@ buffer out 8
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 4
//@ expect out 0 : u32 2 2
//@ fault not-found buffer-bounds at read
//@   push u32 5
//@   write data 40 : u32 9
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint row_found; uint column_found; };
layout(push_constant) uniform Push { uint rows; };

void main() {
  for (uint row = 0; row < rows; ++row) {
    for (uint column = 0; column < 4; ++column) {
      if (values[4 * row + column] == 4) {  //@ read
        row_found = row;
        column_found = column;
        return;
      }
    }
  }
}
