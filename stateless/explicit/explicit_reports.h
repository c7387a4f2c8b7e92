// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_EXPLICIT_REPORTS_H_
#define ASSAY_STATELESS_EXPLICIT_EXPLICIT_REPORTS_H_

#include <cstdint>

#include "stateless/implicit/path.h"
#include "stateless/implicit/reports.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"

namespace assay::stateless {

// A violation of an explicit rule, to be reported.
struct RuleViolation {
  const vk::ExplicitRuleInfo& rule;
  // The rule's owner, and the path to the structure with the term's number; the path is null for parameters.
  const vk::StructInfo& info;
  const Step* where;
  // The requirement that does not hold, or the condition under which a feature is required; null if there is neither.
  const vk::ExplicitTerm* term;
  // The member's number, and the number that it is compared with.
  uint64_t value;
  uint64_t operand;
};

void ReportViolation(const CheckedCall& call, const RuleViolation& violation);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_EXPLICIT_REPORTS_H_
