// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/accesses/draw_arguments.h"

#include <algorithm>

namespace assay::syncval {

VkDeviceSize IndexSize(VkIndexType type) {
  switch (type) {
    case VK_INDEX_TYPE_UINT8:
      return 1;
    case VK_INDEX_TYPE_UINT16:
      return 2;
    case VK_INDEX_TYPE_UINT32:
      return 4;
    default:
      return 0;
  }
}

ElementParts PartsOf(const state::VertexInput& input, uint32_t locations, uint32_t binding) {
  ElementParts parts;
  for (uint32_t i = 0; i < input.attribute_count; ++i) {
    const state::VertexAttribute& attribute = input.attributes[i];
    if (attribute.binding != binding || attribute.location >= 32 || (locations >> attribute.location & 1) == 0)
      continue;
    parts.push_back({attribute.offset, attribute.offset + attribute.size});
  }
  std::ranges::sort(parts, {}, &ElementPart::begin);
  size_t count = 0;
  for (const ElementPart& part : parts) {
    if (count != 0 && part.begin <= parts[count - 1].end) {
      parts[count - 1].end = std::max(parts[count - 1].end, part.end);
    } else {
      parts[count++] = part;
    }
  }
  parts.resize(count);
  return parts;
}

// Vulkan, "Vertex Input Address Calculation".
Elements ElementsOf(const state::VertexBinding& binding, const DrawArguments& arguments) {
  if (binding.rate == VK_VERTEX_INPUT_RATE_VERTEX) return arguments.elements;
  const Elements& instances = arguments.instances;
  return {instances.first, binding.divisor != 0 ? (instances.count - 1) / binding.divisor + 1 : 1};
}

VertexRange RangeOf(const Elements& elements, const ElementPart& part, VkDeviceSize stride, VkDeviceSize size) {
  VkDeviceSize first = 0;
  VkDeviceSize last = 0;
  if (__builtin_mul_overflow(elements.first, stride, &first) || first >= size || part.begin >= size - first) return {};
  const VkDeviceSize begin = first + part.begin;
  const bool is_cut = __builtin_mul_overflow(elements.count - 1, stride, &last) || last > size;
  const VkDeviceSize length = is_cut ? size : last + part.end - part.begin;
  return {.offset = begin, .size = std::min(length, size - begin)};
}

VertexRange RangeFrom(int32_t vertex_offset, const ElementPart& part, VkDeviceSize stride, VkDeviceSize size) {
  const uint64_t first = vertex_offset > 0 ? static_cast<uint64_t>(vertex_offset) : 0;
  if (stride != 0 && first > size / stride) return {};
  const VkDeviceSize begin = first * stride + part.begin;
  return begin < size ? VertexRange{.offset = begin, .size = size - begin} : VertexRange{};
}

}  // namespace assay::syncval
