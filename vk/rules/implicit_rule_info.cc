// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/rules/implicit_rule_info.h"

#include <cstddef>

#include "vk/rules/implicit_rule_tables.h"

namespace assay::vk {
namespace {

std::span<const ImplicitRuleInfo> Rules(const tables::RuleSpan& span) {
  return {tables::kRules + span.first, span.count};
}

}  // namespace

std::span<const ImplicitRuleInfo> ImplicitRulesOf(const StructInfo& structure) {
  return Rules(tables::kStructRules[&structure - Structs().data()]);
}

std::span<const ImplicitRuleInfo> ImplicitRulesOf(CommandId command) {
  return Rules(tables::kCommandRules[static_cast<size_t>(command)]);
}

}  // namespace assay::vk
