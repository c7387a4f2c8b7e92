#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A switch in a loop: `break` leaves the switch, `continue` the iteration.
//@ buffer data 32 : u32 0 1 2 1 0 2 1 3
//@ buffer out 12
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 8
//@ expect out 0 : u32 2 3 3
//@ fault past-the-end buffer-bounds at read
//@   push u32 9
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint zeros; uint ones; uint rest; };
layout(push_constant) uniform Push { uint count; };

void main() {
  uint others = 0;
  uint found_zeros = 0;
  uint found_ones = 0;
  for (uint i = 0; i < count; ++i) {
    switch (values[i]) {  //@ read
      case 0: ++found_zeros; continue;
      case 1: ++found_ones; continue;
      default: break;
    }
    ++others;
  }
  zeros = found_zeros;
  ones = found_ones;
  rest = others;
}
