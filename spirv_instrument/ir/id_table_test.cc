// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/id_table.h"

#include <cstdint>
#include <map>
#include <random>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/ir/id.h"

namespace assay::spirv_instrument {
namespace {

TEST(IdTable, IsLikeAMap) {
  std::mt19937 random(3);
  for (uint32_t dense : {0u, 1u, 100u}) {
    IdTable<uint32_t> table(dense);
    std::map<uint32_t, uint32_t> model;
    for (int step = 0; step < 20000; ++step) {
      // Low ids, new ones in a row, and some that are far away.
      const uint32_t number = random() % 4 == 0 ? random() % kMaxBound : random() % (200 + step / 4);
      if (random() % 2 == 0) {
        const auto value = static_cast<uint32_t>(random());
        table[Id{number}] = value;
        model[number] = value;
      }
      const auto found = model.find(number);
      ASSERT_EQ(table.Get(Id{number}), found == model.end() ? 0 : found->second);
    }
    for (const auto& [number, value] : model) ASSERT_EQ(table.Get(Id{number}), value);
    table.Clear();
    for (const auto& [number, value] : model) ASSERT_EQ(table.Get(Id{number}), 0u);
  }
}

TEST(AppendString, EndsWithZero) {
  const auto words = [](std::string_view text) {
    std::vector<Word> appended;
    AppendString(appended, text);
    std::vector<uint32_t> values;
    values.reserve(appended.size());
    for (Word word : appended) values.push_back(word.value());
    return values;
  };
  EXPECT_EQ(words(""), (std::vector<uint32_t>{0}));
  EXPECT_EQ(words("abc"), (std::vector<uint32_t>{0x00636261}));
  EXPECT_EQ(words("abcd"), (std::vector<uint32_t>{0x64636261, 0}));
  EXPECT_EQ(words("abcde"), (std::vector<uint32_t>{0x64636261, 0x65}));
}

}  // namespace
}  // namespace assay::spirv_instrument
