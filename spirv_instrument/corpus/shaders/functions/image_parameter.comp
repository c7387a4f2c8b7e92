#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A storage image as a parameter.
//@ image a 2d r32ui 2x2 : u32 1 2 3 4
//@ image b 2d r32ui 2x2
//@ bind 0.0 image[2] a b
//@ push u32 1
//@ expect b 0 : u32 0 9
//@ fault past-the-array descriptor-index at store
//@   push u32 2
layout(set = 0, binding = 0) uniform writeonly uimage2D images[2];
layout(push_constant) uniform Push { uint which; };

void Store(writeonly uimage2D target, uint value) { imageStore(target, ivec2(1, 0), uvec4(value)); }  //@ store

void main() { Store(images[which], 9); }
