#version 460
// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0
// Specialization constants of each type, and operations on them.
//@ buffer out 48
//@ bind 0.0 storage out
//@ spec 0 u32 1
//@ spec 1 i32 -7
//@ spec 2 u32 9
//@ spec 3 f32 2.5
//@ spec 4 f64 0.125
//@ spec 5 u64 4294967296
//@ expect out 0 : f64 0.125 u64 4294967296 u32 1 i32 -7 u32 9 f32 2.5 u32 10
//@ fault constant-index buffer-bounds at store
//@   spec 2 u32 13
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(constant_id = 0) const bool kFlag = false;
layout(constant_id = 1) const int kSigned = 0;
layout(constant_id = 2) const uint kUnsigned = 9;
layout(constant_id = 3) const float kFloat = 0;
layout(constant_id = 4) const double kDouble = 0;
layout(constant_id = 5) const uint64_t kLong = 0;
const uint kSum = kUnsigned + 1;
layout(set = 0, binding = 0, std430) buffer Out { double d; uint64_t l; uint b; int i; uint u; float f; uint sum[]; };

void main() {
  d = kDouble;
  l = kLong;
  b = kFlag ? 1 : 0;
  i = kSigned;
  u = kUnsigned;
  f = kFloat;
  sum[kUnsigned - 9] = kSum;  //@ store
}
