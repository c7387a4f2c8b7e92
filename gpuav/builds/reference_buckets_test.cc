// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/builds/reference_buckets.h"

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

using ::testing::Contains;
using ::testing::Each;

constexpr size_t kBuckets = 64;

// What the memory held before does not matter.
class ReferenceBucketsTest : public ::testing::Test {
 protected:
  std::vector<uint64_t> memory_ = std::vector<uint64_t>(kBuckets * ReferenceBuckets::kSlots, 0x1234);
  ReferenceBuckets buckets_{absl::MakeSpan(memory_)};
};

TEST_F(ReferenceBucketsTest, AddressesComeAndGo) {
  EXPECT_FALSE(buckets_.Has(0x1234));
  EXPECT_TRUE(buckets_.Insert(0x100));
  EXPECT_TRUE(buckets_.Insert(0x700000100));
  EXPECT_TRUE(buckets_.Has(0x100));
  EXPECT_TRUE(buckets_.Has(0x700000100));
  EXPECT_FALSE(buckets_.Has(0x700000000));
  EXPECT_THAT(memory_, Contains(0x700000100));
  EXPECT_EQ(buckets_.slots(), memory_);
  buckets_.Remove(0x100);
  buckets_.Remove(0x200);
  EXPECT_FALSE(buckets_.Has(0x100));
  EXPECT_TRUE(buckets_.Has(0x700000100));
  buckets_.Remove(0x700000100);
  EXPECT_THAT(memory_, Each(0));
}

TEST_F(ReferenceBucketsTest, NothingIsInNoBuckets) {
  ReferenceBuckets none;
  EXPECT_FALSE(none.Insert(0x100));
  EXPECT_FALSE(none.Has(0x100));
  none.Remove(0x100);
}

// Structures lie one behind the other. More than half of the slots are used then before there is no room for one.
TEST_F(ReferenceBucketsTest, RoomEnds) {
  size_t count = 0;
  while (buckets_.Insert(0x7f00000000 + count * 0x100)) ++count;
  EXPECT_GT(count, memory_.size() / 2);
  EXPECT_LE(count, memory_.size());
  for (size_t i = 0; i < count; ++i) EXPECT_TRUE(buckets_.Has(0x7f00000000 + i * 0x100));
  EXPECT_FALSE(buckets_.Has(0x7f00000000 + count * 0x100));
}

// A program that makes and destroys structures in each frame, beside others that stay, never needs more buckets.
TEST_F(ReferenceBucketsTest, RandomAddresses) {
  std::mt19937_64 random(7);
  std::set<uint64_t> model;
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t address = (random() % 10'000 + 1) * 0x100 + (random() % 3 << 32);
    ASSERT_EQ(buckets_.Has(address), model.contains(address));
    if (model.erase(address) != 0) {
      buckets_.Remove(address);
    } else {
      model.insert(address);
      ASSERT_TRUE(buckets_.Insert(address));
    }
    // Those with high addresses stay.
    if (model.size() > memory_.size() / 3) {
      buckets_.Remove(*model.begin());
      model.erase(model.begin());
    }
  }
  for (const uint64_t live : model) EXPECT_TRUE(buckets_.Has(live));
}

}  // namespace
}  // namespace assay::gpuav
