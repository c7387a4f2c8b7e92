// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/debug/source_text.h"

#include <string_view>

#include "gtest/gtest.h"

namespace assay::spirv_instrument {
namespace {

TEST(SourceText, Lines) {
  const SourceText source("first\nsecond\r\n\nfourth");
  EXPECT_EQ(source.Line("a", 0), "");
  EXPECT_EQ(source.Line("a", 1), "first");
  EXPECT_EQ(source.Line("", 2), "second");
  EXPECT_EQ(source.Line("a", 3), "");
  EXPECT_EQ(source.Line("a", 4), "fourth");
  EXPECT_EQ(source.Line("a", 5), "");
  EXPECT_EQ(SourceText("").Line("a", 1), "");
  EXPECT_EQ(SourceText("x\n").Line("a", 2), "");
  EXPECT_EQ(SourceText().Line("a", 1), "");
}

TEST(SourceText, DirectivesNumberTheLinesBehindThem) {
  const SourceText source(
      "#version 450\n"
      "#line 10\n"
      "ten\n"
      "eleven\n"
      "  #  line 100\n"
      "hundred\n"
      "#line 5\n"
      "five\n");
  EXPECT_EQ(source.Line("a", 1), "#version 450");
  EXPECT_EQ(source.Line("a", 10), "ten");
  EXPECT_EQ(source.Line("a", 11), "eleven");
  EXPECT_EQ(source.Line("a", 100), "hundred");
  EXPECT_EQ(source.Line("a", 5), "five");
  EXPECT_EQ(source.Line("a", 13), "");
  EXPECT_EQ(source.Line("a", 6), "");
}

TEST(SourceText, DirectivesMayNameFiles) {
  const SourceText source(
      "#line 1 \"a.h\"\n"
      "one of a\n"
      "two of a\n"
      "# 2 \"b.h\" 1\n"
      "two of b\n"
      "#line 9\n"
      "nine of b\n");
  EXPECT_EQ(source.Line("a.h", 2), "two of a");
  EXPECT_EQ(source.Line("b.h", 2), "two of b");
  EXPECT_EQ(source.Line("b.h", 9), "nine of b");
  EXPECT_EQ(source.Line("a.h", 9), "");
  EXPECT_EQ(source.Line("c.h", 2), "");
}

TEST(SourceText, WhatLooksLikeADirective) {
  const SourceText source("#pragma 3\n#line x\n#line 99999999999\n#line\nfifth\n");
  EXPECT_EQ(source.Line("a", 5), "fifth");
}

TEST(SourceText, TheClosestDirectiveCounts) {
  // Both stretches have a line 12.
  const SourceText source("#line 10\na\nb\nc\n#line 12\nd\n");
  EXPECT_EQ(source.Line("a", 11), "b");
  EXPECT_EQ(source.Line("a", 12), "d");
}

}  // namespace
}  // namespace assay::spirv_instrument
