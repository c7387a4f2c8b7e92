// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "object_lifetimes/test_cases/dispatched_test_cases.h"

namespace assay::object_lifetimes {
namespace {

TEST(Dispatched, EachUnknownObjectIsReportedByItsOwnId) {
  TestObjects objects;
  std::set<vk::VuidIndex> tried;
  TestDispatched(objects, [&](vk::VuidIndex rule, const std::string& wrong) {
    EXPECT_EQ(wrong, "") << vk::GetVuid(rule).id;
    tried.insert(rule);
  });
  EXPECT_EQ(tried.size(), 617u);
}

}  // namespace
}  // namespace assay::object_lifetimes
