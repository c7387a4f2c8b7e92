// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/indices/invocation_values.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay::core {
namespace {

// Of 4 x 2 x 3 invocations.
ValueSpread Spread(uint32_t x, uint32_t y, uint32_t z) {
  return SpreadOf({.base = 0, .factors = {x, y, z}, .source = spv::BuiltIn::LocalInvocationId}, {4, 2, 3});
}

TEST(SpreadOf, TellsHowManyAreEqual) {
  EXPECT_EQ(Spread(0, 0, 0).distinct, 1u);
  EXPECT_EQ(Spread(0, 0, 0).most_equal, 24u);
  EXPECT_EQ(Spread(1, 0, 0).distinct, 4u);
  EXPECT_EQ(Spread(1, 0, 0).most_equal, 6u);
  EXPECT_EQ(Spread(1, 4, 8).distinct, 24u);
  EXPECT_EQ(Spread(1, 4, 8).most_equal, 1u);
  // 0 1 2 3, and 1 2 3 4.
  EXPECT_EQ(Spread(1, 1, 0).distinct, 5u);
  EXPECT_EQ(Spread(1, 1, 0).most_equal, 6u);
}

TEST(SpreadOf, WrapsAround) {
  EXPECT_EQ(Spread(0x80000000, 0, 0).distinct, 2u);
  EXPECT_EQ(Spread(0xffffffff, 0, 0).lowest, -3);
  EXPECT_EQ(Spread(0xffffffff, 0, 0).highest, 0);
  EXPECT_EQ(Spread(2, 0, 0).highest, 6);
}

}  // namespace
}  // namespace assay::core
