#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Descriptors that are of one type or another: storage buffers, uniform buffers and images in one array.
//@ buffer a 16 : u32 11 0 0 0
//@ buffer b 16 : u32 22 0 0 0
//@ image c 2d r32ui 1x1 : u32 33
//@ buffer out 12
//@ bind 0.0 mutable(storage,uniform,image)[4] storage=a uniform=b image=c storage=a
//@ bind 1.0 storage out
//@ push u32 0 1 2
//@ expect out 0 : u32 11 22 33
//@ fault past-the-array descriptor-index at storage
//@   push u32 4 1 2
//@ fault unwritten descriptor-unwritten at image
//@   bind 0.0 mutable(storage,uniform,image)[4] storage=a uniform=b
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) readonly buffer A { uint value; } storages[];
layout(set = 0, binding = 0) uniform B { uint value; } uniforms[];
layout(set = 0, binding = 0, r32ui) uniform readonly uimage2D images[];
layout(set = 1, binding = 0) writeonly buffer Out { uint result[3]; };
layout(push_constant) uniform Push { uint a; uint b; uint c; };

void main() {
  result[0] = storages[a].value;  //@ storage
  result[1] = uniforms[b].value;  //@ uniform
  result[2] = imageLoad(images[c], ivec2(0)).x;  //@ image
}
