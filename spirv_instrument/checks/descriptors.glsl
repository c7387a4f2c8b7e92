// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the tables say of descriptors.

// Where the table of a set begins; 0, which has no binding, if none is bound.
uint SetTable(const uint set) { return ActionQuad(kFirstSetQuad + set / 4u)[set % 4u]; }

// The quad of a binding; zero if there is none.
uvec4 BindingQuad(const uint set, const uint binding) {
  const uint table = SetTable(set);
  if (binding >= TableQuad(table)[kBindingCountWord]) return uvec4(0u);
  return TableQuad(table + 1u + binding);
}

// The quad of a descriptor; zero if there is none.
uvec4 DescriptorQuad(const uint set, const uint binding, const uint index) {
  const uvec4 quad = BindingQuad(set, binding);
  if (index >= quad[kDescriptorCountWord]) return uvec4(0u);
  return TableQuad(SetTable(set) + quad[kFirstDescriptorWord] + index);
}

bool IsWrittenAndLive(const uint state) {
  return (state & (kDescriptorIsWritten | kDescriptorIsDestroyed)) == kDescriptorIsWritten;
}

// Bit i of `types`: the access may be to a descriptor of the i-th DescriptorType.
bool HasOneOfTypes(const uint state, const uint types) {
  return ((types >> (state >> kDescriptorTypeShift)) & 1u) != 0u;
}

bool DescriptorIsGood(const uint set, const uint binding, const uint index, const uint types) {
  const uint state = DescriptorQuad(set, binding, index)[kDescriptorStateWord];
  return IsWrittenAndLive(state) && HasOneOfTypes(state, types);
}

void ReportDescriptor(const uint instruction, const uint set, const uint binding, const uint index, const uint types) {
  const uint count = BindingQuad(set, binding)[kDescriptorCountWord];
  const uint state = DescriptorQuad(set, binding, index)[kDescriptorStateWord];
  uint code = 0u;
  if (SetTable(set) == 0u || binding >= TableQuad(SetTable(set))[kBindingCountWord]) {
    code = kDescriptorMissing;
  } else if (index >= count) {
    code = kDescriptorIndexOutOfBounds;
  } else if ((state & kDescriptorIsDestroyed) != 0u) {
    code = kDescriptorDestroyed;
  } else if ((state & kDescriptorIsWritten) == 0u) {
    code = kDescriptorNotWritten;
  } else if (!HasOneOfTypes(state, types)) {
    code = kDescriptorTypeMismatch;
  }
  if (code != 0u) ReportFault(instruction, code, set, binding, index, count, state);
}
