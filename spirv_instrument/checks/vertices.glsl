// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Vertex attributes, by location, and draw parameters.

bool IsPerInstance(const uint location) {
  return ((ActionWord(kAttributeRatesQuad, 0u) >> location) & 1u) != 0u;
}

uint AttributeEnd(const uint location) { return ActionWord(kFirstAttributeQuad + location / 4u, location % 4u); }

// Whether the attributes at `count` locations are within their buffers for this vertex and instance. Locations are
// below kMaxAttributes.
bool AttributesHold(const uint first, const uint count, const uint vertex, const uint instance) {
  bool is_good = true;
  for (uint i = 0u; i < count; ++i) {
    const uint index = IsPerInstance(first + i) ? instance : vertex;
    is_good = is_good && index < AttributeEnd(first + i);
  }
  return is_good;
}

void ReportAttributes(const uint instruction, const uint first, const uint count, const uint vertex,
                      const uint instance) {
  for (uint i = 0u; i < count; ++i) {
    const uint location = first + i;
    const uint end = AttributeEnd(location);
    const uint index = IsPerInstance(location) ? instance : vertex;
    if (index < end) continue;
    const uint code = IsPerInstance(location) ? kInstanceOutOfBounds : kVertexOutOfBounds;
    ReportFault(instruction, code, location, index, end, 0u, 0u);
    return;
  }
}

// `word` is one of kDrawLimitsQuad.
bool DrawParameterIsAllowed(const uint value, const uint word) {
  const uint count = ActionWord(kDrawLimitsQuad, word);
  return count == 0u || value < count;
}

void ReportDrawParameter(const uint instruction, const uint value, const uint word) {
  if (DrawParameterIsAllowed(value, word)) return;
  uint code = kDrawIndexNotAllowed;
  if (word == kBaseInstancesWord) code = kBaseInstanceNotAllowed;
  if (word == kInstanceIndicesWord) code = kInstanceIndexNotAllowed;
  ReportFault(instruction, code, value, ActionWord(kDrawLimitsQuad, word), 0u, 0u, 0u);
}
