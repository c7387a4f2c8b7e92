// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to buffers by descriptor.

// sum + index * factor; 0xffffffff if that has more than 32 bits.
uint AddScaled(const uint sum, const uint index, const uint factor) {
  uint high;
  uint low;
  umulExtended(index, factor, high, low);
  uint carry;
  const uint total = uaddCarry(sum, low, carry);
  return (high | carry) != 0u ? 0xffffffffu : total;
}

// end + element * stride, with an element that is signed, and an access of `size` bytes that ends at `end`. 0xffffffff
// if that has more than 32 bits, or the access begins before 0.
uint AddElement(const uint end, const uint size, const uint element, const uint stride) {
  if (int(element) >= 0) return AddScaled(end, element, stride);
  if (end == 0xffffffffu) return end;
  uint high;
  uint low;
  umulExtended(0u - element, stride, high, low);
  return high != 0u || low > end - size ? 0xffffffffu : end - low;
}

// A 64-bit index, low word first, as one of 32 bits; 0xffffffff if it has more.
uint SaturateIndex(const uvec2 index) { return index.y != 0u ? 0xffffffffu : index.x; }

// Whether the range has all up to `end`. A descriptor that must not be accessed has no bytes.
bool BufferHolds(const uint set, const uint binding, const uint index, const uint end) {
  return DescriptorQuad(set, binding, index)[kDescriptorSizeWord] >= end;
}

void ReportBuffer(const uint instruction, const uint set, const uint binding, const uint index, const uint end) {
  const uvec4 quad = DescriptorQuad(set, binding, index);
  if (quad[kDescriptorSizeWord] < end) {
    const uint code = DescriptorFault(set, binding, index, 0xffffffffu);
    const bool is_good = code == 0u;
    ReportFault(instruction, is_good ? kBufferOutOfBounds : code, set, binding, index,
                is_good ? end : BindingQuad(set, binding)[kDescriptorCountWord],
                is_good ? quad[kDescriptorSizeWord] : quad[kDescriptorStateWord]);
  }
}

// The same of a descriptor that the host knows to be there, and to be valid.
uint SizeOfKnownBuffer(const uint set, const uint binding, const uint index) {
  const uint table = SetTable(set);
  uint size = ActionWord(kActionIndexQuad, kUncheckedWord);
  if (table != 0u) {
    size = TableQuad(table + TableQuad(table + 1u + binding)[kFirstDescriptorWord] + index)[kDescriptorSizeWord];
  }
  return size;
}

bool KnownBufferHolds(const uint set, const uint binding, const uint index, const uint end) {
  return SizeOfKnownBuffer(set, binding, index) >= end;
}

// Decides, and reports the fault.
bool CheckKnownBuffer(const uint instruction, const uint set, const uint binding, const uint index, const uint end) {
  const uint size = SizeOfKnownBuffer(set, binding, index);
  const bool holds = size >= end;
  if (!holds) ReportFault(instruction, kBufferOutOfBounds, set, binding, index, end, size);
  return holds;
}

void ReportKnownBuffer(const uint instruction, const uint set, const uint binding, const uint index, const uint end) {
  const uint size = SizeOfKnownBuffer(set, binding, index);
  if (size < end) ReportFault(instruction, kBufferOutOfBounds, set, binding, index, end, size);
}
