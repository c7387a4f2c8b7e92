// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/binding/layout_difference.h"

#include "absl/strings/str_cat.h"

namespace assay::core {

using state::DescriptorSetLayout;

std::string DifferenceOf(const DescriptorSetLayout& set, const DescriptorSetLayout& expected) {
  for (const DescriptorSetLayout::Binding& binding : expected.bindings()) {
    const DescriptorSetLayout::Binding* const other = set.Find(binding.binding);
    const std::string name = absl::StrCat("binding ", binding.binding);
    if (other == nullptr) return absl::StrCat("it has no ", name);
    if (other->type != binding.type) return absl::StrCat(name, " has another descriptorType");
    if (other->count != binding.count)
      return absl::StrCat(name, " has a descriptorCount of ", other->count, " and not of ", binding.count);
    if (other->stages != binding.stages) return absl::StrCat(name, " has other stageFlags");
    if (other->flags != binding.flags) return absl::StrCat(name, " has other binding flags");
    if (other->has_immutable_samplers != binding.has_immutable_samplers)
      return absl::StrCat("only one ", name, " has immutable samplers");
  }
  for (const DescriptorSetLayout::Binding& binding : set.bindings()) {
    if (expected.Find(binding.binding) == nullptr) return absl::StrCat("it also has binding ", binding.binding);
  }
  return set.create_flags() != expected.create_flags() ? "it has other flags"
                                                       : "it has other lists of mutable descriptor types";
}

}  // namespace assay::core
