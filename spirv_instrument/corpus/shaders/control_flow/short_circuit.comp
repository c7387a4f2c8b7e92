#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// && and || decide whether their second operand is read at all.
//@ buffer data 16 : u32 1 0 3 0
//@ buffer out 8
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 2 100
//@ expect out 0 : u32 0 1
//@ fault second-operand buffer-bounds at and
//@   push u32 2 100
//@   write data 4 : u32 1
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint both; uint either; };
layout(push_constant) uniform Push { uint index; uint bad; };

void main() {
  bool first = values[1] != 0 && values[bad] != 0;  //@ and
  bool second = values[index] != 0 || values[bad] != 0;  //@ or
  both = first ? 1 : 0;
  either = second ? 1 : 0;
}
