#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Specialization constants: the size of the workgroup, the length of an array, an index, a branch.
//@ buffer data 32 : u32 1..8
//@ buffer out 16
//@ bind 0.0 storage data
//@ bind 0.1 storage out
//@ spec 0 u32 4
//@ spec 1 u32 2
//@ spec 2 u32 1
//@ expect out 0 : u32 3 4 5 6
//@ input without-shift
//@   spec 2 u32 0
//@   expect out 0 : u32 1 2 3 4
//@ fault index-past-the-end buffer-bounds at read
//@   spec 1 u32 5
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint kCount = 1;
layout(constant_id = 1) const uint kShift = 0;
layout(constant_id = 2) const bool kIsShifted = false;
layout(set = 0, binding = 0) readonly buffer Data { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
shared uint kept[kCount];

void main() {
  uint i = gl_LocalInvocationIndex;
  uint index = i + (kIsShifted ? kShift : 0);
  kept[i] = values[index];  //@ read
  barrier();
  result[i] = kept[i];
}
