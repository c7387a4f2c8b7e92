// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/replay/execution_table.h"

#include "gtest/gtest.h"

namespace assay::syncval {
namespace {

constexpr QueueIndex kQueue{3};

TEST(ExecutionTable, FindsByTag) {
  ExecutionTable table;
  const Tag first = table.Add({.tag_count = 10, .queue = kQueue, .submission = 1}).base;
  const Tag between = table.TakeTag();
  const Tag second = table.Add({.tag_count = 5, .submission = 2}).base;
  ASSERT_NE(table.Find(Tag{first.value + 9}), nullptr);
  EXPECT_EQ(table.Find(Tag{first.value + 9})->submission, 1u);
  EXPECT_EQ(table.Find(Tag{first.value + 9})->CommandOf(Tag{first.value + 9}), Tag{9});
  EXPECT_EQ(table.Find(first)->queue, kQueue);
  EXPECT_EQ(table.Find(between), nullptr);
  EXPECT_EQ(table.Find(second)->submission, 2u);
  EXPECT_EQ(table.Find(table.next()), nullptr);
  EXPECT_EQ(table.Find(Tag{0}), nullptr);
}

TEST(ExecutionTable, Forgets) {
  ExecutionTable table;
  const Tag first = table.Add({.tag_count = 10}).base;
  const Tag second = table.Add({.tag_count = 10}).base;
  table.ForgetBefore(Tag{second.value - 1});
  EXPECT_NE(table.Find(first), nullptr);
  table.ForgetBefore(second);
  EXPECT_EQ(table.Find(first), nullptr);
  EXPECT_NE(table.Find(second), nullptr);
  EXPECT_EQ(table.size(), 1u);
}

TEST(ExecutionTable, MovesDown) {
  ExecutionTable table;
  table.Add({.tag_count = 10, .submission = 1});
  const Tag second = table.Add({.tag_count = 10, .submission = 2}).base;
  const Tag next = table.next();
  table.MoveDown(8);
  EXPECT_EQ(table.size(), 1u);
  EXPECT_EQ(table.Find(Tag{second.value - 8})->submission, 2u);
  EXPECT_EQ(table.next(), Tag{next.value - 8});
}

}  // namespace
}  // namespace assay::syncval
