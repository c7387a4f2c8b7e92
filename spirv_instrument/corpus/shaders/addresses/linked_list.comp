#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A list in memory: the reference changes in the loop, so that each step needs its check.
//@ buffer nodes 48 : u64 &nodes+16 u32 1 0 u64 &nodes+32 u32 2 0 u64 0 u32 3 0
//@ buffer out 4
//@ bind 0.0 storage out
//@ push u64 &nodes
//@ expect out 0 : u32 6
//@ fault bad-link address-range at value
//@   write nodes 32 : u64 0x123450
//@   also address-range at next
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Node {
  Node next;
  uint value;
};
layout(set = 0, binding = 0) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { Node first; };

void main() {
  uint sum = 0;
  for (Node node = first; uint64_t(node) != 0; node = node.next) {  //@ next
    sum += node.value;  //@ value
  }
  result = sum;
}
