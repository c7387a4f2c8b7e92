// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the tables say of descriptors.

// Where the table of a set begins; 0, which has no binding, if none is bound.
uint SetTable(const uint set) { return ActionQuad(kFirstSetQuad + set / 4u)[set % 4u]; }

// The quad of a binding; zero if there is none.
uvec4 BindingQuad(const uint set, const uint binding) {
  const uint table = SetTable(set);
  uvec4 quad = uvec4(0u);
  if (binding < TableQuad(table)[kBindingCountWord]) quad = TableQuad(table + 1u + binding);
  return quad;
}

// The quad of a descriptor; zero if there is none.
uvec4 DescriptorQuad(const uint set, const uint binding, const uint index) {
  const uvec4 of_binding = BindingQuad(set, binding);
  uvec4 quad = uvec4(0u);
  if (index < of_binding[kDescriptorCountWord]) {
    quad = TableQuad(SetTable(set) + of_binding[kFirstDescriptorWord] + index);
  }
  return quad;
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

// Why a descriptor must not be accessed; 0 if it may be. What is asked last counts most.
uint DescriptorFault(const uint set, const uint binding, const uint index, const uint types) {
  const uint state = DescriptorQuad(set, binding, index)[kDescriptorStateWord];
  const uint table = SetTable(set);
  uint code = HasOneOfTypes(state, types) ? 0u : kDescriptorTypeMismatch;
  code = (state & kDescriptorIsWritten) == 0u ? kDescriptorNotWritten : code;
  code = (state & kDescriptorIsDestroyed) != 0u ? kDescriptorDestroyed : code;
  code = index >= BindingQuad(set, binding)[kDescriptorCountWord] ? kDescriptorIndexOutOfBounds : code;
  code = table == 0u || binding >= TableQuad(table)[kBindingCountWord] ? kDescriptorMissing : code;
  return code;
}

void ReportDescriptor(const uint instruction, const uint set, const uint binding, const uint index, const uint types) {
  const uint code = DescriptorFault(set, binding, index, types);
  if (code != 0u) {
    ReportFault(instruction, code, set, binding, index, BindingQuad(set, binding)[kDescriptorCountWord],
                DescriptorQuad(set, binding, index)[kDescriptorStateWord]);
  }
}
