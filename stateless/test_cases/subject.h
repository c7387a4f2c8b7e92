// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_SUBJECT_H_
#define ASSAY_STATELESS_TEST_CASES_SUBJECT_H_

#include <cstdint>
#include <vector>

#include "stateless/test_cases/minimal_call.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"

namespace assay::stateless {

// A member that terms of an explicit rule are about, and the values that a test case gives it.
struct Subject {
  // The member, and the structure that has it.
  const vk::MemberInfo* member;
  const vk::StructInfo* info;
  // In bytes from the beginning of the structure, which is the base-th of the rule (vk::ExplicitHop::origin).
  uint32_t offset;
  uint8_t base;
  // Whether it is an element of the member's array.
  bool is_element;
  std::vector<uint64_t> candidates;
};

// Gives the subjects values in the call's target, and in the structures to which the rule's hops lead from there, of
// each array in its first element. For a pNext member, the value is the sType of a structure to add to
// the chain; for dynamic state, the one dynamic state; for a handle or another pointer, whether it is not null.
void SetSubjects(MinimalCall& call, const vk::ExplicitRuleInfo& rule, const std::vector<Subject>& subjects,
                 const std::vector<uint64_t>& values);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_SUBJECT_H_
