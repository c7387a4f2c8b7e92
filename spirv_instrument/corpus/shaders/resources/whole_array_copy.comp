#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A whole array and a structure are copied between buffers of different layouts.
//@ buffer data 64 : u32 1 0 0 0 2 0 0 0 3 0 0 0 4 0 0 0
//@ buffer out 16
//@ bind 0.0 uniform data
//@ bind 0.1 storage out
//@ expect out 0 : u32 1 2 3 4
//@ fault source-too-short buffer-bounds at copy
//@   bind 0.0 uniform data+0:48
//@ fault target-too-short buffer-bounds at copy
//@   bind 0.1 storage out+0:12
layout(set = 0, binding = 0, std140) uniform Data { uint values[4]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint copies[4]; };

void main() { copies = values; }  //@ copy
