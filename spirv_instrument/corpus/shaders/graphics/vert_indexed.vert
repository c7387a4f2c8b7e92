#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// An indexed draw: an index may be past the vertices.
//@ with ones.frag
//@ image target 2d r32ui 1x1
//@ buffer vertices 16 : u32 10 20 30 40
//@ buffer indices 12 : u32 3 1 2
//@ buffer out 16
//@ bind 0.0 storage out
//@ vertices 0 4 vertices
//@ attribute 0 0 r32ui 0
//@ target target
//@ draw 3 indices=indices
//@ expect out 0 : u32 0 20 30 40
//@ fault index-too-large vertex-fetch at fetch
//@   write indices 8 : u32 4
//@   also buffer-bounds at store
layout(location = 0) in uint value;
layout(set = 0, binding = 0) writeonly buffer Out { uint written[]; };

void main() {
  uint fetched = value;  //@ fetch
  written[gl_VertexIndex] = fetched;  //@ store
  gl_Position = vec4(0, 0, 0, 1);
}
