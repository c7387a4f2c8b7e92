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

using Verdict = IdGate::Verdict;

TEST(IdGate, TheLastOneIsKnown) {
  IdGate gate(2, {});
  EXPECT_EQ(gate.Pass("a"), Verdict::kPass);
  EXPECT_EQ(gate.Pass("b"), Verdict::kPass);
  EXPECT_EQ(gate.Pass("a"), Verdict::kPassLast);
  EXPECT_EQ(gate.Pass("a"), Verdict::kOverLimit);
  EXPECT_EQ(gate.Pass("b"), Verdict::kPassLast);
}

TEST(IdGate, WhatIsHeldIsCounted) {
  IdGate gate(1, {});
  EXPECT_EQ(gate.HoldClosed(vk::VuidHash("b")), Verdict::kPass);
  for (int i = 0; i < 3; ++i) gate.Pass("b");
  gate.Pass("c");
  for (int i = 0; i < 2; ++i) gate.Pass("a");
  EXPECT_EQ(gate.HoldClosed(vk::VuidHash("b")), Verdict::kOverLimit);
  const std::vector<IdGate::Held> held = gate.OverLimit();
  ASSERT_EQ(held.size(), 2u);
  EXPECT_EQ(held[0].id, "a");
  EXPECT_EQ(held[0].count, 1u);
  EXPECT_EQ(held[1].id, "b");
  EXPECT_EQ(held[1].count, 3u);
}

TEST(IdGate, NoLimit) {
  IdGate gate(0, {});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(gate.Pass("a"), Verdict::kPass);
  EXPECT_EQ(gate.HoldClosed(vk::VuidHash("a")), Verdict::kPass);
  EXPECT_TRUE(gate.OverLimit().empty());
}

TEST(IdGate, WithoutAnIdAllPass) {
  IdGate gate(1, {IdPattern("*")});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(gate.Pass(""), Verdict::kPass);
}

TEST(IdGate, MutedOnesAreNotCountedAsOverTheLimit) {
  IdGate gate(1, {IdPattern("SYNC-*"), IdPattern("b")});
  EXPECT_TRUE(gate.IsMuted("b"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(gate.Pass("SYNC-a"), Verdict::kMuted);
  EXPECT_EQ(gate.HoldClosed(vk::VuidHash("SYNC-a")), Verdict::kMuted);
  EXPECT_EQ(gate.Pass("a"), Verdict::kPassLast);
  EXPECT_TRUE(gate.OverLimit().empty());
}

TEST(IdGate, ThreadsShareTheCount) {
  IdGate gate(100, {});
  std::atomic<int> passed = 0, last = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const Verdict verdict = gate.Pass("a");
        passed += verdict == Verdict::kPass || verdict == Verdict::kPassLast;
        last += verdict == Verdict::kPassLast;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, 100);
  EXPECT_EQ(last, 1);
  EXPECT_EQ(gate.OverLimit().at(0).count, 3900u);
}

}  // namespace
}  // namespace assay::messages
