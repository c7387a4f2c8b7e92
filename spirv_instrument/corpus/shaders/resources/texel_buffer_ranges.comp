#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Texel buffers that are views of a part of a buffer, of a format with several components.
//@ buffer data 512 : u32 0*64 u8 1 2 3 4 5 6 7 8
//@ buffer out 16
//@ bind 0.0 uniform_texel data+256:8/rgba8ui
//@ bind 0.1 storage_texel out+0:16/rg32ui
//@ push i32 1
//@ expect out 8 : u32 5 8
//@ fault fetch-past-the-end buffer-bounds at fetch
//@   push i32 2
//@   also buffer-bounds at store
//@ fault negative buffer-bounds at fetch
//@   push i32 -1
//@   also buffer-bounds at store
layout(set = 0, binding = 0) uniform usamplerBuffer data;
layout(set = 0, binding = 1, rg32ui) uniform writeonly uimageBuffer copies;
layout(push_constant) uniform Push { int index; };

void main() {
  uvec4 texel = texelFetch(data, index);  //@ fetch
  imageStore(copies, index, texel.xwzz);  //@ store
}
