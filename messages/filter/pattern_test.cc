// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/filter/pattern.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "messages/message/message.h"

namespace assay::messages {
namespace {

TEST(MatchesWildcard, WithoutWildcardsIsEquality) {
  EXPECT_TRUE(MatchesWildcard("abc", "abc"));
  EXPECT_FALSE(MatchesWildcard("abc", "ab"));
  EXPECT_FALSE(MatchesWildcard("abc", "abcd"));
  EXPECT_FALSE(MatchesWildcard("abc", "ABC"));
  EXPECT_TRUE(MatchesWildcard("", ""));
  EXPECT_FALSE(MatchesWildcard("", "a"));
}

TEST(MatchesWildcard, Star) {
  EXPECT_TRUE(MatchesWildcard("*", ""));
  EXPECT_TRUE(MatchesWildcard("**", "abc"));
  EXPECT_TRUE(MatchesWildcard("VUID-*-00115", "VUID-vkCmdCopyBuffer-size-00115"));
  EXPECT_FALSE(MatchesWildcard("VUID-*-00115", "VUID-vkCmdCopyBuffer-size-00116"));
  EXPECT_TRUE(MatchesWildcard("*ab*ab", "aababab"));
  EXPECT_FALSE(MatchesWildcard("a*b*c", "acb"));
}

TEST(MatchesWildcard, QuestionMark) {
  EXPECT_TRUE(MatchesWildcard("a?c", "abc"));
  EXPECT_FALSE(MatchesWildcard("a?c", "ac"));
  EXPECT_TRUE(MatchesWildcard("?*", "a"));
  EXPECT_FALSE(MatchesWildcard("?*", ""));
}

// A naive implementation takes time exponential in the number of stars.
TEST(MatchesWildcard, ManyStars) {
  std::string pattern, text(2000, 'a');
  for (int i = 0; i < 50; ++i) pattern += "a*";
  EXPECT_FALSE(MatchesWildcard(pattern + "b", text));
}

TEST(IdPattern, ByName) {
  EXPECT_TRUE(IdPattern(" SYNC-HAZARD-READ-AFTER-WRITE ").Matches("SYNC-HAZARD-READ-AFTER-WRITE"));
  EXPECT_TRUE(IdPattern("SYNC-*").Matches("SYNC-HAZARD-READ-AFTER-WRITE"));
  EXPECT_FALSE(IdPattern("SYNC").Matches("SYNC-HAZARD-READ-AFTER-WRITE"));
  EXPECT_FALSE(IdPattern("*").Matches(""));
  EXPECT_FALSE(IdPattern("").Matches("SYNC"));
}

TEST(IdPattern, ByNumber) {
  const std::string id = "SYNC-HAZARD-READ-AFTER-WRITE";
  const int32_t number = MessageIdNumber(id);
  const auto bits = static_cast<uint32_t>(number);
  EXPECT_TRUE(IdPattern(absl::StrCat(number)).Matches(id));
  EXPECT_TRUE(IdPattern(absl::StrCat(bits)).Matches(id));
  EXPECT_TRUE(IdPattern(absl::StrCat("0x", absl::Hex(bits))).Matches(id));
  EXPECT_TRUE(IdPattern("0xE4D96472").Matches(id));
  EXPECT_FALSE(IdPattern(absl::StrCat(bits + 1)).Matches(id));
  EXPECT_FALSE(IdPattern("0x1ffffffff").Matches(id));
  EXPECT_FALSE(IdPattern("0").Matches(""));
}

}  // namespace
}  // namespace assay::messages
