// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_IMPLICIT_RULE_TABLES_H_
#define ASSAY_VK_RULES_IMPLICIT_RULE_TABLES_H_

#include <cstdint>

#include "vk/rules/implicit_rule_info.h"

// The generated tables behind implicit_rule_info.h.
namespace assay::vk::tables {

inline constexpr uint8_t kNoAlternative = ImplicitRuleInfo::kNoAlternative;

// Rules in kRules.
struct RuleSpan {
  uint16_t first;
  uint16_t count;
};
extern const ImplicitRuleInfo kRules[];
// In the order of Structs() and of CommandId.
extern const RuleSpan kStructRules[];
extern const RuleSpan kCommandRules[];

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_RULES_IMPLICIT_RULE_TABLES_H_
