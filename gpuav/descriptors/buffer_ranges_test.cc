// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/buffer_ranges.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>

#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

using spirv_instrument::AddressRange;

VkBuffer BufferOf(uint64_t number) { return reinterpret_cast<VkBuffer>(number); }

TEST(BufferRanges, OneOfTwoAtAnAddressMayGo) {
  BufferRanges ranges;
  EXPECT_TRUE(ranges.Add(BufferOf(1), {256, 64}));
  EXPECT_FALSE(ranges.Add(BufferOf(1), {512, 64}));
  EXPECT_TRUE(ranges.Add(BufferOf(2), {256, 64}));
  EXPECT_EQ(ranges.Remove(BufferOf(1))->size, 64u);
  EXPECT_EQ(ranges.Remove(BufferOf(1)), std::nullopt);
  EXPECT_TRUE(ranges.Has(319));
  EXPECT_FALSE(ranges.Has(320));
  EXPECT_FALSE(ranges.Has(255));
  ranges.Remove(BufferOf(2));
  EXPECT_FALSE(ranges.Has(256));
}

TEST(BufferRanges, IsASetOfRanges) {
  std::mt19937 random(11);
  const auto any = [&random](uint64_t below) { return uint64_t{random()} % below; };
  BufferRanges ranges;
  std::map<uint64_t, AddressRange> model;
  for (int turn = 0; turn < 20000; ++turn) {
    const uint64_t number = 1 + any(20);
    if (any(2) == 0) {
      // Now and then a large one, which others are in.
      const AddressRange range = {any(1000), 1 + any(any(8) == 0 ? 500 : 40)};
      EXPECT_EQ(ranges.Add(BufferOf(number), range), model.try_emplace(number, range).second);
    } else {
      EXPECT_EQ(ranges.Remove(BufferOf(number)).has_value(), model.erase(number) != 0);
    }
    const uint64_t address = any(1500);
    const bool has = std::ranges::any_of(model, [address](const auto& item) {
      return address >= item.second.begin && address - item.second.begin < item.second.size;
    });
    ASSERT_EQ(ranges.Has(address), has) << address;
    EXPECT_EQ(ranges.size(), model.size());
  }
}

}  // namespace
}  // namespace assay::gpuav
