// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/address_table.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

std::vector<uint32_t> Make(absl::Span<const AddressRange> ranges, uint32_t page_shift = 21) {
  const absl::StatusOr<std::vector<uint32_t>> table = MakeAddressTable(ranges, {.page_shift = page_shift});
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? *table : std::vector<uint32_t>();
}

// The definition: the longest way to the end of a range that holds the address.
uint64_t ModelRoomAt(absl::Span<const AddressRange> ranges, uint64_t address) {
  uint64_t room = 0;
  for (const AddressRange& range : ranges) {
    if (address >= range.begin && address - range.begin < range.size) {
      room = std::max(room, range.size - (address - range.begin));
    }
  }
  return room;
}

TEST(AddressTable, OfNothingHasNothing) {
  const std::vector<uint32_t> table = Make({});
  EXPECT_EQ(RoomAt(table, 0), 0u);
  EXPECT_EQ(RoomAt(table, 0x7fff12345678), 0u);
}

TEST(AddressTable, HasARangeFromItsFirstToItsLastByte) {
  const std::vector<uint32_t> table = Make({{0x7f0000001000, 256}});
  EXPECT_EQ(RoomAt(table, 0x7f0000000fff), 0u);
  EXPECT_EQ(RoomAt(table, 0x7f0000001000), 256u);
  EXPECT_EQ(RoomAt(table, 0x7f00000010ff), 1u);
  EXPECT_EQ(RoomAt(table, 0x7f0000001100), 0u);
}

TEST(AddressTable, NeighboursAreNotJoined) {
  const std::vector<uint32_t> table = Make({{0x1000, 16}, {0x1010, 16}});
  EXPECT_EQ(RoomAt(table, 0x100c), 4u);
  EXPECT_EQ(RoomAt(table, 0x1010), 16u);
}

TEST(AddressTable, OfOverlappingRangesTheLongestCounts) {
  const std::vector<AddressRange> ranges = {{0x1000, 0x100}, {0x1080, 0x20}, {0x10f0, 0x40}};
  const std::vector<uint32_t> table = Make(ranges);
  EXPECT_EQ(RoomAt(table, 0x1080), 0x80u);
  EXPECT_EQ(RoomAt(table, 0x10ef), 0x11u);
  EXPECT_EQ(RoomAt(table, 0x10f0), 0x40u);
}

TEST(AddressTable, ARangeGoesOnInLaterPages) {
  const std::vector<uint32_t> table = Make({{0xfff0, 0x30000}}, 16);
  EXPECT_EQ(RoomAt(table, 0xfff0), 0x30000u);
  EXPECT_EQ(RoomAt(table, 0x10000), 0x30000u - 0x10);
  EXPECT_EQ(RoomAt(table, 0x3ffef), 1u);
  EXPECT_EQ(RoomAt(table, 0x3fff0), 0u);
}

TEST(AddressTable, RoomOfMoreThanAWordIsAllOnes) {
  const std::vector<uint32_t> table = Make({{0x100000000, uint64_t{6} << 30}});
  EXPECT_EQ(RoomAt(table, 0x100000000), 0xffffffffu);
  // 16 bytes before the end, in the last page.
  EXPECT_EQ(RoomAt(table, 0x100000000 + (uint64_t{6} << 30) - 16), 16u);
}

TEST(AddressTable, PagesGrowUntilTheyAreFewEnough) {
  // 1 TiB is a quarter of a million pages of 4 MiB, and 268 million of 4 KiB.
  const std::vector<uint32_t> table = Make({{0x10000000000, uint64_t{1} << 40}}, 12);
  EXPECT_GE(table[kPageShiftWord], 20u);
  EXPECT_EQ(RoomAt(table, 0x10000000000), 0xffffffffu);
  EXPECT_EQ(RoomAt(table, 0x1ffffffffff), 1u);
}

TEST(AddressTable, PageNumbersHave32Bits) {
  // 57 bits of address need pages of 32 MiB.
  const std::vector<uint32_t> table = Make({{0x1fffffffffff000, 0x1000}});
  EXPECT_GE(table[kPageShiftWord], 25u);
  EXPECT_EQ(RoomAt(table, 0x1fffffffffff000), 0x1000u);
  // The same page number in 32 bits, and another address.
  EXPECT_EQ(RoomAt(table, 0x9fffffffffff000), 0u);
}

TEST(AddressTable, RefusesWhatItCannotHold) {
  EXPECT_FALSE(MakeAddressTable({{0xffffffffffffff00, 0x200}}).ok());
  EXPECT_FALSE(MakeAddressTable({{0xffffffff00000000, 0x200}}).ok());
}

TEST(AddressTable, DoesNotDependOnTheOrder) {
  std::vector<AddressRange> ranges;
  for (uint64_t i = 0; i < 50; ++i) ranges.push_back({0x10000 + i * 0x700, 0x800});
  const std::vector<uint32_t> table = Make(ranges);
  std::reverse(ranges.begin(), ranges.end());
  EXPECT_EQ(Make(ranges), table);
}

TEST(AddressTable, AgreesWithTheDefinition) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    // Few pages with many ranges in one round, many pages with few in another.
    const uint64_t spread = uint64_t{1} << (12 + random() % 20);
    std::vector<AddressRange> ranges;
    for (uint64_t i = random() % 60; i > 0; --i) {
      ranges.push_back({0x7f0000000000 + random() % spread, random() % (spread / 16)});
    }
    const std::vector<uint32_t> table = Make(ranges, 12 + random() % 10);
    for (const AddressRange& range : ranges) {
      for (uint64_t address : {range.begin - 1, range.begin, range.begin + range.size / 2, range.begin + range.size - 1,
                               range.begin + range.size}) {
        EXPECT_EQ(RoomAt(table, address), ModelRoomAt(ranges, address)) << "round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace assay::spirv_instrument
