// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_EXPLICIT_RULE_TEST_CASES_H_
#define ASSAY_STATELESS_TEST_CASES_EXPLICIT_RULE_TEST_CASES_H_

#include <functional>
#include <string>
#include <vector>

#include "messages/messages.h"
#include "stateless/test_cases/implicit_rule_test_cases.h"
#include "vk/command_info.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"

// Test-only: the negative test of every explicit rule of vk/rules/explicit_rule_info.h, and its positive twins. A call
// is made that leads to the rule's structure, in which every condition holds; with a requirement broken, or without the
// feature, it must be told of by the rule's id alone, and with the requirements kept, or with the feature, it must be
// silent. Whether a requirement holds is decided here a second time, without the code under test.
namespace assay::stateless {

class ExplicitRuleTestCases {
 public:
  using Visitor = std::function<void(const vk::StructInfo& owner, const vk::CommandInfo* command,
                                     const vk::ExplicitRuleInfo& rule)>;
  static void ForEachRule(const Visitor& visit);

  // With leave_out, as if the rule were not checked.
  static Outcome Run(const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::ExplicitRuleInfo& rule,
                     bool leave_out = false);
  // What the first broken call is told; empty when there is none.
  static messages::Message Example(const vk::StructInfo& owner, const vk::CommandInfo* command,
                                   const vk::ExplicitRuleInfo& rule);
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_EXPLICIT_RULE_TEST_CASES_H_
