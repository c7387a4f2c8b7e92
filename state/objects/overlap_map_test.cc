// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/objects/overlap_map.h"

#include <set>

#include "gtest/gtest.h"

namespace assay::state {
namespace {

std::multiset<int> Overlaps(const OverlapMap<int>& map, uint64_t begin, uint64_t end) {
  std::multiset<int> found;
  map.ForEachOverlap(begin, end, [&](int value) { found.insert(value); });
  return found;
}
using Found = std::multiset<int>;

TEST(OverlapMap, FindsWhatSharesAByte) {
  int objects[] = {0, 1, 2};
  OverlapMap<int> map;
  map.Add(100, 100, &objects[0]);
  map.Add(150, 10, &objects[1]);
  map.Add(200, 50, &objects[2]);
  EXPECT_EQ(Overlaps(map, 0, 100), Found{});
  EXPECT_EQ(Overlaps(map, 0, 101), Found{0});
  EXPECT_EQ(Overlaps(map, 159, 160), (Found{0, 1}));
  EXPECT_EQ(Overlaps(map, 160, 200), Found{0});
  EXPECT_EQ(Overlaps(map, 199, 201), (Found{0, 2}));
  EXPECT_EQ(Overlaps(map, 250, 300), Found{});
  EXPECT_EQ(Overlaps(map, 0, ~uint64_t{0}), (Found{0, 1, 2}));
}

TEST(OverlapMap, Removes) {
  int objects[] = {0, 1};
  OverlapMap<int> map;
  map.Add(0, 10, &objects[0]);
  map.Add(0, 10, &objects[1]);
  map.Add(20, 10, &objects[0]);
  map.Remove(0, &objects[0]);
  map.Remove(1, &objects[1]);
  EXPECT_EQ(Overlaps(map, 0, 100), (Found{0, 1}));
  map.Remove(0, &objects[1]);
  EXPECT_EQ(Overlaps(map, 0, 20), Found{});
}

}  // namespace
}  // namespace assay::state
