#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A whole structure is loaded from a buffer, passed and returned by value, and stored.
//@ buffer data 64 : u32 1..16
//@ buffer out 64
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 32 : u32 109 110 111 0 113 114 115 116
//@ fault past-the-end buffer-bounds at load
//@   push u32 2
//@   also buffer-bounds at store
struct Item { uint a; uint b[2]; uvec2 c; uvec2 d; };
layout(set = 0, binding = 0, std430) readonly buffer Data { Item items[]; } data;
layout(set = 0, binding = 1, std430) writeonly buffer Out { Item items[]; } copies;
layout(push_constant) uniform Push { uint index; };

Item Shift(Item item) {
  item.a += 100;
  item.b[0] += 100;
  item.b[1] += 100;
  item.c += 100;
  item.d += 100;
  return item;
}

void main() {
  Item item = data.items[index];  //@ load
  copies.items[index] = Shift(item);  //@ store
}
