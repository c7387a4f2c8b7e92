// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_DRAW_ARGUMENTS_H_
#define ASSAY_SYNCVAL_DRAW_ARGUMENTS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "state/state.h"
#include "vk/vulkan.h"

// What a draw reads of vertex and index buffers by its arguments, which are the command's own parameters or lie in a
// buffer.
namespace assay::syncval {

// Numbers [first, first + count).
struct Elements {
  uint64_t first = 0;
  uint64_t count = 0;
};

struct DrawArguments {
  // Vertices, or of an indexed draw indices.
  Elements elements;
  Elements instances;
  int32_t vertex_offset = 0;
  bool is_indexed = false;
  // Whether vertex buffers are read at all: not by mesh shaders.
  bool has_vertices = true;
  // Whether the above is known while recording.
  bool is_known = true;

  // Draws nothing.
  bool IsEmpty() const { return is_known && (elements.count == 0 || instances.count == 0); }

  static DrawArguments Unknown(bool is_indexed) { return {.is_indexed = is_indexed, .is_known = false}; }
  // Of task or mesh workgroups.
  static DrawArguments Workgroups(uint64_t count) { return {{0, count}, {0, 1}, 0, false, false}; }
};

// Bytes of a bound vertex buffer, relative to where it is bound.
struct VertexRange {
  uint32_t binding = 0;
  VkDeviceSize offset = 0;
  VkDeviceSize size = 0;
  // Whether all of it is read, and not only some.
  bool is_exact = true;
};

// Calls f(VertexRange) for each binding that a vertex shader with attributes at `locations` (bits) reads from. Bytes
// between the attributes of two elements are taken to be read with them.
template <class F>
void ForEachVertexRange(const state::ResolvedDrawState& state, uint32_t locations, const DrawArguments& arguments,
                        F&& f);

// Bytes of an element of index buffers; 0 for what is no index type.
VkDeviceSize IndexSize(VkIndexType type);

// ---- For ForEachVertexRange

// The part of an element that attributes are in.
struct ElementPart {
  VkDeviceSize begin;
  VkDeviceSize end;
};
// The elements of a binding that a draw reads.
Elements ElementsOf(const state::VertexBinding& binding, const DrawArguments& arguments);
// Where elements lie in `size` bytes of a buffer; a VertexRange of size 0 if nowhere.
VertexRange RangeOf(const Elements& elements, const ElementPart& part, VkDeviceSize stride, VkDeviceSize size);
// From the first element that an index can name.
VertexRange RangeFrom(int32_t vertex_offset, const ElementPart& part, VkDeviceSize stride, VkDeviceSize size);

template <class F>
void ForEachVertexRange(const state::ResolvedDrawState& state, uint32_t locations, const DrawArguments& arguments,
                        F&& f) {
  const state::VertexInput& input = *state.vertex_input;
  // Of those in `bindings`; the others stay unset, since there are many.
  std::array<ElementPart, state::kMaxVertexBindings> parts;
  uint32_t bindings = 0;
  for (uint32_t i = 0; i < input.attribute_count; ++i) {
    const state::VertexAttribute& attribute = input.attributes[i];
    if (attribute.location >= 32 || (locations >> attribute.location & 1) == 0) continue;
    if (attribute.binding >= parts.size()) continue;
    const ElementPart part{attribute.offset, attribute.offset + attribute.size};
    ElementPart& all = parts[attribute.binding];
    const bool is_first = (bindings >> attribute.binding & 1) == 0;
    all = is_first ? part : ElementPart{std::min(all.begin, part.begin), std::max(all.end, part.end)};
    bindings |= 1u << attribute.binding;
  }
  for (uint32_t rest = bindings; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<uint32_t>(std::countr_zero(rest));
    const state::VertexBinding& binding = input.bindings[number];
    const VkDeviceSize size = state.draw->vertex_buffer(number).size;
    const bool is_exact = arguments.is_known && (!arguments.is_indexed || binding.rate != VK_VERTEX_INPUT_RATE_VERTEX);
    // An index buffer of nothing but restarts names no vertex.
    if (!is_exact && arguments.is_indexed && state.functions.primitive_restart) continue;
    VertexRange range = is_exact ? RangeOf(ElementsOf(binding, arguments), parts[number], state.StrideOf(number), size)
                                 : RangeFrom(arguments.is_known ? arguments.vertex_offset : 0, parts[number],
                                             state.StrideOf(number), size);
    if (range.size == 0) continue;
    range.binding = number;
    range.is_exact = is_exact;
    f(range);
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_DRAW_ARGUMENTS_H_
