#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Sizes, levels and samples of images: queries use descriptors, too.
//@ image flat 2d r32ui 8x4 levels=3
//@ image layers 2d_array r32ui 4x4 layers=5
//@ image samples 2d r32ui 4x4 samples=4 : u32 0
//@ image volume 3d r32ui 2x3x4
//@ sampler smp
//@ buffer texels 64
//@ buffer out 44
//@ bind 0.0 combined[2] flat|smp flat|smp
//@ bind 0.1 sampled layers
//@ bind 0.2 image samples
//@ bind 0.3 image volume
//@ bind 0.4 storage_texel texels/r32ui
//@ bind 0.5 storage out
//@ push u32 1
//@ expect out 0 : u32 4 2 3 4 4 5 4 2 3 4 16
//@ fault past-the-array descriptor-index at size
//@   push u32 2
//@   dominated descriptor-index at levels
//@ fault unwritten descriptor-unwritten at layers
//@   bind 0.1 sampled none
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform usampler2D flats[2];
layout(set = 0, binding = 1) uniform utexture2DArray layers;
layout(set = 0, binding = 2, r32ui) uniform readonly uimage2DMS samples;
layout(set = 0, binding = 3, r32ui) uniform readonly uimage3D volume;
layout(set = 0, binding = 4, r32ui) uniform readonly uimageBuffer texels;
layout(set = 0, binding = 5) writeonly buffer Out { int result[11]; };
layout(push_constant) uniform Push { uint which; };

void main() {
  ivec2 size = textureSize(flats[which], 1);  //@ size
  result[0] = size.x;
  result[1] = size.y;
  result[2] = textureQueryLevels(flats[which]);  //@ levels
  ivec3 layered = textureSize(layers, 0);  //@ layers
  result[3] = layered.x;
  result[4] = layered.y;
  result[5] = layered.z;
  result[6] = imageSamples(samples);
  ivec3 three = imageSize(volume);
  result[7] = three.x;
  result[8] = three.y;
  result[9] = three.z;
  result[10] = imageSize(texels);
}
