#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Null descriptors of images and texel buffers.
//@ image image 2d r32ui 2x2 : u32 1 2 3 4
//@ buffer texels 16 : u32 5 6 7 8
//@ sampler smp
//@ buffer out 12
//@ bind 0.0 image image
//@ bind 0.1 combined image|smp
//@ bind 0.2 uniform_texel texels/r32ui
//@ bind 0.3 storage out
//@ expect out 0 : u32 4 2 8
//@ fault null-storage-image descriptor-null at image
//@   bind 0.0 image null
//@ fault null-texture descriptor-null at texture
//@   bind 0.1 combined null|smp
//@ fault null-texel-buffer descriptor-null at texels
//@   bind 0.2 uniform_texel null
layout(set = 0, binding = 0, r32ui) uniform readonly uimage2D image;
layout(set = 0, binding = 1) uniform usampler2D textured;
layout(set = 0, binding = 2) uniform usamplerBuffer texels;
layout(set = 0, binding = 3) writeonly buffer Out { uint result[3]; };

void main() {
  result[0] = imageLoad(image, ivec2(1, 1)).x;  //@ image
  result[1] = texelFetch(textured, ivec2(1, 0), 0).x;  //@ texture
  result[2] = texelFetch(texels, 3).x;  //@ texels
}
