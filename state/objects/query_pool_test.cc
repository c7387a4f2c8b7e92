// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/objects/query_pool.h"

#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace assay::state {
namespace {

TEST(QuerySet, FindsTheFirstThatIsMissing) {
  QuerySet set(200);
  EXPECT_EQ(set.FirstMissing(10, 5), 10u);
  set.Add(10, 100);
  EXPECT_TRUE(set.HasAll(10, 100));
  EXPECT_EQ(set.FirstMissing(10, 101), 110u);
  EXPECT_EQ(set.FirstMissing(9, 3), 9u);
  EXPECT_TRUE(set.HasAll(50, 0));
}

TEST(QuerySet, LeavesOutWhatThePoolDoesNotHave) {
  QuerySet set(65);
  set.Add(60, ~0u);
  EXPECT_TRUE(set.HasAll(60, 5));
  EXPECT_TRUE(set.HasAll(60, 100));
  EXPECT_TRUE(set.HasAll(1000, 1));
  EXPECT_FALSE(set.HasAll(59, 1));
}

TEST(QuerySet, TakesVeryLargePoolsAsFull) {
  QuerySet set(~0u);
  set.Add(0, 1);
  EXPECT_TRUE(set.HasAll(5, 1000));
}

TEST(QuerySet, LikeAList) {
  std::minstd_rand random(1);
  for (int round = 0; round < 50; ++round) {
    const uint32_t count = 1 + static_cast<uint32_t>(random() % 300);
    QuerySet set(count);
    std::vector<bool> list(count);
    for (int i = 0; i < 20; ++i) {
      const auto first = static_cast<uint32_t>(random() % count), size = static_cast<uint32_t>(random() % 80);
      if (i % 2 == 0) {
        set.Add(first, size);
        for (uint32_t query = first; query < first + size && query < count; ++query) list[query] = true;
        continue;
      }
      uint32_t missing = first;
      while (missing < first + size && (missing >= count || list[missing])) ++missing;
      EXPECT_EQ(set.FirstMissing(first, size), missing);
    }
  }
}

}  // namespace
}  // namespace assay::state
