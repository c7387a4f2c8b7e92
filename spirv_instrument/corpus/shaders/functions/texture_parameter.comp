#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Textures of an array go through two functions as parameters before they are fetched from.
//@ image a 2d r32ui 2x2 : u32 1 2 3 4
//@ image b 2d r32ui 2x2 : u32 5 6 7 8
//@ sampler smp
//@ buffer out 4
//@ bind 0.0 combined[2] a|smp b|smp
//@ bind 0.1 storage out
//@ push u32 1
//@ expect out 0 : u32 8
//@ fault past-the-array descriptor-index at fetch
//@   push u32 2
//@ fault unwritten descriptor-unwritten at fetch
//@   bind 0.0 combined[2] a|smp
layout(set = 0, binding = 0) uniform usampler2D textures[2];
layout(set = 0, binding = 1) writeonly buffer Out { uint result; };
layout(push_constant) uniform Push { uint which; };

uint Fetch(usampler2D source, ivec2 place) { return texelFetch(source, place, 0).x; }  //@ fetch
uint Corner(usampler2D source) { return Fetch(source, ivec2(1, 1)); }

void main() { result = Corner(textures[which]); }
