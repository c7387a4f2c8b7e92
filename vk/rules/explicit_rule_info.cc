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

std::span<const ExplicitHop> Hops(const ExplicitRuleInfo& rule) {
  return {tables::kExplicitHops + rule.first_hop, rule.hop_count};
}

ExplicitTarget TargetOf(const StructInfo& owner, const ExplicitRuleInfo& rule, const ExplicitPlace& place) {
  if (place.base != 0 && place.path[0] == ExplicitPlace::kNoMember) {
    const ExplicitHop& hop = Hops(rule)[place.base - 1];
    const StructInfo& info = StructAt(owner, rule, hop.origin);
    return {&info.members[hop.member], &info.members[hop.member], &info, 0};
  }
  ExplicitTarget target = {};
  for (const uint8_t step : place.path) {
    if (step == ExplicitPlace::kNoMember) break;
    target.info = target.member != nullptr ? &Structs()[target.member->type] : &StructAt(owner, rule, place.base);
    target.member = &target.info->members[step];
    if (target.outer == nullptr) target.outer = target.member;
    target.offset += target.member->offset;
  }
  return target;
}

const StructInfo& StructAt(const StructInfo& owner, const ExplicitRuleInfo& rule, uint8_t base) {
  if (base == 0) return owner;
  const ExplicitHop& hop = Hops(rule)[base - 1];
  if (hop.link != VkStructureType{}) return *FindStruct(hop.link);
  return Structs()[StructAt(owner, rule, hop.origin).members[hop.member].type];
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
