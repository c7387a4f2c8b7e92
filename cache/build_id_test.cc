// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/build_id.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::cache {
namespace {

TEST(BuildId, IsANumberOfTheLinker) { EXPECT_THAT(BuildOfThisLibrary(), ::testing::MatchesRegex("([0-9a-f]{16,})?")); }

TEST(BuildId, UuidIsOfTheBuild) {
  EXPECT_EQ(UuidOf("a build"), UuidOf("a build"));
  EXPECT_NE(UuidOf("a build"), UuidOf("another"));
  EXPECT_EQ(UuidOfThisLibrary(), UuidOfThisLibrary());
}

TEST(BuildId, UnknownBuildIsUnlikeAnyOther) { EXPECT_NE(UuidOf(""), UuidOf("")); }

}  // namespace
}  // namespace assay::cache
