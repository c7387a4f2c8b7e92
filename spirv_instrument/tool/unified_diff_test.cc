// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/unified_diff.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::spirv_instrument {
namespace {

// The hunks alone.
std::string Hunks(std::string_view before, std::string_view after, size_t context = 3) {
  const std::string diff = UnifiedDiff("a", before, "b", after, context);
  constexpr std::string_view kHeader = "--- a\n+++ b\n";
  EXPECT_EQ(diff.substr(0, kHeader.size()), kHeader);
  return diff.substr(kHeader.size());
}

TEST(UnifiedDiff, EqualTextsHaveNone) {
  EXPECT_EQ(UnifiedDiff("a", "", "b", ""), "");
  EXPECT_EQ(UnifiedDiff("a", "x\ny\n", "b", "x\ny\n"), "");
}

TEST(UnifiedDiff, NamesBothTexts) {
  EXPECT_EQ(UnifiedDiff("in.spv", "x\n", "out.spv", "y\n"), "--- in.spv\n+++ out.spv\n@@ -1 +1 @@\n-x\n+y\n");
}

TEST(UnifiedDiff, InsertionsHaveContext) {
  EXPECT_EQ(Hunks("1\n2\n3\n4\n5\n6\n", "1\n2\n3\nnew\n4\n5\n6\n"), "@@ -1,6 +1,7 @@\n 1\n 2\n 3\n+new\n 4\n 5\n 6\n");
  EXPECT_EQ(Hunks("1\n2\n3\n4\n5\n6\n", "1\n2\n3\nnew\n4\n5\n6\n", 1), "@@ -3,2 +3,3 @@\n 3\n+new\n 4\n");
}

TEST(UnifiedDiff, AtTheEndsThereIsLessContext) {
  EXPECT_EQ(Hunks("1\n2\n3\n4\n5\n", "0\n1\n2\n3\n4\n5\n"), "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n");
  EXPECT_EQ(Hunks("1\n2\n3\n4\n5\n", "1\n2\n3\n4\n"), "@@ -2,4 +2,3 @@\n 2\n 3\n 4\n-5\n");
}

TEST(UnifiedDiff, TextsThatAreEmpty) {
  EXPECT_EQ(Hunks("", "x\ny\n"), "@@ -0,0 +1,2 @@\n+x\n+y\n");
  EXPECT_EQ(Hunks("x\n", ""), "@@ -1 +0,0 @@\n-x\n");
}

TEST(UnifiedDiff, WithoutContextAnInsertionNamesTheLineBefore) {
  EXPECT_EQ(Hunks("1\n2\n", "1\nnew\n2\n", 0), "@@ -1,0 +2 @@\n+new\n");
  EXPECT_EQ(Hunks("1\n2\n3\n", "1\n3\n", 0), "@@ -2 +1,0 @@\n-2\n");
}

TEST(UnifiedDiff, ChangesThatAreCloseShareAHunk) {
  // Two lines are between: with one line of context each, the hunks touch.
  EXPECT_EQ(Hunks("1\n2\n3\n4\n", "x\n2\n3\ny\n", 1), "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n-4\n+y\n");
  EXPECT_EQ(Hunks("1\n2\n3\n4\n5\n", "x\n2\n3\n4\ny\n", 1),
            "@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -4,2 +4,2 @@\n 4\n-5\n+y\n");
}

TEST(UnifiedDiff, LinesWithoutEndAreMarked) {
  EXPECT_EQ(Hunks("1\n2", "1\n3"),
            "@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+3\n\\ No newline at end of file\n");
  EXPECT_EQ(Hunks("1\n2", "1\n2\n"), "@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+2\n");
  EXPECT_EQ(Hunks("1\n2\n", "1\n2"), "@@ -1,2 +1,2 @@\n 1\n-2\n+2\n\\ No newline at end of file\n");
  EXPECT_EQ(Hunks("1\n2", "0\n2"), "@@ -1,2 +1,2 @@\n-1\n+0\n 2\n\\ No newline at end of file\n");
}

TEST(CommonLines, UniqueLinesHoldWhenOthersRepeat) {
  // "end" is in both texts several times; "b" says which of them belong together.
  EXPECT_EQ(CommonLines({"a", "end", "b", "end"}, {"end", "end", "x", "b", "end"}),
            (std::vector<std::pair<size_t, size_t>>{{1, 0}, {2, 3}, {3, 4}}));
}

TEST(CommonLines, WithoutUniqueLinesTheLongestPartIsFound) {
  EXPECT_EQ(CommonLines({"a", "a", "b", "b", "a", "a"}, {"b", "b", "a", "a", "b", "b"}),
            (std::vector<std::pair<size_t, size_t>>{{2, 0}, {3, 1}, {4, 2}, {5, 3}}));
}

TEST(CommonLines, LinesThatMovedAreInOneOfTheirPlaces) {
  EXPECT_EQ(CommonLines({"1", "2", "3", "4"}, {"4", "1", "2", "3"}),
            (std::vector<std::pair<size_t, size_t>>{{0, 1}, {1, 2}, {2, 3}}));
}

// Applies a diff to the text that it is from, as patch does.
std::string Apply(const std::vector<std::string>& before, const std::string& diff) {
  std::string after;
  size_t line = 0;
  size_t at = 0;
  const auto next = [&] {
    const size_t end = diff.find('\n', at);
    const std::string found = diff.substr(at, end - at);
    at = end + 1;
    return found;
  };
  while (at < diff.size()) {
    const std::string text = next();
    if (text.substr(0, 2) == "--" || text.substr(0, 2) == "++") continue;
    if (text[0] == '@') {
      const size_t comma = text.find_first_of(", ", 4);
      const size_t first = std::stoul(text.substr(4, comma - 4));
      // The number of an empty range is that of the line before.
      const bool is_empty = text.substr(comma, 2) == ",0";
      for (; line < first - (is_empty ? 0 : 1); ++line) after += before[line] + "\n";
    } else if (text[0] == ' ') {
      EXPECT_EQ(text.substr(1), before[line]);
      after += before[line++] + "\n";
    } else if (text[0] == '-') {
      EXPECT_EQ(text.substr(1), before[line]);
      ++line;
    } else {
      after += text.substr(1) + "\n";
    }
  }
  for (; line < before.size(); ++line) after += before[line] + "\n";
  return after;
}

TEST(UnifiedDiff, AppliedToOneTextItMakesTheOther) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    // Few different lines in short texts, so that there is repetition.
    const uint32_t kinds = 1 + random() % 12;
    std::vector<std::string> before;
    std::string before_text;
    std::string after_text;
    for (uint32_t i = random() % 30; i > 0; --i) {
      before.push_back("line" + std::to_string(random() % kinds));
      before_text += before.back() + "\n";
    }
    for (const std::string& line : before) {
      if (random() % 5 == 0) after_text += "line" + std::to_string(random() % kinds) + "\n";
      if (random() % 5 != 0) after_text += line + "\n";
    }
    const size_t context = random() % 4;
    EXPECT_EQ(Apply(before, UnifiedDiff("a", before_text, "b", after_text, context)), after_text);
  }
}

TEST(UnifiedDiff, LongTextsWithLongInsertionsTakeNoTime) {
  std::string before;
  std::string after;
  for (int i = 0; i < 20000; ++i) {
    const std::string line = "%" + std::to_string(i) + " = OpLoad\n";
    before += line + "OpBranch\n";
    after += line + "OpNop\nOpNop\nOpBranch\n";
  }
  const std::string diff = UnifiedDiff("a", before, "b", after);
  size_t inserted = 0;
  for (size_t at = diff.find("\n+Op"); at != std::string::npos; at = diff.find("\n+Op", at + 1)) ++inserted;
  EXPECT_EQ(inserted, 40000u);
  EXPECT_EQ(diff.find("\n-O"), std::string::npos);
}

}  // namespace
}  // namespace assay::spirv_instrument
