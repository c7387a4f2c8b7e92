// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every implicit rule and the positive counterpart of every command, made from the registry.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/test_cases/implicit_rule_test_cases.h"

namespace assay::stateless {
namespace {

// The number of rules with each verdict. It changes with the registry and the checks.
TEST(ImplicitRules, EachIsReportedByItsOwnIdAloneOrAsRelated) {
  const ImplicitRuleTestCases cases(Programs::All());
  std::map<Verdict, int> counts;
  ImplicitRuleTestCases::ForEachRule([&](const auto& owner, const auto* command, const auto& rule) {
    const Outcome outcome = cases.Run(owner, command, rule);
    ++counts[outcome.verdict];
    EXPECT_TRUE(outcome.verdict != Verdict::kFailed) << vk::GetVuid(rule.vuid).id << ": " << outcome.detail;
  });
  EXPECT_GE(counts[Verdict::kPassed], 3044);
  EXPECT_GE(counts[Verdict::kReportedAsRelated], 682);
  EXPECT_EQ(counts[Verdict::kReportedByAnotherId], 0);
  EXPECT_LE(counts[Verdict::kUnbreakable], 19);
  EXPECT_LE(counts[Verdict::kUnreachable], 31);
}

// The test of an id fails if its check is removed.
TEST(ImplicitRules, EachTestNeedsItsCheck) {
  std::vector<std::function<Verdict(const ImplicitRuleTestCases&)>> tries;
  std::vector<vk::VuidIndex> ids;
  const ImplicitRuleTestCases whole(Programs::All());
  ImplicitRuleTestCases::ForEachRule([&](const auto& owner, const auto* command, const auto& rule) {
    const Verdict verdict = whole.Run(owner, command, rule).verdict;
    if (verdict != Verdict::kPassed && verdict != Verdict::kReportedAsRelated) return;
    ids.push_back(rule.vuid);
    tries.push_back(
        [&, command](const ImplicitRuleTestCases& cases) { return cases.Run(owner, command, rule).verdict; });
  });
  constexpr size_t kSample = 200;
  ASSERT_GE(tries.size(), kSample);
  for (size_t i = 0; i < kSample; ++i) {
    const size_t at = i * tries.size() / kSample;
    const Programs without([&](vk::VuidIndex id) { return id == ids[at]; });
    const Verdict verdict = tries[at](ImplicitRuleTestCases(without));
    EXPECT_TRUE(verdict == Verdict::kFailed || verdict == Verdict::kReportedByAnotherId) << vk::GetVuid(ids[at]).id;
  }
}

// Nearly all recorded commands are simple enough for the fast path.
TEST(ImplicitRules, MinimalCallsAreSilentAndFast) {
  const ImplicitRuleTestCases cases(Programs::All());
  int recorded = 0, fast = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    const MinimalCall call({&command, {}});
    EXPECT_EQ(cases.Check(call), std::vector<std::string>()) << command.name;
    if (command.dispatch != vk::DispatchLevel::kCommandBuffer) continue;
    ++recorded;
    fast += cases.TakesFastPath(call);
  }
  EXPECT_GE(fast, recorded * 9 / 10);
}

}  // namespace
}  // namespace assay::stateless
