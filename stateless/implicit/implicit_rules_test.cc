// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every implicit rule and the positive twin of every command, made from the registry.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/test_cases/implicit_rule_test_cases.h"

namespace assay::stateless {
namespace {

// What can be tried and what not; the numbers change with the registry and what is checked.
TEST(ImplicitRules, EachIsToldByItsOwnIdAloneOrNamed) {
  const RuleTrial trial(Programs::All());
  std::map<Verdict, int> counts;
  RuleTrial::ForEachRule([&](const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::RuleInfo& rule) {
    const Outcome outcome = trial.Try(owner, command, rule);
    ++counts[outcome.verdict];
    EXPECT_TRUE(outcome.verdict != Verdict::kFailed) << vk::GetVuid(rule.vuid).id << ": " << outcome.detail;
  });
  EXPECT_GE(counts[Verdict::kPassed], 3044);
  EXPECT_GE(counts[Verdict::kNamed], 682);
  EXPECT_EQ(counts[Verdict::kPassedByAnother], 0);
  EXPECT_LE(counts[Verdict::kUnbreakable], 19);
  EXPECT_LE(counts[Verdict::kUnreachable], 31);
}

// The test of an id fails when its check is taken out.
TEST(ImplicitRules, EachTestNeedsItsCheck) {
  std::vector<std::function<Verdict(const RuleTrial&)>> tries;
  std::vector<vk::VuidIndex> ids;
  const RuleTrial whole(Programs::All());
  RuleTrial::ForEachRule([&](const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::RuleInfo& rule) {
    const Verdict verdict = whole.Try(owner, command, rule).verdict;
    if (verdict != Verdict::kPassed && verdict != Verdict::kNamed) return;
    ids.push_back(rule.vuid);
    tries.push_back([&, command](const RuleTrial& trial) { return trial.Try(owner, command, rule).verdict; });
  });
  constexpr size_t kSample = 200;
  ASSERT_GE(tries.size(), kSample);
  for (size_t i = 0; i < kSample; ++i) {
    const size_t at = i * tries.size() / kSample;
    const Programs without([&](vk::VuidIndex id) { return id == ids[at]; });
    const Verdict verdict = tries[at](RuleTrial(without));
    EXPECT_TRUE(verdict == Verdict::kFailed || verdict == Verdict::kPassedByAnother) << vk::GetVuid(ids[at]).id;
  }
}

TEST(ImplicitRules, MinimalCallsAreSilent) {
  const RuleTrial trial(Programs::All());
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    EXPECT_EQ(trial.Check(FabricatedCall({&command, {}})), std::vector<std::string>()) << command.name;
  }
}

// What is recorded is nearly always simple enough to be found correct without the interpreter.
TEST(ImplicitRules, MinimalRecordedCallsAreQuick) {
  const RuleTrial trial(Programs::All());
  int recorded = 0;
  int quick = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (command.dispatch != vk::DispatchLevel::kCommandBuffer) continue;
    ++recorded;
    quick += trial.IsQuick(FabricatedCall({&command, {}}));
  }
  EXPECT_GE(quick, recorded * 9 / 10);
}

}  // namespace
}  // namespace assay::stateless
