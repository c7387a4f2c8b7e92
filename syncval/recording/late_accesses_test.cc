// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/late_accesses.h"

#include "gtest/gtest.h"

namespace assay::syncval {
namespace {

LateAccess Read(uint32_t tag, uint32_t binding = 0) {
  return {.set = 1, .binding = binding, .access = vk::kSyncComputeShaderShaderStorageRead, .tag = Tag{tag}};
}

TEST(LateAccesses, RepeatedInOneScope) {
  LateAccesses accesses;
  for (uint32_t tag = 0; tag < 1000; ++tag) accesses.Add(Read(tag, tag % 2), 7, true);
  ASSERT_EQ(accesses.all().size(), 2u);
  EXPECT_EQ(accesses.all()[0].tag, Tag{0});
  EXPECT_EQ(accesses.all()[1].binding, 1u);
}
TEST(LateAccesses, RepeatedInAnotherScope) {
  LateAccesses accesses;
  accesses.Add(Read(0), 7, true);
  accesses.Add(Read(1), 8, true);
  EXPECT_EQ(accesses.all().size(), 2u);
}
TEST(LateAccesses, ThatMayNotRepeat) {
  LateAccesses accesses;
  accesses.Add(Read(0), 7, false);
  accesses.Add(Read(1), 7, false);
  EXPECT_EQ(accesses.all().size(), 2u);
}
// What was removed repeats nothing.
TEST(LateAccesses, Removed) {
  LateAccesses accesses;
  accesses.Add(Read(0), 7, true);
  accesses.RemoveFrom(Tag{0});
  EXPECT_TRUE(accesses.empty());
  accesses.Add(Read(5), 7, true);
  accesses.Add(Read(6), 7, true);
  ASSERT_EQ(accesses.all().size(), 1u);
  EXPECT_EQ(accesses.all()[0].tag, Tag{5});
  accesses.Reset();
  EXPECT_TRUE(accesses.empty());
}
TEST(LateAccesses, OfASecondary) {
  LateAccesses primary, secondary;
  secondary.Add(Read(3), 0, true);
  primary.Append(secondary, Tag{10});
  ASSERT_EQ(primary.all().size(), 1u);
  EXPECT_EQ(primary.all()[0].tag, Tag{13});
}
// An access of an earlier recording repeats nothing that a secondary added.
TEST(LateAccesses, OfASecondaryAfterAReset) {
  LateAccesses primary, secondary;
  primary.Add(Read(0), 5, true);
  primary.Reset();
  secondary.Add(Read(3), 0, true);
  primary.Append(secondary, Tag{0});
  primary.Add(Read(9), 5, true);
  EXPECT_EQ(primary.all().size(), 2u);
}

}  // namespace
}  // namespace assay::syncval
