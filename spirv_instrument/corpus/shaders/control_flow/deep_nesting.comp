#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Conditions in conditions, with accesses at each depth.
//@ buffer data 32 : u32 1 1 1 1 5 0 0 0
//@ buffer out 4
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 0
//@ expect out 0 : u32 5
//@ fault innermost buffer-bounds at innermost
//@   push u32 4
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint more; };

void main() {
  uint value = 0;
  if (values[0] != 0) {
    if (values[1] != 0) {
      if (values[2] != 0) {
        if (values[3] != 0) {
          value = values[4 + more];  //@ innermost
        } else {
          value = 1;
        }
      }
    } else if (values[5] != 0) {
      value = 2;
    }
  }
  result = value;
}
