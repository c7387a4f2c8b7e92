#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Descriptors whose resources were destroyed after they were written.
//@ buffer data 16 : u32 1 2 3 4
//@ buffer other 16 : u32 5 6 7 8
//@ image image 2d r32ui 2x1 : u32 9 10
//@ image lost 2d r32ui 2x1 : u32 0 0
//@ buffer out 8
//@ bind 0.0 storage[2] data other
//@ bind 0.1 image[2] image image
//@ bind 0.2 storage out
//@ push u32 1
//@ expect out 0 : u32 6 10
//@ fault destroyed-buffer descriptor-destroyed at buffer
//@   bind 0.0 storage[2] data gone(other)
//@ fault destroyed-image descriptor-destroyed at image
//@   bind 0.1 image[2] image gone(lost)
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; } data[2];
layout(set = 0, binding = 1, r32ui) uniform readonly uimage2D images[2];
layout(set = 0, binding = 2) writeonly buffer Out { uint result[2]; };
layout(push_constant) uniform Push { uint which; };

void main() {
  result[0] = data[which].values[1];  //@ buffer
  result[1] = imageLoad(images[which], ivec2(1, 0)).x;  //@ image
}
