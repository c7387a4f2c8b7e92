// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/vertex_attributes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint64_t kAll = 0xffffffff;
constexpr size_t kQuadWords = 4;

// How many elements the range holds.
uint64_t ElementCount(const VertexAttributeState& attribute) {
  const uint64_t end = uint64_t{attribute.offset} + attribute.size;
  if (attribute.range < end) return 0;
  // All indices read the same.
  if (attribute.stride == 0) return kAll;
  return std::min((attribute.range - end) / attribute.stride + 1, kAll);
}

}  // namespace

uint32_t AttributeEnd(const VertexAttributeState& attribute, std::optional<uint32_t> first_instance) {
  if (attribute.is_robust) return kAll;
  const uint64_t elements = ElementCount(attribute);
  if (!attribute.is_per_instance || attribute.divisor == 1) return static_cast<uint32_t>(elements);
  if (!first_instance) return kAll;
  // Element first + (instance - first) / divisor; with a divisor of 0, element first.
  if (*first_instance >= elements) return 0;
  if (attribute.divisor == 0) return kAll;
  const uint64_t reachable = elements - *first_instance;
  // Neither has more than 32 bits.
  return static_cast<uint32_t>(std::min(*first_instance + reachable * attribute.divisor, kAll));
}

void SetVertexAttributes(absl::Span<const VertexAttributeState> attributes, std::optional<uint32_t> first_instance,
                         absl::Span<uint32_t> action) {
  const absl::Span<uint32_t> ends = action.subspan(kFirstAttributeQuad * kQuadWords, kMaxAttributes);
  std::fill(ends.begin(), ends.end(), static_cast<uint32_t>(kAll));
  uint32_t& rates = action[kAttributeRatesQuad * kQuadWords];
  rates = 0;
  for (const VertexAttributeState& attribute : attributes) {
    if (attribute.location >= kMaxAttributes) continue;
    ends[attribute.location] = AttributeEnd(attribute, first_instance);
    if (attribute.is_per_instance) rates |= 1u << attribute.location;
  }
}

}  // namespace assay::spirv_instrument
