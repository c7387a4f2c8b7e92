// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/choices/patterns.h"

#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

TEST(PatternsTest, AnyOfThemMatches) {
  const Patterns patterns(" shadow* ,blur_?, exact");
  EXPECT_FALSE(patterns.empty());
  EXPECT_TRUE(patterns.Match("shadow"));
  EXPECT_TRUE(patterns.Match("shadow map"));
  EXPECT_TRUE(patterns.Match("blur_x"));
  EXPECT_TRUE(patterns.Match("exact"));
  EXPECT_FALSE(patterns.Match("blur_"));
  EXPECT_FALSE(patterns.Match("exactly"));
  EXPECT_FALSE(patterns.Match("Shadow"));
}

TEST(PatternsTest, NoNameMatches) { EXPECT_FALSE(Patterns("*").Match("")); }

TEST(PatternsTest, CommasAloneAreNoPatterns) {
  EXPECT_TRUE(Patterns("").empty());
  EXPECT_TRUE(Patterns(" , ,").empty());
}

}  // namespace
}  // namespace assay::gpuav
