// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses one of its images, or none.

#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Where {
  uint access;
  uint index;
} where;
layout(set = 0, binding = 1) buffer Data { vec4 value; } data;
layout(set = 0, binding = 2) uniform sampler2D combined;
layout(set = 0, binding = 3) uniform texture2D sampled[4];
layout(set = 0, binding = 4, rgba8) uniform image2D storage;

void main() {
  if (where.access == 1) {
    data.value = texelFetch(combined, ivec2(0), 0);
  } else if (where.access == 2) {
    data.value = texelFetch(sampled[where.index], ivec2(0), 0);
  } else if (where.access == 3) {
    imageStore(storage, ivec2(0), vec4(1.0));
  } else if (where.access == 4) {
    data.value = vec4(textureSize(sampled[where.index], 0), 0.0, 0.0);
  }
}
