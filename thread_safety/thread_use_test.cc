// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "thread_safety/thread_use.h"

#include "gtest/gtest.h"

namespace assay::thread_safety {
namespace {

constexpr uint64_t kThreadA = 0x7f0000000040, kThreadB = 0x7f0000000080;
constexpr auto kDraw = vk::CommandId::kCmdDraw, kEnd = vk::CommandId::kEndCommandBuffer;

class ThreadUseTest : public ::testing::Test {
 protected:
  std::atomic<uint64_t> bits_{0};
  ThreadUse word_{bits_};
};

TEST_F(ThreadUseTest, OneWriterAfterTheOther) {
  EXPECT_FALSE(word_.StartWrite(kThreadA, kDraw));
  word_.EndWrite(kThreadA, kDraw);
  EXPECT_FALSE(word_.StartWrite(kThreadB, kDraw));
  word_.EndWrite(kThreadB, kDraw);
  EXPECT_EQ(bits_, 0u);
}

TEST_F(ThreadUseTest, TheSecondWriterFindsTheFirst) {
  EXPECT_FALSE(word_.StartWrite(kThreadA, kDraw));
  const auto other = word_.StartWrite(kThreadB, kEnd);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->thread, kThreadA);
  EXPECT_EQ(other->command, kDraw);
  EXPECT_TRUE(other->writes);
  word_.EndWrite(kThreadB, kEnd);
  EXPECT_TRUE(word_.StartWrite(kThreadB, kEnd));
  word_.EndWrite(kThreadA, kDraw);
  EXPECT_EQ(bits_, 0u);
}

TEST_F(ThreadUseTest, AThreadDoesNotConflictWithItself) {
  EXPECT_FALSE(word_.StartWrite(kThreadA, kDraw));
  EXPECT_FALSE(word_.StartWrite(kThreadA, kEnd));
  EXPECT_FALSE(word_.StartRead(kThreadA, kEnd));
  word_.EndRead();
  word_.EndWrite(kThreadA, kEnd);
  EXPECT_TRUE(word_.StartWrite(kThreadB, kEnd));
  word_.EndWrite(kThreadA, kDraw);
  EXPECT_FALSE(word_.StartRead(kThreadA, kDraw));
  EXPECT_FALSE(word_.StartWrite(kThreadA, kEnd));
}

TEST_F(ThreadUseTest, AWriteByStoreFindsOthersAndIsFound) {
  EXPECT_FALSE(word_.StartWriteByStore(kThreadA, kEnd));
  // As a callback that calls Vulkan, whose call ends first.
  EXPECT_FALSE(word_.StartWriteByStore(kThreadA, kDraw));
  word_.EndWrite(kThreadA, kDraw);
  const auto other = word_.StartRead(kThreadB, kDraw);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->thread, kThreadA);
  EXPECT_EQ(other->command, kEnd);
  word_.EndWrite(kThreadA, kEnd);
  EXPECT_EQ(bits_, 0u);
  EXPECT_FALSE(word_.StartRead(kThreadB, kDraw));
  EXPECT_TRUE(word_.StartWriteByStore(kThreadA, kEnd));
  word_.EndRead();
  EXPECT_EQ(bits_, 0u);
}

TEST_F(ThreadUseTest, ReadersTogether) {
  EXPECT_FALSE(word_.StartRead(kThreadA, kDraw));
  EXPECT_FALSE(word_.StartRead(kThreadB, kDraw));
  const auto reader = word_.StartWrite(kThreadA, kEnd);
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader->writes);
  word_.EndRead();
  word_.EndRead();
  EXPECT_EQ(bits_, 0u);
  word_.EndRead();
  EXPECT_EQ(bits_, 0u);
}

TEST_F(ThreadUseTest, NoReaderBesideAWriter) {
  EXPECT_FALSE(word_.StartWrite(kThreadA, kDraw));
  EXPECT_TRUE(word_.StartRead(kThreadB, kEnd));
  EXPECT_TRUE(word_.OtherWriter(kThreadB));
  EXPECT_FALSE(word_.OtherWriter(kThreadA));
}

}  // namespace
}  // namespace assay::thread_safety
