#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Reads what the target held before, as an input attachment.
//@ with full_screen.vert
//@ image target 2d r32ui 2x2 : u32 1 2 3 4
//@ bind 0.0 input target
//@ target target
//@ draw 3
//@ expect target 0 : u32 101 102 103 104
//@ fault unwritten descriptor-unwritten at read
//@   bind 0.0 input none
layout(input_attachment_index = 0, set = 0, binding = 0) uniform usubpassInput previous;
layout(location = 0) in vec2 place;
layout(location = 0) out uint color;

void main() { color = subpassLoad(previous).x + 100; }  //@ read
