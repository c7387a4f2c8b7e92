// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies the instances of a top-level structure. References that are not the address of an acceleration structure
// become 0. Each invocation copies a quad, of which an instance has four; the reference is the last two words.

#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

#include "gpuav/builds/layout.h"

layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quads { uvec4 quads[]; };
// Ranges of indirect builds are aligned to four bytes.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };

// Where they are pushed depends on the device: replacement_pipeline.cc changes the offset.
layout(push_constant, std430) uniform Pushed { layout(offset = kPushedOffset) uvec2 parameters; };

uvec2 AddBytes(const uvec2 address, const uint bytes) {
  uint carry;
  const uint low = uaddCarry(address.x, bytes, carry);
  return uvec2(low, address.y + carry);
}

bool BucketHas(Quads buckets, const uint bucket, const uvec2 reference) {
  bool has = false;
  for (uint i = 0u; i < kQuadsOfBucket; ++i) {
    const uvec4 quad = buckets.quads[bucket * kQuadsOfBucket + i];
    has = has || quad.xy == reference || quad.zw == reference;
  }
  return has;
}

bool IsLive(const uvec2 reference, const uvec2 table) {
  Quads header = Quads(table);
  const uvec4 words = header.quads[0];
  if (words[kUnknownWord] != 0u) return true;
  const uvec4 current = header.quads[kFirstBucketsQuad + words[kCurrentBucketsWord]];
  Quads buckets = Quads(current.xy);
  const uint mask = current[kBucketMaskWord];
  uint first = (reference.x ^ (reference.y * kHighHash)) * kFirstHash;
  first ^= first >> 16;
  uint second = first * kSecondHash;
  second ^= second >> 16;
  return BucketHas(buckets, first & mask, reference) || BucketHas(buckets, second & mask, reference);
}

void main() {
  Quads all = Quads(parameters);
  const uvec4 places = all.quads[0];
  const uvec4 ranges = all.quads[1];
  const uvec4 sizes = all.quads[2];
  const uint index = gl_GlobalInvocationID.x / kQuadsOfInstance;
  const uint part = gl_GlobalInvocationID.x % kQuadsOfInstance;
  uint count = sizes[kMostWord % 4u];
  uint offset = 0u;
  if (ranges.xy != uvec2(0u)) {
    Words range = Words(ranges.xy);
    count = min(count, range.words[0]);
    offset = range.words[1] & ~15u;
    if (gl_GlobalInvocationID.x == 0u) {
      Words target = Words(ranges.zw);
      target.words[0] = count;
      target.words[1] = 0u;
      target.words[2] = range.words[2];
      target.words[3] = range.words[3];
    }
  }
  if (index >= count) return;
  uvec4 quad = uvec4(0u);
  const uint room = sizes[kRoomWord % 4u];
  if (offset <= room && (room - offset) / (kQuadsOfInstance * 16u) > index) {
    quad = Quads(AddBytes(places.xy, offset)).quads[gl_GlobalInvocationID.x];
    const bool has_reference = part == kQuadsOfInstance - 1u && quad.zw != uvec2(0u);
    if (has_reference && !IsLive(quad.zw, sizes.zw)) quad.zw = uvec2(0u);
  }
  Quads(places.zw).quads[gl_GlobalInvocationID.x] = quad;
}
