// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every explicit rule that the generator reads, and its positive counterpart.

#include <map>
#include <string>

#include "gtest/gtest.h"
#include "stateless/test_cases/explicit_rule_test_cases.h"
#include "vk/vuid.h"

namespace assay::stateless {
namespace {

std::string Id(const vk::ExplicitRuleInfo& rule) { return std::string(vk::GetVuid(rule.vuid).id); }

// The numbers change with the registry.
TEST(ExplicitRules, EachIsReportedByItsOwnIdAlone) {
  std::map<Verdict, int> counts;
  ExplicitRuleTestCases::ForEachRule(
      [&](const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::ExplicitRuleInfo& rule) {
        const Outcome outcome = ExplicitRuleTestCases::Run(owner, command, rule);
        ++counts[outcome.verdict];
        EXPECT_TRUE(outcome.verdict != Verdict::kFailed) << Id(rule) << ": " << outcome.detail;
      });
  EXPECT_GE(counts[Verdict::kPassed], 920);
  EXPECT_LE(counts[Verdict::kUnreachable], 60);
}

// The test of an id fails if its check is removed.
TEST(ExplicitRules, EachTestNeedsItsCheck) {
  int index = 0;
  ExplicitRuleTestCases::ForEachRule(
      [&](const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::ExplicitRuleInfo& rule) {
        constexpr int kEvery = 8;
        if (index++ % kEvery != 0) return;
        EXPECT_TRUE(ExplicitRuleTestCases::Run(owner, command, rule, true).verdict != Verdict::kPassed) << Id(rule);
      });
}

}  // namespace
}  // namespace assay::stateless
