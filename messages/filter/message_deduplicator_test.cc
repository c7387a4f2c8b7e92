// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/filter/message_deduplicator.h"

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::messages {
namespace {

bool Yes() { return true; }
bool No() { return false; }

TEST(MessageDeduplicator, TheFirstPassesAndTheRestAreCounted) {
  MessageDeduplicator deduplicator;
  bool skip = false;
  EXPECT_FALSE(deduplicator.CountIfDuplicate(1, true, &skip));
  EXPECT_FALSE(deduplicator.CountIfDuplicateElseAdd(1, {"a", "here"}, Yes, &skip));
  EXPECT_FALSE(deduplicator.CountIfDuplicateElseAdd(2, {"a", "there"}, Yes, &skip));
  EXPECT_TRUE(deduplicator.CountIfDuplicateElseAdd(1, {"a", "elsewhere"}, Yes, &skip));
  EXPECT_TRUE(deduplicator.CountIfDuplicate(1, true, &skip));
  const std::vector<MessageDeduplicator::Duplicates> all = deduplicator.Counts();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].id, "a");
  EXPECT_EQ(all[0].place, "here");
  EXPECT_EQ(all[0].count, 2u);
}

TEST(MessageDeduplicator, AMessageThatDidNotPassHasNoDuplicates) {
  MessageDeduplicator deduplicator;
  bool skip = false;
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(deduplicator.CountIfDuplicateElseAdd(1, {"a", "here"}, No, &skip));
  EXPECT_FALSE(deduplicator.CountIfDuplicateElseAdd(1, {"a", "later"}, Yes, &skip));
  EXPECT_TRUE(deduplicator.CountIfDuplicate(1, true, &skip));
  EXPECT_EQ(deduplicator.Counts().at(0).place, "later");
}

TEST(MessageDeduplicator, TheFirstDecidesWhetherAllSkip) {
  MessageDeduplicator deduplicator;
  bool skip = false;
  deduplicator.CountIfDuplicateElseAdd(1, {}, Yes, &skip);
  deduplicator.CountIfDuplicateElseAdd(2, {}, Yes, &skip);
  deduplicator.SetSkip(1, true);
  EXPECT_TRUE(deduplicator.CountIfDuplicate(1, true, &skip));
  EXPECT_TRUE(skip);
  EXPECT_TRUE(deduplicator.CountIfDuplicate(2, true, &skip));
  EXPECT_FALSE(skip);
}

TEST(MessageDeduplicator, MostOftenFirst) {
  MessageDeduplicator deduplicator;
  bool skip = false;
  for (uint64_t cause = 1; cause <= 3; ++cause) {
    for (uint64_t i = 0; i <= cause; ++i) deduplicator.CountIfDuplicateElseAdd(cause, {}, Yes, &skip);
  }
  const std::vector<MessageDeduplicator::Duplicates> all = deduplicator.Counts();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].count, 3u);
  EXPECT_EQ(all[2].count, 1u);
}

TEST(MessageDeduplicator, IsBounded) {
  MessageDeduplicator deduplicator(2);
  bool skip = false;
  for (int i = 0; i < 3; ++i) {
    for (uint64_t cause = 1; cause <= 5; ++cause) {
      EXPECT_EQ(deduplicator.CountIfDuplicateElseAdd(cause, {}, Yes, &skip), i > 0 && cause <= 2);
    }
  }
  EXPECT_EQ(deduplicator.Counts().size(), 2u);
}

TEST(MessageDeduplicator, Threads) {
  MessageDeduplicator deduplicator;
  std::atomic<int> passed = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (uint64_t i = 0; i < 4000; ++i) {
        bool skip = false;
        if (!deduplicator.CountIfDuplicate(i % 40, true, &skip) &&
            !deduplicator.CountIfDuplicateElseAdd(i % 40, {}, Yes, &skip))
          ++passed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, 40);
  uint64_t count = 0;
  for (const MessageDeduplicator::Duplicates& duplicate : deduplicator.Counts()) count += duplicate.count;
  EXPECT_EQ(count, 16000u - 40u);
}

}  // namespace
}  // namespace assay::messages
