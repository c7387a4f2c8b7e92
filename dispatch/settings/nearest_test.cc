// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/nearest.h"

#include <string_view>

#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("sync", "sync"), 0u);
  EXPECT_EQ(EditDistance("sync", "sink"), 2u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("SYNC", "sync"), 0u);
}

TEST(EditDistance, AnExchangeOfNeighboursIsOne) {
  EXPECT_EQ(EditDistance("snyc", "sync"), 1u);
  EXPECT_EQ(EditDistance("ab", "ba"), 1u);
}

TEST(Nearest, FindsTheMeantName) {
  constexpr std::string_view kNames[] = {"unique_handles", "validate_sync", "report_flags"};
  EXPECT_EQ(Nearest("validate_snyc", kNames), "validate_sync");
  EXPECT_EQ(Nearest("unique_handle", kNames), "unique_handles");
  EXPECT_EQ(Nearest("something_else", kNames), "");
  EXPECT_EQ(Nearest("", kNames), "");
  EXPECT_EQ(Nearest("x", {}), "");
}

}  // namespace
}  // namespace assay::dispatch
