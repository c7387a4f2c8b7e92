// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative test of every rule and its positive twin, and that each negative test needs its check.

#include "core/barriers/sync_rules.h"

#include <set>

#include "core/test_cases/sync_test_cases.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

TEST(SyncRules, EachIsToldByItsOwnIdAlone) {
  std::set<std::string> ids;
  for (const SyncTrial& trial : SyncTrials()) {
    vk::VuidIndex index{};
    ASSERT_TRUE(vk::FindVuid(trial.id, &index)) << trial.id;
    EXPECT_EQ(Try(trial), "") << trial.id;
    ids.insert(trial.id);
  }
  EXPECT_GE(ids.size(), 740u);
}

TEST(SyncRules, EachTestNeedsItsCheck) {
  for (const SyncTrial& trial : SyncTrials()) {
    vk::VuidIndex rule{};
    ASSERT_TRUE(vk::FindVuid(trial.id, &rule)) << trial.id;
    EXPECT_NE(Try(trial, [&](vk::VuidIndex id) { return id == rule; }), "") << trial.id;
  }
}

}  // namespace
}  // namespace assay::core
