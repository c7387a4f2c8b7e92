// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_EXPLICIT_RULE_TABLES_H_
#define ASSAY_VK_RULES_EXPLICIT_RULE_TABLES_H_

#include <cstddef>
#include <cstdint>

#include "vk/rules/explicit_rule_info.h"

// The generated tables behind explicit_rule_info.h.
namespace assay::vk::tables {

inline constexpr uint8_t kNoMember = ExplicitPlace::kNoMember;
inline constexpr ExplicitPlace kNoPlace = {0, {kNoMember, kNoMember, kNoMember, kNoMember}};
inline constexpr uint16_t kNoLimit = ExplicitOperand::kNoLimit;

// Rules in kExplicitRules.
struct ExplicitRuleSpan {
  uint16_t first;
  uint16_t count;
};
extern const ExplicitRuleInfo kExplicitRules[];
extern const ExplicitTerm kExplicitTerms[];
extern const ExplicitHop kExplicitHops[];
extern const ExplicitOperand kExplicitOperands[];
extern const FeatureId kExplicitFeatures[];
extern const LimitInfo kLimits[];
extern const size_t kLimitCount;
// In the order of Structs() and of CommandId.
extern const ExplicitRuleSpan kStructExplicitRules[];
extern const ExplicitRuleSpan kCommandExplicitRules[];

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_RULES_EXPLICIT_RULE_TABLES_H_
