// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/entry.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace assay::cache {
namespace {

using std::string_view_literals::operator""sv;

TEST(Entry, HasWhatItWasMadeOf) {
  const std::string_view values[] = {"", "v", "a longer value\0with a null"sv};
  for (const std::string_view value : values) {
    const std::string bytes = MakeEntry("build", "key", value);
    const EntryContent content = ReadEntry(bytes, "build", "key");
    EXPECT_TRUE(content.is_sound);
    EXPECT_EQ(content.value, value);
  }
}

TEST(Entry, OfAnotherBuildOrKeyHasNoValue) {
  const std::string bytes = MakeEntry("build", "key", "value");
  for (const auto& [build, key] : {std::pair("build2", "key"), {"build", "key2"}, {"buil", "dkey"}, {"", "buildkey"}}) {
    const EntryContent content = ReadEntry(bytes, build, key);
    EXPECT_TRUE(content.is_sound);
    EXPECT_FALSE(content.value.has_value()) << build << " " << key;
  }
}

TEST(Entry, AnyDamageIsSeen) {
  const std::string bytes = MakeEntry("build", "key", "some value");
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
      EXPECT_FALSE(ReadEntry(damaged, "build", "key").is_sound) << i << " " << bit;
    }
    EXPECT_FALSE(ReadEntry(std::string_view(bytes).substr(0, i), "build", "key").is_sound) << i;
  }
  EXPECT_FALSE(ReadEntry(bytes + "x", "build", "key").is_sound);
  // Two words that change places.
  const std::string swapped = MakeEntry("", "",
                                        "11111111"
                                        "22222222");
  std::string other = swapped;
  other.replace(other.size() - 16, 16,
                "22222222"
                "11111111");
  EXPECT_TRUE(ReadEntry(swapped, "", "").is_sound);
  EXPECT_FALSE(ReadEntry(other, "", "").is_sound);
}

TEST(Entry, NamesDiffer) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) names.insert(EntryName("build", std::to_string(i)));
  names.insert(EntryName("build", ""));
  names.insert(EntryName("", "build"));
  names.insert(EntryName("build", "\0"sv));
  EXPECT_EQ(names.size(), 1003u);
  for (const std::string& name : names) EXPECT_EQ(name.size(), 32u);
  // The name of a key stays what it is.
  EXPECT_EQ(EntryName("build", "key"), EntryName("build", "key"));
}

}  // namespace
}  // namespace assay::cache
