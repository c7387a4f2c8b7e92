// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_VIOLATE_RULE_H_
#define ASSAY_STATELESS_TEST_CASES_VIOLATE_RULE_H_

#include <cstdint>

#include "stateless/test_cases/minimal_call.h"
#include "vk/rules/implicit_rule_info.h"

namespace assay::stateless {

// The ways to break a rule, of which a pointer that must not be null has more than one.
enum class ViolationKind : uint8_t {
  kInvalidValue,
  // The pointer leads nowhere.
  kInvalidAddress,
  // An element of the array is wrong.
  kElement,
};

// Test-only: makes the call's target break the rule, and nothing but it. False when the rule cannot be broken in this
// way.
bool ViolateRule(MinimalCall& call, const vk::ImplicitRuleInfo& rule,
                 ViolationKind violation = ViolationKind::kInvalidValue);

// Gives the call's target, which is in the chain of head, the sType of a structure that the same extension or version
// brings and that cannot be in that chain; or where there is none such, another number of the same range.
void SetWrongStructureType(MinimalCall& call, const vk::StructInfo& head);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_VIOLATE_RULE_H_
