// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_DRAW_ARGUMENTS_H_
#define ASSAY_SYNCVAL_ACCESSES_DRAW_ARGUMENTS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "state/state.h"
#include "vk/vulkan.h"

// The ranges of vertex and index buffers that a draw reads, by its arguments. The arguments are parameters of the
// command, or lie in a buffer.
namespace assay::syncval {

// Numbers [first, first + count).
struct Elements {
  uint64_t first = 0;
  uint64_t count = 0;
};

struct DrawArguments {
  // Vertices; indices for an indexed draw.
  Elements elements;
  Elements instances;
  int32_t vertex_offset = 0;
  bool is_indexed = false;
  // Whether the draw reads vertex buffers. Mesh shaders read none.
  bool has_vertices = true;
  // Whether the above is known while recording.
  bool is_known = true;

  // Whether it draws nothing.
  bool IsEmpty() const { return is_known && (elements.count == 0 || instances.count == 0); }

  static DrawArguments Unknown(bool is_indexed) { return {.is_indexed = is_indexed, .is_known = false}; }
  // Task or mesh workgroups.
  static DrawArguments Workgroups(uint64_t count) { return {{0, count}, {0, 1}, 0, false, false}; }
};

// Bytes of a bound vertex buffer, relative to the offset at which it is bound.
struct VertexRange {
  uint32_t binding = 0;
  VkDeviceSize offset = 0;
  VkDeviceSize size = 0;
  // Whether all bytes are read. Otherwise it is a possible read.
  bool is_exact = true;
};

// Calls f(VertexRange) for the ranges that a vertex shader with attributes at `locations` (bits) reads. There may be
// bytes that are not read between the attributes of two elements. Then each element has a range of its own if they are
// few; otherwise the first and the last have one, and all together are a possible read.
template <class F>
void ForEachVertexRange(const state::ResolvedDrawState& state, uint32_t locations, const DrawArguments& arguments,
                        F&& f);

// The size of an index in bytes; 0 for a value that is no index type.
VkDeviceSize IndexSize(VkIndexType type);

// The rest of this header is for ForEachVertexRange.

// Bytes of an element that attributes are in.
struct ElementPart {
  VkDeviceSize begin;
  VkDeviceSize end;
};
// The first to the last attribute byte in a binding's elements.
struct ElementSpan {
  ElementPart all;
  // Whether all bytes between are known to belong to attributes.
  bool is_filled;

  void Add(const ElementPart& part) {
    is_filled &= part.begin <= all.end && all.begin <= part.end;
    all = {std::min(all.begin, part.begin), std::max(all.end, part.end)};
  }
  // Whether elements with this stride leave no byte between them.
  bool IsGapless(VkDeviceSize stride) const { return is_filled && stride <= all.end - all.begin; }
};
// The parts of a binding's elements that the attributes at `locations` are in, in order and not adjacent.
using ElementParts = absl::InlinedVector<ElementPart, 4>;
ElementParts PartsOf(const state::VertexInput& input, uint32_t locations, uint32_t binding);
// The elements of a binding that a draw reads.
Elements ElementsOf(const state::VertexBinding& binding, const DrawArguments& arguments);
// The range of the elements within `size` bytes of a buffer; its size is 0 if there is none.
VertexRange RangeOf(const Elements& elements, const ElementPart& part, VkDeviceSize stride, VkDeviceSize size);
// The range from the first element that an index can select to the end.
VertexRange RangeFrom(int32_t vertex_offset, const ElementPart& part, VkDeviceSize stride, VkDeviceSize size);

// With more parts than this, only those of the first and the last element have ranges of their own.
inline constexpr uint64_t kMaxSeparateParts = 12;

// Calls f(VertexRange) for elements that have bytes between their parts.
template <class F>
void ForEachPartRange(const Elements& elements, const ElementParts& parts, VkDeviceSize stride, VkDeviceSize size,
                      F&& f) {
  const auto add_element = [&](uint64_t number) {
    for (const ElementPart& part : parts) f(RangeOf({number, 1}, part, stride, size));
  };
  if (stride == 0) return add_element(0);
  if (elements.count <= kMaxSeparateParts / parts.size()) {
    for (uint64_t i = 0; i < elements.count; ++i) add_element(elements.first + i);
    return;
  }
  add_element(elements.first);
  add_element(elements.first + elements.count - 1);
  VertexRange all = RangeOf(elements, {parts.front().begin, parts.back().end}, stride, size);
  all.is_exact = false;
  f(std::move(all));
}

template <class F>
void ForEachVertexRange(const state::ResolvedDrawState& state, uint32_t locations, const DrawArguments& arguments,
                        F&& f) {
  const state::VertexInput& input = *state.vertex_input;
  // Valid for those in `bindings`. The others stay unset, since there are many.
  std::array<ElementSpan, state::kMaxVertexBindings> spans;
  uint32_t bindings = 0;
  for (uint32_t i = 0; i < input.attribute_count; ++i) {
    const state::VertexAttribute& attribute = input.attributes[i];
    if (attribute.location >= 32 || (locations >> attribute.location & 1) == 0) continue;
    if (attribute.binding >= spans.size()) continue;
    const ElementPart part{attribute.offset, attribute.offset + attribute.size};
    const bool is_first = (bindings >> attribute.binding & 1) == 0;
    if (is_first) spans[attribute.binding] = {part, true};
    spans[attribute.binding].Add(part);
    bindings |= 1u << attribute.binding;
  }
  for (uint32_t rest = bindings; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<uint32_t>(std::countr_zero(rest));
    const state::VertexBinding& binding = input.bindings[number];
    const ElementSpan& span = spans[number];
    const VkDeviceSize size = state.draw->vertex_buffer(number).size;
    const VkDeviceSize stride = state.StrideOf(number);
    // By reference: a copy would read, as a whole, a range that was just written in parts, and stall.
    const auto give = [&](VertexRange&& range) {
      if (range.size == 0) return;
      range.binding = number;
      f(range);
    };
    if (arguments.is_known && (!arguments.is_indexed || binding.rate != VK_VERTEX_INPUT_RATE_VERTEX)) {
      const Elements elements = ElementsOf(binding, arguments);
      if (span.IsGapless(stride) || (span.is_filled && elements.count == 1)) [[likely]] {
        give(RangeOf(elements, span.all, stride, size));
      } else {
        ForEachPartRange(elements, PartsOf(input, locations, number), stride, size, give);
      }
      continue;
    }
    // An index buffer that holds only restart indices selects no vertex.
    if (arguments.is_indexed && state.functions.primitive_restart) continue;
    VertexRange some = RangeFrom(arguments.is_known ? arguments.vertex_offset : 0, span.all, stride, size);
    some.is_exact = false;
    give(std::move(some));
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_DRAW_ARGUMENTS_H_
