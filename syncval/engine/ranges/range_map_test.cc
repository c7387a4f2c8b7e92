// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/ranges/range_map.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace assay::syncval {
namespace {

std::vector<uint64_t> Begins(const RangeMap& map) {
  std::vector<uint64_t> result;
  for (RangeMap::Cursor cursor = map.Find(0); !map.AtEnd(cursor); cursor = map.Next(cursor)) {
    result.push_back(map.At(cursor).begin);
  }
  return result;
}

TEST(RangeMap, EmptyHasNothing) {
  const RangeMap map;
  EXPECT_TRUE(map.AtEnd(map.Find(0)));
  EXPECT_EQ(map.size(), 0u);
}

TEST(RangeMap, FindsTheFirstThatEndsAfter) {
  RangeMap map;
  map.Insert(map.Find(10), {10, 20, 1});
  map.Insert(map.Find(30), {30, 40, 2});
  EXPECT_EQ(map.At(map.Find(0)).state, 1u);
  EXPECT_EQ(map.At(map.Find(19)).state, 1u);
  EXPECT_EQ(map.At(map.Find(20)).state, 2u);
  EXPECT_TRUE(map.AtEnd(map.Find(40)));
}

// Against a std::map, through many chunks.
TEST(RangeMap, InsertsAndErasesLikeAMap) {
  std::mt19937 random(1);
  RangeMap map;
  std::map<uint64_t, uint32_t> expected;
  for (uint32_t step = 0; step < 20000; ++step) {
    const uint64_t begin = random() % 4000 * 2;
    if (step % 500 == 499) {
      const uint64_t end = begin + random() % 2000;
      map.Erase(map.Find(begin), map.Find(end));
      expected.erase(expected.lower_bound(begin), expected.lower_bound(end));
    } else if (expected.emplace(begin, step).second) {
      const RangeMap::Cursor cursor = map.Insert(map.Find(begin), {begin, begin + 1, step});
      ASSERT_EQ(map.At(cursor).begin, begin);
      ASSERT_EQ(map.At(map.Find(begin)).state, step);
    }
    ASSERT_EQ(map.size(), expected.size());
  }
  std::vector<uint64_t> begins;
  begins.reserve(expected.size());
  for (const auto& [begin, step] : expected) begins.push_back(begin);
  EXPECT_EQ(Begins(map), begins);
  map.Clear();
  EXPECT_TRUE(Begins(map).empty());
}

TEST(RangeMap, GoesBackwards) {
  RangeMap map;
  for (uint64_t i = 0; i < 200; ++i) map.Insert(map.Find(i), {i, i + 1, 0});
  RangeMap::Cursor cursor = map.Find(199);
  for (uint64_t i = 199; i > 0; --i) {
    EXPECT_EQ(map.At(cursor).begin, i);
    cursor = map.Previous(cursor);
  }
  EXPECT_TRUE(map.AtBegin(cursor));
}

}  // namespace
}  // namespace assay::syncval
