// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Coordinates of texels: x, y, and z, which is depth or layer. A coordinate, level or sample that the image does not
// have is 0. `z_is_depth` is 1 or 0. `accepted` has kDescriptorIsNull where null descriptors are accepted.

// Width, height, and depth or layers of a level, each at least 1.
uvec3 ExtentOfLevel(const uvec3 extent, const uint level, const uint z_is_depth) {
  const uint shift = min(level, 31u);
  return max(uvec3(extent.x >> shift, extent.y >> shift, z_is_depth != 0u ? extent.z >> shift : extent.z), uvec3(1u));
}

bool TexelIsInside(const uint x, const uint y, const uint z, const uvec3 extent) {
  return x < extent.x && y < extent.y && z < extent.z;
}

uvec3 ExtentOfDescriptor(const uvec4 quad) {
  return uvec3(quad[kDescriptorExtentWord] & 0xffffu, quad[kDescriptorExtentWord] >> 16u,
               quad[kDescriptorLevelsWord] & 0xffffu);
}

// 0 for a descriptor that must not be accessed.
uint LevelsOfDescriptor(const uvec4 quad) {
  return (quad[kDescriptorLevelsWord] >> kLevelsShift) & ((1u << (kSamplesShift - kLevelsShift)) - 1u);
}

uint SamplesOfDescriptor(const uvec4 quad) { return max(quad[kDescriptorLevelsWord] >> kSamplesShift, 1u); }

bool ImageHolds(const uint set, const uint binding, const uint index, const uint x, const uint y, const uint z,
                const uint level, const uint sample_index, const uint z_is_depth, const uint accepted) {
  const uvec4 quad = DescriptorQuad(set, binding, index);
  const bool is_inside = TexelIsInside(x, y, z, ExtentOfLevel(ExtentOfDescriptor(quad), level, z_is_depth));
  return (is_inside && level < LevelsOfDescriptor(quad) && sample_index < SamplesOfDescriptor(quad)) ||
         (quad[kDescriptorStateWord] & accepted) != 0u;
}

// A null descriptor has any size.
bool TexelBufferHolds(const uint set, const uint binding, const uint index, const uint x, const uint accepted) {
  const uvec4 quad = DescriptorQuad(set, binding, index);
  const uint null = quad[kDescriptorStateWord] & kDescriptorIsNull;
  return (x < quad[kDescriptorSizeWord] && null == 0u) || (null & accepted) != 0u;
}

// For an image whose descriptor is not known: the sizes are what the shader's own queries return, `extent` that of the
// level. A null descriptor has none.
bool QueriedImageHolds(const uint x, const uint y, const uint z, const uint level, const uint sample_index,
                       const uvec3 extent, const uint levels, const uint samples) {
  const bool is_null = extent.x == 0u && level < max(levels, 1u);
  return (TexelIsInside(x, y, z, extent) && level < levels && sample_index < samples) || is_null;
}

// Reports what is wrong with a texel of a level of this size.
void ReportTexel(const uint instruction, const uint x, const uint y, const uint z, const uint level,
                 const uint sample_index, const uint z_is_depth, const uvec3 extent, const uint levels,
                 const uint samples) {
  if (level >= levels) {
    ReportFault(instruction, kImageLevelOutOfBounds, x, y, z, level, levels);
  } else if (x >= extent.x || y >= extent.y) {
    ReportFault(instruction, kImageCoordinatesOutOfBounds, x, y, z, level, x >= extent.x ? extent.x : extent.y);
  } else if (z >= extent.z) {
    const uint code = z_is_depth != 0u ? kImageCoordinatesOutOfBounds : kImageLayerOutOfBounds;
    ReportFault(instruction, code, x, y, z, level, extent.z);
  } else if (sample_index >= samples) {
    ReportFault(instruction, kImageSampleOutOfBounds, x, y, z, sample_index, samples);
  }
}

// Whether the descriptor alone decides: it must not be accessed, which is reported, or is null and accepted.
// `is_reported` is 0 where another check reports descriptors that were not written or are of destroyed resources.
bool ReportUnusableDescriptor(const uint instruction, const uint set, const uint binding, const uint index,
                              const uint accepted, const uint is_reported) {
  const uint state = DescriptorQuad(set, binding, index)[kDescriptorStateWord];
  if (!IsWrittenAndLive(state)) {
    if (is_reported != 0u) ReportDescriptor(instruction, set, binding, index, 0xffffffffu);
    return true;
  }
  if ((state & kDescriptorIsNull) == 0u) return false;
  if ((state & accepted) == 0u) {
    const uint count = BindingQuad(set, binding)[kDescriptorCountWord];
    ReportFault(instruction, kDescriptorNull, set, binding, index, count, state);
  }
  return true;
}

void ReportImage(const uint instruction, const uint set, const uint binding, const uint index, const uint x,
                 const uint y, const uint z, const uint level, const uint sample_index, const uint z_is_depth,
                 const uint accepted, const uint is_reported) {
  if (ReportUnusableDescriptor(instruction, set, binding, index, accepted, is_reported)) return;
  const uvec4 quad = DescriptorQuad(set, binding, index);
  ReportTexel(instruction, x, y, z, level, sample_index, z_is_depth,
              ExtentOfLevel(ExtentOfDescriptor(quad), level, z_is_depth), LevelsOfDescriptor(quad),
              SamplesOfDescriptor(quad));
}

void ReportTexelBuffer(const uint instruction, const uint set, const uint binding, const uint index, const uint x,
                       const uint accepted, const uint is_reported) {
  const uvec4 quad = DescriptorQuad(set, binding, index);
  const uint state = quad[kDescriptorStateWord];
  const uint size = quad[kDescriptorSizeWord];
  uint code = DescriptorFault(set, binding, index, 0xffffffffu);
  const bool is_good = code == 0u;
  const bool is_null = (state & kDescriptorIsNull) != 0u;
  bool is_fault = is_reported != 0u;
  if (is_good) {
    is_fault = is_null ? (state & accepted) == 0u : x >= size;
    code = is_null ? kDescriptorNull : kTexelBufferOutOfBounds;
  }
  if (is_fault) {
    const bool is_past_end = is_good && !is_null;
    ReportFault(instruction, code, set, binding, index,
                is_past_end ? AddScaled(x, 1u, 1u) : BindingQuad(set, binding)[kDescriptorCountWord],
                is_past_end ? size : state);
  }
}

void ReportQueriedImage(const uint instruction, const uint x, const uint y, const uint z, const uint level,
                        const uint sample_index, const uint z_is_depth, const uvec3 extent, const uint levels,
                        const uint samples) {
  if (QueriedImageHolds(x, y, z, level, sample_index, extent, levels, samples)) return;
  ReportTexel(instruction, x, y, z, level, sample_index, z_is_depth, extent, levels, samples);
}

// Words of signed integers.
bool OffsetIsInRange(const uint offset, const uint smallest, const uint largest) {
  return int(offset) >= int(smallest) && int(offset) <= int(largest);
}

void ReportOffset(const uint instruction, const uint offset, const uint smallest, const uint largest) {
  if (OffsetIsInRange(offset, smallest, largest)) return;
  ReportFault(instruction, kImageOffsetOutOfRange, offset, smallest, largest, 0u, 0u);
}
