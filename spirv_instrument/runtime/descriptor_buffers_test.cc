// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/descriptor_buffers.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr DescriptorType kStorage = DescriptorType::kStorageBuffer;

TEST(BufferLayoutTable, HasAQuadForEachBinding) {
  const std::vector<uint32_t> table =
      MakeBufferLayoutTable({{{.offset = 64, .bytes = 16, .count = 3, .type = kStorage},
                              {},
                              {.offset = 128, .bytes = 32, .count = 9, .type = kStorage, .is_variable = true}}});
  EXPECT_THAT(table, ElementsAre(3, 0, 0, 0, 64, 3, 16, 8, 0, 0xffffffff, 0, 0, 128, 9, 32, 8 | kBindingIsVariable));
}

// The count is known all the same.
TEST(BufferLayoutTable, BytesThatAreNoWordsAreNotLookedAt) {
  for (const BufferedBinding& binding :
       {BufferedBinding{.offset = 62, .bytes = 16, .count = 3}, BufferedBinding{.offset = 64, .bytes = 18, .count = 3},
        BufferedBinding{.offset = uint64_t{1} << 32, .bytes = 16, .count = 3},
        BufferedBinding{.offset = 64, .bytes = 0, .count = 3}}) {
    EXPECT_THAT(MakeBufferLayoutTable({binding}), ElementsAre(1, 0, 0, 0, 0, 3, 0, 0));
  }
}

TEST(SetPlace, HasAddressRoomAndLayout) {
  EXPECT_THAT(EncodeSetPlace(0x123456789a, 4096, 7), ElementsAre(0x3456789a, 0x12, 4096, 7));
  EXPECT_THAT(EncodeSetPlace(16, uint64_t{1} << 33, 7), ElementsAre(16, 0, 0xffffffff, 7));
}

// Descriptors differ in few bits, and are much alike.
TEST(DescriptorKey, DependsOnTypeAndEachBit) {
  std::set<uint64_t> keys;
  std::set<uint32_t> low;
  std::vector<uint32_t> words(4);
  size_t count = 0;
  const auto add = [&](DescriptorType type) {
    const DescriptorKey key = KeyOfDescriptor(type, words);
    EXPECT_NE(key.low, 0u);
    keys.insert(key.value());
    low.insert(key.low & 0x3fff);
    ++count;
  };
  for (uint32_t i = 0; i < 128; ++i) {
    words[i / 32] ^= 1u << i % 32;
    add(kStorage);
    add(DescriptorType::kUniformBuffer);
    words[i / 32] ^= 1u << i % 32;
  }
  for (uint32_t i = 0; i < 4096; ++i) {
    words[1] = i * 256;
    add(kStorage);
  }
  // One of them is there twice: only bit 40 is set, and bits 0 to 31 of words[1] are 256.
  EXPECT_GE(keys.size(), count - 16);
  // 4,352 of them in 16,384 slots: about 3,820 by chance.
  EXPECT_GT(low.size(), 3500u);
  EXPECT_NE(KeyOfDescriptor(kStorage, {}), KeyOfDescriptor(kStorage, {0}));
  EXPECT_NE(KeyOfDescriptor(kStorage, {1, 2}), KeyOfDescriptor(kStorage, {2, 1}));
}

TEST(KnownDescriptorTable, UnknownOnesWereNotWritten) {
  const KnownDescriptorTable table(4, false);
  EXPECT_THAT(FindKnownDescriptor(table.words(), {5, 6}), Each(0u));
}

TEST(KnownDescriptorTable, UnknownOnesAreAcceptedWhereTheyMayBeGood) {
  const KnownDescriptorTable table(4, true);
  EXPECT_THAT(FindKnownDescriptor(table.words(), {5, 6}),
              ElementsAre(kDescriptorIsWritten | kUnknownDescriptorType << kDescriptorTypeShift, ~0u, ~0u, ~0u));
}

TEST(KnownDescriptorTable, FirstWordsOfKeysMayBeEqual) {
  KnownDescriptorTable table(4, false);
  for (uint32_t i = 0; i < 8; ++i) {
    const std::optional<size_t> slot = table.Add({15, i});
    ASSERT_TRUE(slot);
    table.Set(*slot, {.type = kStorage, .is_written = true, .size = i});
  }
  EXPECT_FALSE(table.Add({1, 1}));
  for (uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(FindKnownDescriptor(table.words(), {15, i})[kDescriptorSizeWord], i);
  }
  EXPECT_THAT(FindKnownDescriptor(table.words(), {15, 8}), Each(0u));
}

TEST(KnownDescriptorTable, IsAMap) {
  std::mt19937 random(7);
  for (uint32_t bits = 1; bits <= 10; ++bits) {
    KnownDescriptorTable table(bits, false);
    std::map<uint64_t, std::pair<size_t, uint32_t>> model;
    // Few different first words, so that slots are taken.
    const auto any = [&random](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    const auto any_key = [&any] { return DescriptorKey{1 + any(64), any(64)}; };
    for (int turn = 0; turn < 4000; ++turn) {
      const DescriptorKey key = any_key();
      const auto found = model.find(key.value());
      if (found != model.end()) {
        found->second.second = any(1000);
        table.Set(found->second.first, {.type = kStorage, .is_written = true, .size = uint64_t{found->second.second}});
      } else if (const std::optional<size_t> slot = table.Add(key)) {
        table.SetUnchecked(*slot);
        model[key.value()] = {*slot, 0xffffffff};
      } else {
        EXPECT_EQ(model.size(), size_t{1} << (bits - 1));
      }
      const DescriptorKey other = any_key();
      const auto expected = model.find(other.value());
      EXPECT_EQ(FindKnownDescriptor(table.words(), other)[kDescriptorSizeWord],
                expected != model.end() ? expected->second.second : 0u);
    }
    EXPECT_EQ(table.size(), model.size());
  }
}

}  // namespace
}  // namespace assay::spirv_instrument
