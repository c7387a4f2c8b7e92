// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/ranges/range_map.h"

#include <algorithm>
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

// The same entries in a sorted vector.
class RangeMapBesideAVector {
 public:
  explicit RangeMapBesideAVector(uint32_t seed) : random_(seed) {}

  void Step(uint32_t number) {
    const uint32_t what = Below(1000);
    if (what == 0) {
      map_.Clear();
      expected_.clear();
    } else if (what < 5) {
      Erase(RandomAddress(), Below(400));
    } else if (what < 100) {
      Erase(RandomAddress(), 8);
    } else if (what < 490) {
      Insert(RandomAddress(), number);
    } else if (what < 500) {
      InsertSeveral(RandomAddress(), Below(Below(4) == 0 ? 200 : 8), number);
    } else if (what < 600) {
      MoveEnds(RandomAddress());
    }
    // Most near each other, as a command buffer's are.
    last_ = Below(8) == 0 ? RandomAddress() : last_ + Below(9);
    for (const uint64_t address : {last_, last_ + 3, last_ - std::min<uint64_t>(last_, 3), last_})
      ASSERT_NO_FATAL_FAILURE(Find(address)) << "step " << number << ", address " << address;
    ASSERT_EQ(map_.size(), expected_.size());
  }
  size_t size() const { return expected_.size(); }

 private:
  uint32_t Below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }
  uint64_t RandomAddress() { return Below(8000); }
  // As RangeMap::Find.
  std::vector<RangeMap::Entry>::iterator FirstAfter(uint64_t address) {
    return std::ranges::upper_bound(expected_, address, {}, &RangeMap::Entry::end);
  }

  void Find(uint64_t address) {
    const RangeMap::Cursor cursor = map_.Find(address);
    const auto entry = FirstAfter(address);
    ASSERT_EQ(map_.AtEnd(cursor), entry == expected_.end());
    if (entry == expected_.end()) return;
    ASSERT_EQ(map_.At(cursor).begin, entry->begin);
    ASSERT_EQ(map_.At(cursor).end, entry->end);
    ASSERT_EQ(map_.At(cursor).state, entry->state);
  }
  void Insert(uint64_t begin, uint32_t state) {
    const RangeMap::Entry entry = {begin, begin + 1 + Below(4), state};
    const auto next = FirstAfter(begin);
    if (next != expected_.end() && next->begin < entry.end) return;
    map_.Insert(map_.Find(begin), entry);
    expected_.insert(next, entry);
  }
  // As many as fit before the next one.
  void InsertSeveral(uint64_t begin, uint32_t count, uint32_t state) {
    if (count > 8) Erase(begin, 2 * count);
    const auto next = FirstAfter(begin);
    std::vector<RangeMap::Entry> entries;
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t entry_begin = entries.empty() ? begin : entries.back().end + Below(2);
      const RangeMap::Entry entry = {entry_begin, entry_begin + 1, state};
      if (next != expected_.end() && next->begin < entry.end) break;
      entries.push_back(entry);
    }
    map_.Insert(map_.Find(begin), entries);
    expected_.insert(next, entries.begin(), entries.end());
  }
  void Erase(uint64_t begin, uint32_t size) {
    const RangeMap::Cursor first = map_.Find(begin);
    map_.Erase(first, map_.Find(begin + size));
    expected_.erase(FirstAfter(begin), FirstAfter(begin + size));
  }
  // To anywhere between its neighbours.
  void MoveEnds(uint64_t address) {
    const auto entry = FirstAfter(address);
    if (entry == expected_.end()) return;
    const RangeMap::Cursor cursor = map_.Find(address);
    const uint64_t limit = entry + 1 != expected_.end() ? (entry + 1)->begin : entry->end + 4;
    const uint64_t least = entry != expected_.begin() ? (entry - 1)->end : 0;
    entry->begin -= Below(static_cast<uint32_t>(entry->begin - least) + 1) / 4;
    entry->end = entry->begin + 1 + Below(static_cast<uint32_t>(limit - entry->begin));
    map_.SetBegin(cursor, entry->begin);
    map_.SetEnd(cursor, entry->end);
  }

  std::mt19937 random_;
  RangeMap map_;
  std::vector<RangeMap::Entry> expected_;
  uint64_t last_ = 0;
};

// Each search begins where the last one ended, whatever has changed since.
TEST(RangeMap, FindsLikeASortedVector) {
  size_t largest = 0;
  for (uint32_t seed = 0; seed < 4; ++seed) {
    RangeMapBesideAVector both(seed);
    for (uint32_t step = 0; step < 20'000; ++step) {
      ASSERT_NO_FATAL_FAILURE(both.Step(step)) << "seed " << seed;
      largest = std::max(largest, both.size());
    }
  }
  // Several chunks.
  EXPECT_GT(largest, 200u);
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
