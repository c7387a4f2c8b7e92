#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A structure with an array and a matrix, loaded and stored whole through references.
//@ buffer data 64 : f32 1..16
//@ buffer copy 64
//@ push u64 &data u64 &copy
//@ expect copy 0 : f32 1..16
//@ fault load-across-the-end address-range at copy
//@   push u64 &data+16 u64 &copy
//@ fault store-across-the-end address-range at copy
//@   push u64 &data u64 &copy+16
#extension GL_EXT_buffer_reference : require
struct Item { float first[4]; mat2 matrix; vec4 last[2]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Items { Item item; };
layout(push_constant) uniform Push { Items from; Items to; };

void main() { to.item = from.item; }  //@ copy
