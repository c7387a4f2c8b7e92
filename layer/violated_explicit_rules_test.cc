// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative tests of the explicit rules that the generator reads (vk/rules/explicit_rule_info.h), through the whole
// layer. One rule is violated by a call that is correct otherwise. Among the messages there is one under the rule's id,
// and the call does not reach the driver. The positive twin is minimal_calls_test.
//
// Many rules apply only without certain features. There is one device, and one test, for each set of features that a
// rule needs to be absent.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "stateless/test_cases/explicit_rule_test_cases.h"
#include "stateless/test_cases/test_limit.h"
#include "vk/command_info.h"
#include "vk/feature_info.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

using stateless::ExplicitRuleTestCases;

struct RuleOfOwner {
  const vk::StructInfo* owner;
  // If the owner is a command's parameters.
  const vk::CommandInfo* command;
  const vk::ExplicitRuleInfo* rule;
};

// Rules that apply to the same devices.
struct RuleGroup {
  std::string name;
  Lacking lacking;
  std::vector<RuleOfOwner> rules;
};
void PrintTo(const RuleGroup& group, std::ostream* out) { *out << group.name; }

std::vector<RuleGroup> Groups() {
  std::map<std::pair<std::set<vk::FeatureId>, uint32_t>, RuleGroup> groups;
  ExplicitRuleTestCases::ForEachRule(
      [&](const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::ExplicitRuleInfo& rule) {
        if (!ExplicitRuleTestCases::IsReachable(owner, command)) return;
        const auto absent = vk::AbsentFeatures(rule);
        const Lacking lacking{.features = {absent.begin(), absent.end()}, .version = rule.before};
        RuleGroup& group = groups[{lacking.features, lacking.version}];
        group.lacking = lacking;
        group.rules.push_back({&owner, command, &rule});
      });
  std::vector<RuleGroup> result;
  for (auto& [key, group] : groups) {
    // Features of several authors may share a name.
    group.name = absl::StrCat(result.size());
    for (const vk::FeatureId feature : group.lacking.features)
      absl::StrAppend(&group.name, "_", vk::FeatureName(feature));
    result.push_back(std::move(group));
  }
  return result;
}

class ViolatedExplicitRules : public MinimalCallsFixture, public testing::WithParamInterface<RuleGroup> {
 protected:
  ViolatedExplicitRules() : MinimalCallsFixture(true, GetParam().lacking) {}

  // The driver has the limits that the test cases assume.
  void SetUp() override {
    test::MockConfig& config = driver().config();
    SetLimits(VK_STRUCTURE_TYPE_MAX_ENUM, &config.limits);
    config.adjust_properties = [](VkBaseOutStructure* properties) { SetLimits(properties->sType, properties); };
    MinimalCallsFixture::SetUp();
  }

 private:
  static void SetLimits(VkStructureType type, void* structure) {
    for (const vk::LimitInfo& limit : vk::Limits()) {
      const uint64_t value = stateless::TestLimit(limit);
      if (limit.structure_type == type) std::memcpy(static_cast<char*>(structure) + limit.offset, &value, limit.size);
    }
  }
};

TEST_P(ViolatedExplicitRules, AreReported) {
  for (const auto& [owner, command, rule] : GetParam().rules) {
    const std::string_view id = vk::GetVuid(rule->vuid).id;
    const auto violation = ExplicitRuleTestCases::FindViolation(*owner, command, *rule);
    if (!violation.has_value()) {
      ADD_FAILURE() << id;
      continue;
    }
    const auto call = PrepareAnywhere(violation->route);
    // A length that grows makes new parameters.
    const auto dispatched_on = vk::Load<void*>(call->parameters());
    violation->Apply(*call);
    vk::Store(call->parameters(), dispatched_on);
    ExpectReport(*call, id);
  }
}

INSTANTIATE_TEST_SUITE_P(Without, ViolatedExplicitRules, testing::ValuesIn(Groups()),
                         [](const auto& info) { return info.param.name; });

// The number changes with the registry.
TEST(ViolatedExplicitRuleGroups, HaveTheRules) {
  size_t count = 0;
  for (const RuleGroup& group : Groups()) count += group.rules.size();
  EXPECT_GE(count, 1050u);
}

}  // namespace
}  // namespace assay::layer
