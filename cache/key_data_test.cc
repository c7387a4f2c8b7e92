// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/key_data.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace assay::cache {
namespace {

const Uuid kBuild = UuidOf("build");

std::vector<uint8_t> DataOf(const std::vector<Key>& keys, const Uuid& build = kBuild) {
  std::vector<uint8_t> data(KeyDataSize(keys.size()));
  EXPECT_EQ(WriteKeyData(keys, build, absl::MakeSpan(data)), data.size());
  return data;
}

KeyDataState StateOf(const std::vector<uint8_t>& data) {
  // On the heap, and not a byte longer, so that a sanitizer sees what is read past the end.
  const auto copy = std::make_unique<uint8_t[]>(data.size());
  std::copy(data.begin(), data.end(), copy.get());
  const KeyData read = ReadKeyData({copy.get(), data.size()}, kBuild);
  EXPECT_TRUE(read.state == KeyDataState::kSound || read.keys.empty());
  return read.state;
}

TEST(KeyData, HasTheKeysThatWereWritten) {
  for (const std::vector<Key>& keys : {std::vector<Key>{}, {{1, 2}}, {{1, 2}, {3, 4}, {5, 6}}}) {
    const KeyData read = ReadKeyData(DataOf(keys), kBuild);
    EXPECT_EQ(read.state, KeyDataState::kSound);
    EXPECT_EQ(read.keys, keys);
  }
  EXPECT_EQ(StateOf({}), KeyDataState::kSound);
}

TEST(KeyData, BeginsWithTheHeaderOfTheSpecification) {
  const std::vector<uint8_t> data = DataOf({{1, 2}});
  EXPECT_EQ(std::vector<uint8_t>(data.begin(), data.begin() + 8), (std::vector<uint8_t>{24, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_TRUE(std::equal(kBuild.begin(), kBuild.end(), data.begin() + 8));
  EXPECT_EQ(DataOf({}).size(), kKeyHeaderBytes);
}

TEST(KeyData, WritesWholeKeysOnly) {
  const std::vector<Key> keys = {{1, 2}, {3, 4}};
  for (size_t room = 0; room <= KeyDataSize(2) + 3; ++room) {
    std::vector<uint8_t> data(room + 1, 0xcd);
    const size_t written = WriteKeyData(keys, kBuild, absl::MakeSpan(data).first(room));
    const size_t fitting = room < 56 ? 0 : room < 72 ? 1 : 2;
    EXPECT_EQ(written, room < 24 ? 0 : KeyDataSize(fitting)) << room;
    for (size_t i = written; i < data.size(); ++i) ASSERT_EQ(data[i], 0xcd) << room;
    const KeyData read = ReadKeyData(absl::MakeSpan(data).first(written), kBuild);
    EXPECT_EQ(read.state, KeyDataState::kSound);
    EXPECT_EQ(read.keys, std::vector<Key>(keys.begin(), keys.begin() + static_cast<ptrdiff_t>(fitting)));
  }
}

TEST(KeyData, CutOrLongerIsOfAnotherSize) {
  const std::vector<uint8_t> whole = DataOf({{1, 2}, {3, 4}});
  for (size_t size = 1; size <= whole.size() + 40; ++size) {
    if (size == whole.size()) continue;
    std::vector<uint8_t> data = whole;
    data.resize(size);
    const KeyDataState expected = size < kKeyHeaderBytes    ? KeyDataState::kNoHeader
                                  : size == kKeyHeaderBytes ? KeyDataState::kSound
                                                            : KeyDataState::kOtherSize;
    EXPECT_EQ(StateOf(data), expected) << size;
    EXPECT_EQ(ReadKeyData(data, kBuild).expected_bytes.has_value(), size >= 40);
  }
  std::vector<uint8_t> cut = whole;
  cut.pop_back();
  EXPECT_EQ(ReadKeyData(cut, kBuild).expected_bytes, whole.size());
}

TEST(KeyData, AnyChangedBitIsSeen) {
  const std::vector<uint8_t> whole = DataOf({{1, 2}, {3, 4}});
  for (size_t i = 0; i < whole.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<uint8_t> data = whole;
      data[i] ^= static_cast<uint8_t>(1 << bit);
      const KeyDataState state = StateOf(data);
      const KeyDataState expected = i < 4                 ? KeyDataState::kNoHeader
                                    : i < kKeyHeaderBytes ? KeyDataState::kForeign
                                    : i < 32              ? KeyDataState::kOtherSize
                                                          : KeyDataState::kDamaged;
      EXPECT_EQ(state, expected) << i;
    }
  }
  // A number of keys that says "none", and one whose size in bytes is too large for 64 bits.
  std::vector<uint8_t> none = whole;
  none.resize(40);
  none[24] = 0;
  EXPECT_EQ(StateOf(none), KeyDataState::kDamaged);
  std::vector<uint8_t> many = whole;
  many[31] = 0x10;
  EXPECT_EQ(StateOf(many), KeyDataState::kOtherSize);
}

TEST(KeyData, OfOtherSoftwareIsForeign) {
  EXPECT_EQ(StateOf(DataOf({{1, 2}}, UuidOf("another"))), KeyDataState::kForeign);
  // A later version of the header, and a longer one.
  EXPECT_EQ(StateOf({12, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4}), KeyDataState::kForeign);
  // A header that is longer than the data, one that has no room for its own length, and a version 1 header of 12 bytes.
  EXPECT_EQ(StateOf({12, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3}), KeyDataState::kNoHeader);
  EXPECT_EQ(StateOf({7, 0, 0, 0, 2, 0, 0, 0}), KeyDataState::kNoHeader);
  EXPECT_EQ(StateOf({12, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4}), KeyDataState::kNoHeader);
}

}  // namespace
}  // namespace assay::cache
