// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/replay/unordered_accesses.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/vector_clock.h"

namespace assay::syncval {
namespace {

VectorClock ClockOf(uint8_t queue, uint32_t end) {
  VectorClock clock;
  clock.Extend(QueueIndex{queue}, Tag{end});
  return clock;
}

TEST(UnorderedAccessesTest, JoinsWhatMeets) {
  UnorderedAccesses unordered;
  unordered.Add({0, 4}, ClockOf(0, 5));
  unordered.Add({8, 12}, ClockOf(0, 6));
  unordered.Add({3, 6}, ClockOf(1, 7));
  ASSERT_EQ(unordered.entries().size(), 2);
  EXPECT_EQ(unordered.entries()[0].range, (Range{0, 6}));
  EXPECT_TRUE(unordered.entries()[0].accesses.Has(QueueIndex{0}, Tag{4}));
  EXPECT_TRUE(unordered.entries()[0].accesses.Has(QueueIndex{1}, Tag{6}));
  EXPECT_FALSE(unordered.entries()[1].accesses.Has(QueueIndex{1}, Tag{0}));
}

TEST(UnorderedAccessesTest, KeepsWhatIsNotComplete) {
  UnorderedAccesses unordered;
  unordered.Add({0, 4}, ClockOf(0, 5));
  unordered.Add({0, 4}, ClockOf(1, 9));
  unordered.Forget(ClockOf(0, 5));
  EXPECT_FALSE(unordered.empty());
  VectorClock both = ClockOf(0, 5);
  both.Extend(ClockOf(1, 9));
  unordered.Forget(both);
  EXPECT_TRUE(unordered.empty());
}

TEST(UnorderedAccessesTest, ForgetsWholeRanges) {
  UnorderedAccesses unordered;
  unordered.Add({4, 8}, ClockOf(0, 5));
  unordered.Forget(Range{6, 8});
  EXPECT_FALSE(unordered.empty());
  unordered.Forget(Range{0, 8});
  EXPECT_TRUE(unordered.empty());
}

TEST(UnorderedAccessesTest, MovesTagsDown) {
  UnorderedAccesses unordered;
  unordered.Add({4, 8}, ClockOf(0, 5));
  unordered.MoveTagsDown(3);
  EXPECT_TRUE(unordered.entries()[0].accesses.Has(QueueIndex{0}, Tag{1}));
  EXPECT_FALSE(unordered.entries()[0].accesses.Has(QueueIndex{0}, Tag{2}));
}

TEST(UnorderedAccessesTest, AreBounded) {
  UnorderedAccesses unordered;
  for (uint32_t i = 0; i < 10 * UnorderedAccesses::kMaxEntries; ++i) {
    unordered.Add({uint64_t{4} * i, uint64_t{4} * i + 2}, ClockOf(0, i + 1));
    ASSERT_LE(unordered.entries().size(), UnorderedAccesses::kMaxEntries);
  }
  EXPECT_EQ(unordered.entries().front().range.begin, 0);
  EXPECT_FALSE(unordered.entries().front().accesses == VectorClock());
}

}  // namespace
}  // namespace assay::syncval
