#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Sampling with derivatives, from an array of textures with a dynamic index: levels of detail must stay the same.
//@ with full_screen.vert
//@ image target 2d r32f 4x4
//@ image mips 2d r32f 8x8 levels=4 : f32 1*64 2*16 3*4 4
//@ sampler smp
//@ bind 0.0 combined[2] mips|smp mips|smp
//@ target target
//@ push u32 1
//@ draw 3
//@ expect target 0 : f32 2*16
//@ fault past-the-array descriptor-index at sample
//@   push u32 2
layout(set = 0, binding = 0) uniform sampler2D textures[2];
layout(push_constant) uniform Push { uint which; };
layout(location = 0) in vec2 place;
layout(location = 0) out float color;

void main() { color = texture(textures[which], place).x; }  //@ sample
