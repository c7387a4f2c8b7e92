// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/spirv/builtin_rule_info.h"

#include <algorithm>

#include "vk/spirv/builtin_rule_tables.h"

namespace assay::vk {

bool BuiltInRule::AppliesTo(spv::ExecutionModel model) const {
  return models.empty() || (std::ranges::find(models, model) != models.end()) != excludes_models;
}

std::span<const BuiltInRule> BuiltInRules() { return {tables::kBuiltInRules, tables::kBuiltInRuleCount}; }

std::span<const BuiltInRule> BuiltInRulesOf(spv::BuiltIn built_in) {
  const std::span<const BuiltInRule> rules = BuiltInRules();
  // Modules have few built-ins, and this is asked once for each.
  const auto is_of = [built_in](const BuiltInRule& rule) { return rule.built_in == built_in; };
  const auto first = std::ranges::find_if(rules, is_of);
  return {first, std::find_if_not(first, rules.end(), is_of)};
}

}  // namespace assay::vk
