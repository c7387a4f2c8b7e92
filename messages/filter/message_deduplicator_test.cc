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

TEST(CauseFolds, TheFirstPassesAndTheRestAreCounted) {
  CauseFolds folds;
  bool skip = false;
  EXPECT_FALSE(folds.Folds(1, &skip));
  EXPECT_FALSE(folds.FoldsElse(1, {"a", "here"}, Yes, &skip));
  EXPECT_FALSE(folds.FoldsElse(2, {"a", "there"}, Yes, &skip));
  EXPECT_TRUE(folds.FoldsElse(1, {"a", "elsewhere"}, Yes, &skip));
  EXPECT_TRUE(folds.Folds(1, &skip));
  const std::vector<CauseFolds::Fold> all = folds.All();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].id, "a");
  EXPECT_EQ(all[0].place, "here");
  EXPECT_EQ(all[0].count, 2u);
}

TEST(CauseFolds, WhatDidNotPassFoldsNothing) {
  CauseFolds folds;
  bool skip = false;
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(folds.FoldsElse(1, {"a", "here"}, No, &skip));
  EXPECT_FALSE(folds.FoldsElse(1, {"a", "later"}, Yes, &skip));
  EXPECT_TRUE(folds.Folds(1, &skip));
  EXPECT_EQ(folds.All().at(0).place, "later");
}

TEST(CauseFolds, TheAnswerOfTheFirstIsThatOfAll) {
  CauseFolds folds;
  bool skip = false;
  folds.FoldsElse(1, {}, Yes, &skip);
  folds.FoldsElse(2, {}, Yes, &skip);
  folds.Answer(1, true);
  EXPECT_TRUE(folds.Folds(1, &skip));
  EXPECT_TRUE(skip);
  EXPECT_TRUE(folds.Folds(2, &skip));
  EXPECT_FALSE(skip);
}

TEST(CauseFolds, MostOftenFirst) {
  CauseFolds folds;
  bool skip = false;
  for (uint64_t cause = 1; cause <= 3; ++cause) {
    for (uint64_t i = 0; i <= cause; ++i) folds.FoldsElse(cause, {}, Yes, &skip);
  }
  const std::vector<CauseFolds::Fold> all = folds.All();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].count, 3u);
  EXPECT_EQ(all[2].count, 1u);
}

TEST(CauseFolds, IsBounded) {
  CauseFolds folds(2);
  bool skip = false;
  for (int i = 0; i < 3; ++i) {
    for (uint64_t cause = 1; cause <= 5; ++cause) {
      EXPECT_EQ(folds.FoldsElse(cause, {}, Yes, &skip), i > 0 && cause <= 2);
    }
  }
  EXPECT_EQ(folds.All().size(), 2u);
}

TEST(CauseFolds, Threads) {
  CauseFolds folds;
  std::atomic<int> passed = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (uint64_t i = 0; i < 4000; ++i) {
        bool skip = false;
        if (!folds.Folds(i % 40, &skip) && !folds.FoldsElse(i % 40, {}, Yes, &skip)) ++passed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, 40);
  uint64_t count = 0;
  for (const CauseFolds::Fold& fold : folds.All()) count += fold.count;
  EXPECT_EQ(count, 16000u - 40u);
}

}  // namespace
}  // namespace assay::messages
