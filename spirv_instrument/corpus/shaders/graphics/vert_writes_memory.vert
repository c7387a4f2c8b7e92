#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// A vertex shader that writes what it computes to a buffer, by the instance's number.
//@ with ones.frag
//@ image target 2d r32ui 1x1
//@ buffer out 48
//@ bind 0.0 storage out
//@ target target
//@ draw 3 instances=4
//@ expect out 0 : u32 0 1 2 10 11 12 20 21 22 30 31 32
//@ fault too-many-instances buffer-bounds at store
//@   draw 3 instances=5
layout(set = 0, binding = 0) writeonly buffer Out { uint written[]; };

void main() {
  written[3 * gl_InstanceIndex + gl_VertexIndex] = 10 * gl_InstanceIndex + gl_VertexIndex;  //@ store
  gl_Position = vec4(0, 0, 0, 1);
}
