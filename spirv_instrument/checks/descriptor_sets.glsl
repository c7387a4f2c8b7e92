// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Descriptors of descriptor sets: each has a quad in the table of its set.

// The quad of a binding; zero if there is none.
uvec4 BindingQuad(const uint set, const uint binding) {
  const uint table = SetTable(set);
  uvec4 quad = uvec4(0u);
  if (binding < TableQuad(table)[kBindingCountWord]) quad = TableQuad(table + 1u + binding);
  return quad;
}

// The quad of a descriptor that is in no table: zero, or that of a valid one where nothing is known of the action.
uvec4 MissingDescriptorQuad() {
  const uint word = ActionWord(kActionIndexQuad, kUncheckedWord);
  return uvec4(word & (kDescriptorIsWritten | (kUnknownDescriptorType << kDescriptorTypeShift)), word, word, word);
}

// The quad of a descriptor in the table of its set.
uvec4 DescriptorQuadAt(const uint table, const uvec4 of_binding, const uint index) {
  uvec4 quad = MissingDescriptorQuad();
  if (index < of_binding[kDescriptorCountWord]) quad = TableQuad(table + of_binding[kFirstDescriptorWord] + index);
  return quad;
}

uvec4 DescriptorQuad(const uint set, const uint binding, const uint index) {
  return DescriptorQuadAt(SetTable(set), BindingQuad(set, binding), index);
}
