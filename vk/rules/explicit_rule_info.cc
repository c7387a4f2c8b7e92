// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/rules/explicit_rule_info.h"

#include <algorithm>
#include <cstddef>

#include "vk/rules/explicit_rule_tables.h"

namespace assay::vk {
namespace {

std::span<const ExplicitRuleInfo> Rules(const tables::ExplicitRuleSpan& span) {
  return {tables::kExplicitRules + span.first, span.count};
}

}  // namespace

std::span<const ExplicitRuleInfo> ExplicitRulesOf(const StructInfo& structure) {
  return Rules(tables::kStructExplicitRules[&structure - Structs().data()]);
}

std::span<const ExplicitRuleInfo> ExplicitRulesOf(CommandId command) {
  return Rules(tables::kCommandExplicitRules[static_cast<size_t>(command)]);
}

std::span<const ExplicitTerm> Conditions(const ExplicitRuleInfo& rule) {
  return {tables::kExplicitTerms + rule.first_term, rule.condition_count};
}

std::span<const ExplicitTerm> Requirements(const ExplicitRuleInfo& rule) {
  return {tables::kExplicitTerms + rule.first_term + rule.condition_count, rule.requirement_count};
}

std::span<const ExplicitOperand> Operands(const ExplicitTerm& term) {
  return {tables::kExplicitOperands + term.first_operand, term.operand_count};
}

std::span<const FeatureId> AbsentFeatures(const ExplicitRuleInfo& rule) {
  return {tables::kExplicitFeatures + rule.first_feature, rule.absent_count};
}

std::span<const FeatureId> PresentFeatures(const ExplicitRuleInfo& rule) {
  return {tables::kExplicitFeatures + rule.first_feature + rule.absent_count, rule.present_count};
}

std::span<const LimitInfo> Limits() { return {tables::kLimits, tables::kLimitCount}; }

size_t FindLimit(std::string_view name) {
  const auto limits = Limits();
  return static_cast<size_t>(std::ranges::find(limits, name, &LimitInfo::name) - limits.begin());
}

}  // namespace assay::vk
