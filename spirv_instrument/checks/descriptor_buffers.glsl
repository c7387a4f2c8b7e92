// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors in descriptor buffers: each is looked up by its bytes, which are read from where the application has
// them.

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer DescriptorWords { uint words[]; };

// The quad of a binding in the table of its layout, with as many descriptors as the buffer has bytes for; one of which
// nothing is known if there is none.
uvec4 BindingQuad(const uint set, const uint binding) {
  const uvec4 place = TableQuad(SetTable(set));
  const uint table = place[kPlaceLayoutWord];
  uvec4 quad = uvec4(0u, 0xffffffffu, 0u, 0u);
  if (binding < TableQuad(table)[kBindingCountWord]) quad = TableQuad(table + 1u + binding);
  if ((quad[kBindingTypeWord] & kBindingIsVariable) != 0u) {
    const uint room = place[kPlaceRoomWord] - min(place[kPlaceRoomWord], quad[kBindingOffsetWord]);
    quad[kDescriptorCountWord] = min(quad[kDescriptorCountWord], room / quad[kBindingBytesWord]);
  }
  return quad;
}

// The quad of a valid descriptor of any type and size.
uvec4 UncheckedDescriptorQuad() {
  return uvec4(kDescriptorIsWritten | (kUnknownDescriptorType << kDescriptorTypeShift), 0xffffffffu, 0xffffffffu,
               0xffffffffu);
}

// As KeyOfDescriptor() has it. What is read is memory of a buffer, as any shader may read it by its address. That it
// has what the access to the descriptor will find is an assumption: no device is known on which other reads of shaders
// miss what VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT makes visible.
uvec2 DescriptorKeyAt(const uvec2 address, const uint bytes, const uint type) {
  uint low = type * kKeyFactor0;
  uint high = type + kKeyFactor0;
  for (uint i = 0u; i < bytes / 4u; ++i) {
    const uint word = DescriptorWords(address).words[i];
    low = (low ^ word) * kKeyFactor1;
    low ^= low >> 15u;
    high = (high + word) * kKeyFactor2;
    high ^= high >> 13u;
  }
  low *= kKeyFactor0;
  return uvec2(max(low ^ (low >> 16u), 1u), high);
}

uvec4 KnownDescriptorQuad(const uvec2 address, const uint bytes, const uint type) {
  const uvec4 counts = ActionQuad(kCountsQuad);
  const uvec2 place = uvec2(counts[kKnownDescriptorsWord], counts[kKnownDescriptorsWord + 1u]);
  uvec4 quad = UncheckedDescriptorQuad();
  if ((place.x | place.y) != 0u) {
    const uvec2 table = Quads(place).quads[0].xy;
    const uint mask = (1u << Quads(table).quads[0][kSlotBitsWord]) - 1u;
    const uvec2 key = DescriptorKeyAt(address, bytes, type);
    uint slot = key.x & mask;
    uint found = kUnknownDescriptorQuad;
    // At least every other slot is empty.
    for (uint probe = 0u; probe < mask; ++probe) {
      const uint at = kFirstSlotQuad + slot * kSlotQuads;
      const uvec4 keys = Quads(table).quads[at];
      if (keys.x == key.x && keys.y == key.y) found = at + 1u;
      if (keys.x == 0u || found != kUnknownDescriptorQuad) break;
      slot = (slot + 1u) & mask;
    }
    quad = Quads(table).quads[found];
  }
  return quad;
}

// The quad of a descriptor of a set with this place: zero past the last one.
uvec4 DescriptorQuadAt(const uint set_place, const uvec4 of_binding, const uint index) {
  const uvec4 place = TableQuad(set_place);
  const uint bytes = of_binding[kBindingBytesWord];
  uvec4 quad = UncheckedDescriptorQuad();
  if (index >= of_binding[kDescriptorCountWord] && of_binding[kDescriptorCountWord] != 0xffffffffu) {
    quad = uvec4(0u);
  } else if (bytes != 0u) {
    uint high;
    uint low;
    umulExtended(index, bytes, high, low);
    uint carry;
    const uint offset = uaddCarry(low, of_binding[kBindingOffsetWord], carry);
    const bool is_near = (high | carry) == 0u && offset <= 0xffffffffu - bytes;
    if (is_near && offset + bytes <= place[kPlaceRoomWord]) {
      uint over;
      const uint begin = uaddCarry(place[kPlaceAddressWord], offset, over);
      quad = KnownDescriptorQuad(uvec2(begin, place[kPlaceAddressWord + 1u] + over), bytes,
                                 of_binding[kBindingTypeWord] & kBindingTypeMask);
    }
  }
  return quad;
}

uvec4 DescriptorQuad(const uint set, const uint binding, const uint index) {
  return DescriptorQuadAt(SetTable(set), BindingQuad(set, binding), index);
}
