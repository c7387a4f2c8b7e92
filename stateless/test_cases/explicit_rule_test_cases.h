// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_EXPLICIT_RULE_TEST_CASES_H_
#define ASSAY_STATELESS_TEST_CASES_EXPLICIT_RULE_TEST_CASES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "messages/messages.h"
#include "stateless/test_cases/implicit_rule_test_cases.h"
#include "stateless/test_cases/minimal_call.h"
#include "stateless/test_cases/route.h"
#include "stateless/test_cases/subject.h"
#include "vk/command_info.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"

// Test-only: the negative test of every explicit rule of vk/rules/explicit_rule_info.h, and its positive counterpart.
// The test makes a call that leads to the rule's structure and in which every condition holds. With a violated
// requirement, or without the feature, the call must be reported by the rule's id alone. With the requirements kept, or
// with the feature, it must be silent. The test decides by itself, without the code under test, whether a requirement
// holds.
namespace assay::stateless {

class ExplicitRuleTestCases {
 public:
  using Visitor =
      std::function<void(const StructInfo& owner, const vk::CommandInfo* command, const vk::ExplicitRuleInfo& rule)>;
  static void ForEachRule(const Visitor& visit) {
    ForEachRuleOf([](const auto& owner) { return vk::ExplicitRulesOf(owner); }, visit);
  }

  // With leave_out, the rule is not checked.
  static Outcome Run(const StructInfo& owner, const vk::CommandInfo* command, const vk::ExplicitRuleInfo& rule,
                     bool leave_out = false);
  // The message of the first violating call; empty if there is none.
  static messages::Message Example(const StructInfo& owner, const vk::CommandInfo* command,
                                   const vk::ExplicitRuleInfo& rule);

  // The route to a rule's owner, and values of the owner's members with which a minimal call violates the rule. Limits
  // are those of TestLimit(), and the rule's absent features are not enabled.
  struct Violation {
    Route route;
    const vk::ExplicitRuleInfo* rule;
    std::vector<Subject> subjects;
    // One for each subject.
    std::vector<uint64_t> values;

    // Makes a correct call on that route wrong.
    void Apply(MinimalCall& call) const { SetSubjects(call, *rule, subjects, values); }
  };
  // Whether a command of a device leads to the owner.
  static bool IsReachable(const StructInfo& owner, const vk::CommandInfo* command);
  // Nothing when the owner is not reachable, and when Run() fails.
  static std::optional<Violation> FindViolation(const StructInfo& owner, const vk::CommandInfo* command,
                                                const vk::ExplicitRuleInfo& rule);
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_EXPLICIT_RULE_TEST_CASES_H_
