// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_SUBJECT_H_
#define ASSAY_STATELESS_TEST_CASES_SUBJECT_H_

#include <cstdint>
#include <vector>

#include "stateless/test_cases/minimal_call.h"
#include "vk/struct_info.h"

namespace assay::stateless {

// A member that terms of an explicit rule are about, and the values that a test case gives it.
struct Subject {
  // The member of the rule's structure, and the member of that if the first is an inline structure; else the same.
  const vk::MemberInfo* outer;
  const vk::MemberInfo* member;
  // In bytes from the beginning of the rule's structure.
  uint32_t offset;
  std::vector<uint64_t> candidates;
};

// Gives the subject a value in the call's target. For a pNext member, the value is the sType of a structure to add to
// the chain; for dynamic state, the one dynamic state; for a handle or another pointer, whether it is not null.
void SetSubject(MinimalCall& call, const Subject& subject, uint64_t value);
// The same for several subjects, each with its value.
void SetSubjects(MinimalCall& call, const std::vector<Subject>& subjects, const std::vector<uint64_t>& values);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_SUBJECT_H_
