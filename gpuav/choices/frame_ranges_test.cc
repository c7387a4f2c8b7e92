// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/choices/frame_ranges.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

TEST(FrameRangesTest, HaveBothEnds) {
  const auto ranges = FrameRanges::Parse("3-5, 9 ,7 - 7");
  ASSERT_TRUE(ranges);
  EXPECT_FALSE(ranges->empty());
  for (const uint64_t frame : {3, 4, 5, 7, 9}) EXPECT_TRUE(ranges->Has(frame)) << frame;
  for (const uint64_t frame : {0, 2, 6, 8, 10}) EXPECT_FALSE(ranges->Has(frame)) << frame;
}

TEST(FrameRangesTest, MayHaveNoEnd) {
  const auto ranges = FrameRanges::Parse("100-");
  ASSERT_TRUE(ranges);
  EXPECT_FALSE(ranges->Has(99));
  EXPECT_TRUE(ranges->Has(100));
  EXPECT_TRUE(ranges->Has(UINT64_MAX));
}

TEST(FrameRangesTest, OfNothingAreNone) {
  for (const char* text : {"", " , "}) {
    const auto ranges = FrameRanges::Parse(text);
    ASSERT_TRUE(ranges) << text;
    EXPECT_TRUE(ranges->empty()) << text;
  }
}

TEST(FrameRangesTest, Malformed) {
  for (const char* text : {"a", "1-b", "-3", "5-4", "1,x", "1-2-3", "18446744073709551616", "-"}) {
    EXPECT_FALSE(FrameRanges::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace assay::gpuav
