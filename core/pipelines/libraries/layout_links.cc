// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/libraries/layout_links.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"

namespace assay::core {
namespace {

bool AreSame(const state::DescriptorSetLayout& a, const state::DescriptorSetLayout& b) {
  const auto tie = [](const state::DescriptorSetLayout::Binding& binding) {
    return std::tie(binding.binding, binding.type, binding.count, binding.stages, binding.flags,
                    binding.has_immutable_samplers);
  };
  return &a == &b || std::ranges::equal(a.bindings(), b.bindings(), {}, tie, tie);
}
bool AreSame(const VkPushConstantRange& a, const VkPushConstantRange& b) {
  return a.stageFlags == b.stageFlags && a.offset == b.offset && a.size == b.size;
}
bool AreSame(const std::vector<VkPushConstantRange>& a, const std::vector<VkPushConstantRange>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return AreSame(x, y); });
}
bool AreBothIndependent(const PartFacts& a, const PartFacts& b) {
  return a.layout->has_independent_sets() && b.layout->has_independent_sets();
}
Mismatch CompareWhole(const LayoutFacts& a, const LayoutFacts& b) {
  if (a.sets.size() != b.sets.size()) return "the layouts have different numbers of sets";
  if (!AreSame(a.ranges, b.ranges)) return "the layouts have different push constants";
  return CompareSets(a, b);
}
// The ranges that stages of both parts may read.
std::vector<VkPushConstantRange> CommonRanges(const LayoutFacts& layout, const PartFacts& a, const PartFacts& b) {
  std::vector<VkPushConstantRange> ranges;
  std::ranges::copy_if(layout.ranges, std::back_inserter(ranges), [&](const VkPushConstantRange& range) {
    return (range.stageFlags & a.stages) != 0 && (range.stageFlags & b.stages) != 0;
  });
  return ranges;
}

}  // namespace

Mismatch CompareSets(const LayoutFacts& a, const LayoutFacts& b) {
  for (size_t i = 0; i < std::min(a.sets.size(), b.sets.size()); ++i) {
    if (a.sets[i].layout && b.sets[i].layout && !AreSame(*a.sets[i].layout, *b.sets[i].layout))
      return absl::StrCat("set ", i, " of the layouts differs");
  }
  return {};
}

Mismatch CheckIndependence(const PartFacts& a, const PartFacts& b) {
  if (!a.layout->has_independent_sets() || b.layout->has_independent_sets()) return {};
  return "only one layout was created with VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT";
}
Mismatch CheckOwnLayout(const PartFacts& a, const PartFacts& b) {
  if (a.layout->has_independent_sets()) return {};
  const Mismatch found = CheckIndependence(b, a);
  return found ? found : CompareWhole(*a.layout, *b.layout);
}
Mismatch CheckWholeLayouts(const PartFacts& a, const PartFacts& b) {
  if (a.layout->has_independent_sets() || b.layout->has_independent_sets()) return {};
  return CompareWhole(*a.layout, *b.layout);
}
Mismatch CheckCommonSets(const PartFacts& a, const PartFacts& b) {
  return AreBothIndependent(a, b) ? CompareSets(*a.layout, *b.layout) : std::nullopt;
}
Mismatch CheckCommonRanges(const PartFacts& a, const PartFacts& b) {
  if (!AreBothIndependent(a, b)) return {};
  const auto x = CommonRanges(*a.layout, a, b);
  const auto y = CommonRanges(*b.layout, a, b);
  if (x.empty() || y.empty() || AreSame(x, y)) return {};
  return "the layouts have different push constants for stages of both";
}
Mismatch CheckOpenSets(const PartFacts& a, const PartFacts& b) {
  const auto& x = a.layout->sets;
  const auto& y = b.layout->sets;
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (x[i].handle == VK_NULL_HANDLE && y[i].handle == VK_NULL_HANDLE)
      return absl::StrCat("pSetLayouts[", i, "] of both layouts is VK_NULL_HANDLE");
  }
  return {};
}
Mismatch CheckOpenSetStages(const PartFacts& a, const PartFacts& b) {
  const auto& x = a.layout->sets;
  const auto& y = b.layout->sets;
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (x[i].handle != VK_NULL_HANDLE || !y[i].layout) continue;
    for (const auto& binding : y[i].layout->bindings()) {
      if ((binding.stages & a.stages) == 0) continue;
      return absl::StrCat("pSetLayouts[", i, "] of one layout is VK_NULL_HANDLE, but binding ", binding.binding,
                          " of the other one's has stages (0x", absl::Hex(binding.stages), ") that need it");
    }
  }
  return {};
}

}  // namespace assay::core
