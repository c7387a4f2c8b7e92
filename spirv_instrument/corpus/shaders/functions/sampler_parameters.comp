#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A texture and a sampler as separate parameters, combined in the function.
//@ image a 2d r32f 2x2 : f32 1 2 3 4
//@ sampler smp
//@ buffer out 4
//@ bind 0.0 sampled[2] a a
//@ bind 0.1 sampler[2] smp smp
//@ bind 0.2 storage out
//@ push u32 1
//@ expect out 0 : f32 4
//@ fault past-the-array descriptor-index at sample
//@   push u32 2
//@   also descriptor-index at sample
layout(set = 0, binding = 0) uniform texture2D textures[2];
layout(set = 0, binding = 1) uniform sampler samplers[2];
layout(set = 0, binding = 2) writeonly buffer Out { float result; };
layout(push_constant) uniform Push { uint which; };

float Sample(texture2D source, sampler how) {
  return textureLod(sampler2D(source, how), vec2(0.75), 0).x;  //@ sample
}

void main() { result = Sample(textures[which], samplers[which]); }
