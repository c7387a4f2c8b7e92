// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/objects/overlap_map.h"

#include <cstddef>
#include <set>
#include <vector>

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

// Of all sizes, added and removed, against a plain list.
TEST(OverlapMap, AgreesWithAList) {
  struct Range {
    uint64_t begin;
    uint64_t size;
    int value;
  };
  std::vector<Range> list(300);
  OverlapMap<int> map;
  uint64_t state = 1;
  const auto random = [&](uint64_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % limit;
  };
  for (size_t i = 0; i < list.size(); ++i) {
    list[i] = {random(4000), random(uint64_t{1} << random(12)), static_cast<int>(i)};
    map.Add(list[i].begin, list[i].size, &list[i].value);
  }
  for (int round = 0; round < 2000; ++round) {
    if (round % 10 == 0 && !list.empty()) {
      // The values stay where they are.
      Range& removed = list[random(list.size())];
      map.Remove(removed.begin, &removed.value);
      removed.size = 0;
    }
    const uint64_t begin = random(5000), end = begin + random(200);
    Found expected;
    for (const Range& range : list) {
      if (range.size != 0 && range.begin < end && begin < range.begin + range.size && begin < end)
        expected.insert(range.value);
    }
    ASSERT_EQ(Overlaps(map, begin, end), expected) << begin << " to " << end;
  }
}

TEST(OverlapMap, VisitsInOrder) {
  int objects[] = {0, 1, 2};
  OverlapMap<int> map;
  map.Add(20, 1, &objects[2]);
  map.Add(10, 4, &objects[1]);
  map.Add(0, 100, &objects[0]);
  std::vector<int> found;
  map.ForEachOverlap(0, 100, [&](int value) { found.push_back(value); });
  EXPECT_EQ(found, (std::vector<int>{0, 1, 2}));
}

// One large range among many small ones. If a look-up went through all of them, this would take minutes.
TEST(OverlapMap, LargeRangeCostsNothing) {
  constexpr uint64_t kCount = 200'000;
  int object = 0;
  OverlapMap<int> map;
  map.Add(0, uint64_t{1} << 40, &object);
  for (uint64_t i = 0; i < kCount; ++i) map.Add(16 * i, 16, &object);
  uint64_t found = 0;
  for (uint64_t i = 0; i < kCount; ++i) map.ForEachOverlap(16 * i, 16 * i + 1, [&](int) { ++found; });
  EXPECT_EQ(found, 2 * kCount);
}

}  // namespace
}  // namespace assay::state
