// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/key_set.h"

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::cache {
namespace {

TEST(KeyOf, DependsOnEveryWordItsPlaceAndTheOptions) {
  const std::vector<uint32_t> words = {0x07230203, 0x00010600, 0, 7, 0};
  const Key key = KeyOf(words, "vulkan1.3");
  EXPECT_EQ(key, KeyOf(words, "vulkan1.3"));
  EXPECT_NE(key, KeyOf(words, "vulkan1.2"));
  for (size_t i = 0; i < words.size(); ++i) {
    std::vector<uint32_t> changed = words;
    changed[i] ^= 1;
    const Key other = KeyOf(changed, "vulkan1.3");
    EXPECT_NE(key.high, other.high);
    EXPECT_NE(key.low, other.low);
  }
  EXPECT_NE(key, KeyOf({0x00010600, 0x07230203, 0, 7, 0}, "vulkan1.3"));
  EXPECT_NE(key, KeyOf({0x07230203, 0x00010600, 0, 7}, "vulkan1.3"));
}

// The result must not differ between runs, as that of absl::Hash does.
TEST(KeyOf, IsTheSameInEveryProcess) {
  EXPECT_EQ(KeyOf({1, 2, 3}, "options"), (Key{0xa7ea49fb87124167, 0x67c57d3fa61df2e1}));
}

TEST(KeySet, HasWhatWasInserted) {
  KeySet set;
  EXPECT_FALSE(set.Contains({1, 2}));
  set.Insert({1, 2});
  set.Insert({1, 2});
  EXPECT_TRUE(set.Contains({1, 2}));
  EXPECT_FALSE(set.Contains({2, 1}));
  set.Insert({Key{0, 9}, Key{1, 2}, Key{1, 1}});
  EXPECT_EQ(set.Keys(), (std::vector<Key>{{0, 9}, {1, 1}, {1, 2}}));
  EXPECT_EQ(set.size(), 3u);
}

TEST(KeySet, IsSharedByThreads) {
  constexpr uint64_t kThreads = 4, kKeys = 2000;
  KeySet set;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&set, t] {
      for (uint64_t i = 0; i < kKeys; ++i) {
        set.Insert({t % 2, i});
        EXPECT_TRUE(set.Contains({t % 2, i}));
        EXPECT_GT(i % 256 == 0 ? set.Keys().size() : 1, 0u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(set.size(), 2 * kKeys);
}

}  // namespace
}  // namespace assay::cache
