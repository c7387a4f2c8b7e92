// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Device addresses, as two words, low word first.

uvec2 AddBytes(const uvec2 address, const uint bytes) {
  uint carry;
  const uint low = uaddCarry(address.x, bytes, carry);
  return uvec2(low, address.y + carry);
}

// address + index * stride. The index has 64 bits and may be negative: an index of an access chain is signed, and comes
// extended by its sign. What the product has beyond 64 bits does not matter.
uvec2 AddElements(const uvec2 address, const uvec2 index, const uint stride) {
  uint high;
  uint low;
  umulExtended(index.x, stride, high, low);
  uint carry;
  const uint sum = uaddCarry(address.x, low, carry);
  return uvec2(sum, address.y + high + index.y * stride + carry);
}

// How many bytes of a range are left at `offset` in a page, of `room` bytes from `begin` on.
uint RoomInRange(const uint offset, const uint begin, const uint room) {
  if (offset < begin || offset - begin >= room) return 0u;
  return room - (offset - begin);
}

// One of a list of ranges: where it begins, and its room.
uvec2 RangeOfList(const uint list, const uint index) {
  const uvec4 quad = TableQuad(list + index / 2u);
  return (index & 1u) == 0u ? quad.xy : quad.zw;
}

// The last range that does not begin behind the offset has the most room there.
uint RoomInList(const uint list, const uint count, const uint offset) {
  uint low = 0u;
  uint high = count;
  while (high - low > 1u) {
    const uint middle = (low + high) / 2u;
    if (RangeOfList(list, middle).x <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const uvec2 range = RangeOfList(list, low);
  return RoomInRange(offset, range.x, range.y);
}

// How many bytes from the address on are in one live range; 0 if it is in none, 0xffffffff if there is no table.
uint RoomAtAddress(const uvec2 address) {
  const uint table = ActionWord(kTableOffsetsQuad, kAddressTableWord);
  if (table == 0u) return 0xffffffffu;
  const uvec4 header = TableQuad(table);
  const uint shift = header[kPageShiftWord];
  if ((address.y >> shift) != 0u) return 0u;
  const uint page = (address.y << (32u - shift)) | (address.x >> shift);
  const uint offset = address.x & ((1u << shift) - 1u);
  const uint first = table + kFirstBucketQuad + ((page * kPageHash) >> (32u - header[kBucketBitsWord]));
  for (uint probe = 0u; probe < header[kProbesWord]; ++probe) {
    const uvec4 bucket = TableQuad(first + probe);
    if (bucket[kRangeCountWord] == 0u) return 0u;
    if (bucket[kPageWord] != page) continue;
    if (bucket[kRangeCountWord] == 1u) return RoomInRange(offset, bucket[kRangeBeginWord], bucket[kRangeRoomWord]);
    return RoomInList(table + bucket[kRangeListWord], bucket[kRangeCountWord], offset);
  }
  return 0u;
}

bool AddressIsGood(const uvec2 address, const uint size) { return RoomAtAddress(address) >= size; }

// `mask` is the alignment less 1.
bool AddressIsAligned(const uvec2 address, const uint mask) { return (address.x & mask) == 0u; }

void ReportAddress(const uint instruction, const uvec2 address, const uint size) {
  const uint room = RoomAtAddress(address);
  if (room < size) {
    ReportFault(instruction, room == 0u ? kAddressOutOfBounds : kAddressAcrossEnd, address.x, address.y, size, room,
                0u);
  }
}

void ReportAlignment(const uint instruction, const uvec2 address, const uint size, const uint mask) {
  if ((address.x & mask) != 0u) {
    ReportFault(instruction, kAddressMisaligned, address.x, address.y, size, mask + 1u, 0u);
  }
}
