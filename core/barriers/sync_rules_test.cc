// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every rule and its positive twin. Each negative test must fail without its check.

#include "core/barriers/sync_rules.h"

#include <set>

#include "core/test_cases/sync_test_cases.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

TEST(SyncRules, EachIsReportedByItsOwnIdAlone) {
  std::set<std::string> ids;
  for (const SyncTestCase& test_case : SyncTestCases()) {
    vk::VuidIndex index{};
    ASSERT_TRUE(vk::FindVuid(test_case.id, &index)) << test_case.id;
    EXPECT_EQ(RunTestCase(test_case), "") << test_case.id;
    ids.insert(test_case.id);
  }
  EXPECT_GE(ids.size(), 740u);
}

TEST(SyncRules, EachTestNeedsItsCheck) {
  for (const SyncTestCase& test_case : SyncTestCases()) {
    vk::VuidIndex rule{};
    ASSERT_TRUE(vk::FindVuid(test_case.id, &rule)) << test_case.id;
    EXPECT_NE(RunTestCase(test_case, [&](vk::VuidIndex id) { return id == rule; }), "") << test_case.id;
  }
}

}  // namespace
}  // namespace assay::core
