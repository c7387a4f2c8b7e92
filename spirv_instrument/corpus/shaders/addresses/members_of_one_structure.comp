#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Several members behind one address: one check of their span. Only the last one is past the end.
//@ buffer data 32 : u32 1 2 3 4 5 6 7 8
//@ buffer out 4
//@ bind 0.0 storage out
//@ push u64 &data
//@ expect out 0 : u32 18
//@ fault last-member address-range at last
//@   push u64 &data+8
//@ fault all-members address-range at first
//@   push u64 &data+32
//@   also address-range at middle
//@   also address-range at last
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Item {
  uint first;
  uint skipped[4];
  uint middle;
  uint between;
  uint last;
};
layout(set = 0, binding = 0) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { Item item; };

void main() {
  uint sum = item.first;  //@ first
  sum += item.middle;  //@ middle
  sum += item.last;  //@ last
  result = sum + 3;
}
