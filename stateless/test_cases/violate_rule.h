// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_VIOLATE_RULE_H_
#define ASSAY_STATELESS_TEST_CASES_VIOLATE_RULE_H_

#include <cstdint>

#include "stateless/test_cases/minimal_call.h"
#include "vk/rules/implicit_rule_info.h"

namespace assay::stateless {

// The ways to violate a rule. A pointer that must not be null has more than one.
enum class ViolationKind : uint8_t {
  kInvalidValue,
  // The pointer is an invalid address.
  kInvalidAddress,
  // An element of the array is wrong.
  kElement,
};

// Test-only: makes the call's target violate the rule, and no other. False if the rule cannot be violated in this way.
bool ViolateRule(MinimalCall& call, const vk::ImplicitRuleInfo& rule,
                 ViolationKind violation = ViolationKind::kInvalidValue);

// Gives the call's target, which is in the chain of head, a wrong sType: that of a structure of the same extension or
// version that cannot be in that chain. If there is none, another number of the same range.
void SetWrongStructureType(MinimalCall& call, const vk::StructInfo& head);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_VIOLATE_RULE_H_
