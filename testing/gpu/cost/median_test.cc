// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/gpu/cost/median.h"

#include "gtest/gtest.h"

namespace assay::test {
namespace {

TEST(Median, IsInTheMiddle) {
  EXPECT_EQ(Median({}), 0);
  EXPECT_EQ(Median({7}), 7);
  EXPECT_EQ(Median({9, 1, 2}), 2);
  EXPECT_EQ(Median({9, 1, 2, 3}), 2.5);
}

}  // namespace
}  // namespace assay::test
