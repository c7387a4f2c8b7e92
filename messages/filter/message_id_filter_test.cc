// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/filter/message_id_filter.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "vk/vuid.h"

namespace assay::messages {
namespace {

using Verdict = MessageIdFilter::Verdict;

TEST(MessageIdFilter, TheLastOneIsMarked) {
  MessageIdFilter id_filter(2, {});
  EXPECT_EQ(id_filter.Pass("a"), Verdict::kPass);
  EXPECT_EQ(id_filter.Pass("b"), Verdict::kPass);
  EXPECT_EQ(id_filter.Pass("a"), Verdict::kPassLast);
  EXPECT_EQ(id_filter.Pass("a"), Verdict::kOverLimit);
  EXPECT_EQ(id_filter.Pass("b"), Verdict::kPassLast);
}

TEST(MessageIdFilter, MessagesOverTheLimitAreCounted) {
  MessageIdFilter id_filter(1, {});
  EXPECT_EQ(id_filter.CountIfFiltered(vk::VuidHash("b")), Verdict::kPass);
  for (int i = 0; i < 3; ++i) id_filter.Pass("b");
  id_filter.Pass("c");
  for (int i = 0; i < 2; ++i) id_filter.Pass("a");
  EXPECT_EQ(id_filter.CountIfFiltered(vk::VuidHash("b")), Verdict::kOverLimit);
  const std::vector<MessageIdFilter::OverLimitCount> held = id_filter.CountsOverLimit();
  ASSERT_EQ(held.size(), 2u);
  EXPECT_EQ(held[0].id, "a");
  EXPECT_EQ(held[0].count, 1u);
  EXPECT_EQ(held[1].id, "b");
  EXPECT_EQ(held[1].count, 3u);
}

TEST(MessageIdFilter, PrintsHaveNoLimit) {
  MessageIdFilter id_filter(1, {});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(id_filter.Pass("WARNING-DEBUG-PRINTF"), Verdict::kPass);
  EXPECT_TRUE(id_filter.CountsOverLimit().empty());
}

TEST(MessageIdFilter, NoLimit) {
  MessageIdFilter id_filter(0, {});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(id_filter.Pass("a"), Verdict::kPass);
  EXPECT_EQ(id_filter.CountIfFiltered(vk::VuidHash("a")), Verdict::kPass);
  EXPECT_TRUE(id_filter.CountsOverLimit().empty());
}

TEST(MessageIdFilter, WithoutAnIdAllPass) {
  MessageIdFilter id_filter(1, {IdPattern("*")});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(id_filter.Pass(""), Verdict::kPass);
}

TEST(MessageIdFilter, MutedOnesAreNotCountedAsOverTheLimit) {
  MessageIdFilter id_filter(1, {IdPattern("SYNC-*"), IdPattern("b")});
  EXPECT_TRUE(id_filter.IsMuted("b"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(id_filter.Pass("SYNC-a"), Verdict::kMuted);
  EXPECT_EQ(id_filter.CountIfFiltered(vk::VuidHash("SYNC-a")), Verdict::kMuted);
  EXPECT_EQ(id_filter.Pass("a"), Verdict::kPassLast);
  EXPECT_TRUE(id_filter.CountsOverLimit().empty());
}

TEST(MessageIdFilter, ThreadsShareTheCount) {
  MessageIdFilter id_filter(100, {});
  std::atomic<int> passed = 0, last = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const Verdict verdict = id_filter.Pass("a");
        passed += verdict == Verdict::kPass || verdict == Verdict::kPassLast;
        last += verdict == Verdict::kPassLast;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, 100);
  EXPECT_EQ(last, 1);
  EXPECT_EQ(id_filter.CountsOverLimit().at(0).count, 3900u);
}

}  // namespace
}  // namespace assay::messages
