#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Atomics in a loop, of which the index is the loop's.
//@ buffer counters 16
//@ bind 0.0 storage counters
//@ push u32 4
//@ dispatch 2
//@ expect counters 0 : u32 8 8 8 8
//@ fault past-the-end buffer-bounds at count
//@   push u32 5
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Counters { uint counters[]; };
layout(push_constant) uniform Push { uint number; };

void main() {
  for (uint i = 0; i < number; ++i) {
    atomicAdd(counters[i], 1);  //@ count
  }
}
