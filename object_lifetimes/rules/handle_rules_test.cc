// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every -parameter, -parent and -commonparent id of a handle in the registry, and its positive
// twin.

#include "object_lifetimes/rules/handle_rules.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "object_lifetimes/test_cases/handle_rule_test_cases.h"

namespace assay::object_lifetimes {
namespace {

std::string Id(vk::VuidIndex rule) { return std::string(vk::GetVuid(rule).id); }

// The numbers change with the registry alone; ids of the objects that commands are dispatched on are in
// dispatched_test.cc.
TEST(HandleRules, EachIsReportedByItsOwnIdAlone) {
  TestObjects objects;
  std::map<HandleRuleKind, std::set<vk::VuidIndex>> tried;
  for (const HandleRule& rule : HandleRulesOfRegistry()) {
    EXPECT_EQ(TestHandleRule(objects, rule), "") << Id(rule.vuid);
    tried[rule.kind].insert(rule.vuid);
  }
  EXPECT_EQ(tried[HandleRuleKind::kValid].size(), 481u);
  EXPECT_EQ(tried[HandleRuleKind::kParent].size(), 156u);
  EXPECT_EQ(tried[HandleRuleKind::kOwner].size(), 4u);
  EXPECT_EQ(tried[HandleRuleKind::kCommonParent].size(), 127u);
}

// The test of each id fails without its check.
TEST(HandleRules, EachTestNeedsItsCheck) {
  TestObjects objects;
  for (const HandleRule& rule : HandleRulesOfRegistry()) {
    const HandleRules without([&](vk::VuidIndex id) { return id == rule.vuid; });
    objects.SetRules(without);
    EXPECT_NE(TestHandleRule(objects, rule), "") << Id(rule.vuid);
  }
}

// Every id of the registry for a handle is checked.
TEST(HandleRules, EveryRuleIsChecked) {
  std::set<vk::VuidIndex> known;
  for (const HandleRule& rule : HandleRulesOfRegistry()) known.insert(rule.vuid);
  int missing = 0;
  for (size_t i = 0; i < vk::kVuidCount; ++i) {
    const vk::VuidIndex rule{static_cast<uint32_t>(i)};
    if (!Id(rule).ends_with("-parent") && !Id(rule).ends_with("-commonparent")) continue;
    if (!known.contains(rule)) ++missing;
  }
  // Two are of structures in the chain of vkExportMetalObjectsEXT, which the driver fills in; one cannot be broken.
  EXPECT_EQ(missing, 3);
}

}  // namespace
}  // namespace assay::object_lifetimes
