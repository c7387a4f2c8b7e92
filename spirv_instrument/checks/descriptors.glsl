// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the tables say of descriptors.

// Where the table of a set begins; 0, which has no binding, if none is bound. Of one in a descriptor buffer, its place.
uint SetTable(const uint set) { return ActionQuad(kFirstSetQuad + set / 4u)[set % 4u]; }

#ifdef ASSAY_DESCRIPTOR_BUFFERS
#include "spirv_instrument/checks/descriptor_buffers.glsl"
#else
#include "spirv_instrument/checks/descriptor_sets.glsl"
#endif

bool IsWrittenAndLive(const uint state) {
  return (state & (kDescriptorIsWritten | kDescriptorIsDestroyed)) == kDescriptorIsWritten;
}

// Bit i of `types`: the access may be to a descriptor of the i-th DescriptorType, or, the last bit, of an unknown one.
bool HasOneOfTypes(const uint state, const uint types) {
  return ((types >> (state >> kDescriptorTypeShift)) & 1u) != 0u;
}

bool DescriptorIsGood(const uint set, const uint binding, const uint index, const uint types) {
  const uint state = DescriptorQuad(set, binding, index)[kDescriptorStateWord];
  return IsWrittenAndLive(state) && HasOneOfTypes(state, types);
}

// Why a descriptor with this state, of a binding with so many of them, must not be accessed; 0 if it may be. What is
// asked last counts most.
uint DescriptorFaultOf(const uint set, const uint binding, const uint index, const uint types, const uint count,
                       const uint state) {
  uint code = HasOneOfTypes(state, types) ? 0u : kDescriptorTypeMismatch;
  code = (state & kDescriptorIsWritten) == 0u ? kDescriptorNotWritten : code;
  code = (state & kDescriptorIsDestroyed) != 0u ? kDescriptorDestroyed : code;
  code = index >= count ? kDescriptorIndexOutOfBounds : code;
#ifndef ASSAY_DESCRIPTOR_BUFFERS
  const uint table = SetTable(set);
  code = table == 0u || binding >= TableQuad(table)[kBindingCountWord] ? kDescriptorMissing : code;
#endif
  return code;
}

uint DescriptorFault(const uint set, const uint binding, const uint index, const uint types) {
  const uvec4 of_binding = BindingQuad(set, binding);
  const uint state = DescriptorQuadAt(SetTable(set), of_binding, index)[kDescriptorStateWord];
  return DescriptorFaultOf(set, binding, index, types, of_binding[kDescriptorCountWord], state);
}

void ReportDescriptor(const uint instruction, const uint set, const uint binding, const uint index, const uint types) {
  const uvec4 of_binding = BindingQuad(set, binding);
  const uint count = of_binding[kDescriptorCountWord];
  const uint state = DescriptorQuadAt(SetTable(set), of_binding, index)[kDescriptorStateWord];
  const uint code = DescriptorFaultOf(set, binding, index, types, count, state);
  if (code != 0u) ReportFault(instruction, code, set, binding, index, count, state);
}
