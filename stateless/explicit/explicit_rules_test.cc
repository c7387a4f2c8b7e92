// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every explicit rule that the generator reads, and its positive counterpart. When rules are
// compiled.

#include "stateless/explicit/explicit_rules.h"

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/explicit/device_capabilities.h"
#include "stateless/test_cases/explicit_rule_test_cases.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"

namespace assay::stateless {
namespace {

std::string Id(const vk::ExplicitRuleInfo& rule) { return std::string(vk::GetVuid(rule.vuid).id); }

// The numbers change with the registry.
TEST(ExplicitRules, EachIsReportedByItsOwnIdAlone) {
  std::map<Verdict, int> counts;
  ExplicitRuleTestCases::ForEachRule([&](const auto& owner, const auto* command, const auto& rule) {
    const Outcome outcome = ExplicitRuleTestCases::Run(owner, command, rule);
    ++counts[outcome.verdict];
    EXPECT_TRUE(outcome.verdict != Verdict::kFailed) << Id(rule) << ": " << outcome.detail;
  });
  EXPECT_GE(counts[Verdict::kPassed], 1050);
  EXPECT_LE(counts[Verdict::kUnreachable], 60);
}

// The test of an id fails if its check is removed.
TEST(ExplicitRules, EachTestNeedsItsCheck) {
  int index = 0;
  ExplicitRuleTestCases::ForEachRule([&](const auto& owner, const auto* command, const auto& rule) {
    constexpr int kEvery = 8;
    if (index++ % kEvery != 0) return;
    EXPECT_TRUE(ExplicitRuleTestCases::Run(owner, command, rule, true).verdict != Verdict::kPassed) << Id(rule);
  });
}

// A device without features that counts what it is asked.
class CountingCapabilities : public DeviceCapabilities {
 public:
  bool HasFeature(vk::FeatureId) const override {
    ++questions;
    return false;
  }
  std::optional<uint64_t> Limit(uint16_t) const override {
    ++questions;
    return 16;
  }
  const VkPhysicalDeviceLimits& CoreLimits() const override { return limits_; }
  bool HasExtension(vk::ExtensionId) const override { return false; }
  uint32_t ApiVersion() const override { return VK_API_VERSION_1_3; }

  mutable std::atomic<int> questions = 0;

 private:
  const VkPhysicalDeviceLimits limits_ = {};
};

// The address of the requirements of each structure.
std::vector<const FastPathRequirement*> RequirementsOfAll(const ExplicitRules& rules) {
  std::vector<const FastPathRequirement*> all;
  for (size_t type = 0; type < vk::Structs().size(); ++type) {
    all.push_back(rules.Requirements(static_cast<vk::TypeIndex>(type)).data());
  }
  return all;
}

TEST(ExplicitRules, AreCompiledWhenFirstNeeded) {
  const CountingCapabilities capabilities;
  const ExplicitRules rules(capabilities);
  EXPECT_EQ(capabilities.questions, 0);
  const std::vector<const FastPathRequirement*> all = RequirementsOfAll(rules);
  const int once = capabilities.questions;
  EXPECT_GT(once, 0);
  EXPECT_EQ(RequirementsOfAll(rules), all);
  EXPECT_EQ(capabilities.questions, once);
}

TEST(ExplicitRules, ThreadsSeeTheSameRules) {
  const CountingCapabilities capabilities;
  const ExplicitRules rules(capabilities);
  std::vector<std::vector<const FastPathRequirement*>> seen(4);
  std::vector<std::thread> threads;
  for (auto& of_thread : seen) {
    threads.emplace_back([&rules, &of_thread] { of_thread = RequirementsOfAll(rules); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& of_thread : seen) EXPECT_EQ(of_thread, seen[0]);
}

}  // namespace
}  // namespace assay::stateless
